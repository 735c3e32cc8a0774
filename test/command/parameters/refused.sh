# Words that are wrong are refused with a reason before anything is started: no
# command runs, no file is made.
cat > script.d <<'END'
#pragma D parameter min time = 10ms "ignore what is faster"
#pragma D parameter name string "program to look at"
#pragma D parameter number int = 1 "a number"
#pragma D parameter room size = 1k "a size"
#pragma D parameter who pid = 0 "a process"
#pragma D parameter wide bool "long lines"
BEGIN { printf("%s\n", $name); exit(0); }
END
cat > mark <<'END'
#!/bin/sh
echo ran > ran
END
chmod +x mark
run() { "$dtrace" -qs script.d -o file -c ./mark "$@" 2>&1; echo "status $?"; }
run
run --name
run --nmae x
run --name=x --something=3
run --name=x --min
run --name=x --min=10x
run --name=x --min=100hz
run --name=x --number=1.5
run --name=x --number 99999999999999999999
run --name=x --room=-1
run --name=x --who=-1
run --name=x --who=self
run --name=x --wide=perhaps
run --name=x --no-wide=1
run --name=x --no-min
ls ran file 2>&1
"$dtrace" --min=1 -s script.d; echo "status $?"
"$dtrace" -n BEGIN --min=1; echo "status $?"
"$dtrace" -s script.d -n BEGIN --min=x; echo "status $?"
# at the end of a wait for a pipe: when it is compiled
cat script.d | "$dtrace" -qs -; echo "status $?"
"$dtrace" -qs script.d --name=fine
"$dtrace" -s nosuch.d --name=x; echo "status $?"
