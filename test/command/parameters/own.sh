# A script's long options are its own, even if dtrace has some of that name.
cat > own.d <<'END'
#pragma D parameter replay string = "" "a name of dtrace's"
#pragma D parameter check bool "another one"
#pragma D parameter high int = 0 "-h, -i, -g in it"
#pragma D parameter complete bool "a third"
BEGIN { printf("%s %d %d %d\n", $replay, $check, $high, $complete); exit(0); }
END
"$dtrace" -qs own.d --replay file --check --high 3
"$dtrace" -qs own.d --replay=file --no-check --high=4 --complete
"$dtrace" --check -s own.d --high=5 | head -1
