# Replays need no privilege, read pipes, write files, obey options; what cannot be recorded or replayed is refused in words.
. "$suite/lib.sh"
D='BEGIN { printf("record %d\n", 1); @a["x"] = sum(3); @a["y"] = sum(7); exit(3); }'
"$dtrace" -x record=run -n "$D" > run.out 2>/dev/null; echo "status $?"
stat -c 'only its owner may read it: %a' run
same() { cmp "$1" run.out && echo "$2: the same, status $status"; }

chmod 755 .; chmod 644 run
cp "$dtrace" ./dtrace 2>/dev/null
setpriv --reuid 65534 --regid 65534 --clear-groups ./dtrace --replay run > nobody; status=$?; same nobody nobody
cat run | "$dtrace" --replay - > pipe; status=$?; same pipe "a pipe"
"$dtrace" --replay=run -o file; status=$?; same file "-o"
"$dtrace" -q --replay run; echo "status $?"
"$dtrace" -q -x agghist --replay run; echo "status $?"
"$dtrace" -x oformat=csv --replay run; echo "status $?"

# to a pipe, to a device
mkfifo fifo
cat fifo > piped &
"$dtrace" -q -x record=fifo -n "$D" > /dev/null
wait
"$dtrace" --replay piped; echo "status $?"
"$dtrace" -q -x record=/dev/null -n "$D"; echo "status $?"
"$dtrace" -q -x record=/dev/full -n "$D" 2>&1; echo "status $?"

# refused, before anything is traced
"$dtrace" -q -x record=/nonexistent/file -w -n 'BEGIN { system("echo ran"); exit(0); }' 2>&1; echo "status $?"
"$dtrace" -q -x record=. -n "$D" 2>&1; echo "status $?"
printf '#pragma D option record=owned\nBEGIN { exit(0); }\n' > pragma.d
"$dtrace" -q -s pragma.d 2>&1; echo "status $?"; ls owned 2>/dev/null
"$dtrace" --replay missing 2>&1; echo "status $?"
cp "$suite/lib.sh" other; "$dtrace" --replay other 2>&1; echo "status $?"
: > empty; "$dtrace" --replay empty 2>&1; echo "status $?"
sed '1s/ 2$/ 3/' run > later; "$dtrace" --replay later 2>&1; echo "status $?"
"$dtrace" --replay 2>&1; echo "status $?"
"$dtrace" --replay run -n BEGIN 2>&1; echo "status $?"

# commands of others are not run
"$dtrace" -q -w -x record=commands -n 'BEGIN { system("touch ran"); printf("said\n"); exit(0); }'
rm ran; "$dtrace" --replay commands 2>&1; [ -e ran ] && echo "a command was run"
true
