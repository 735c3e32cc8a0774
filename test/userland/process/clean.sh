# What the command inherits: the environment as changed, no descriptor of ours, group, signals.
GONE=1 B=0 "$dtrace" -qn 'BEGIN { }' -x setenv=A=1=2 -x setenv=B=3 -x unsetenv=B -x setenv=C= -x unsetenv=GONE -c env > out 2>&1
grep -E '^(A|B|C|GONE)=' out
mkdir bin; printf '#!/bin/sh\necho found\n' > bin/hidden; chmod +x bin/hidden
"$dtrace" -qn 'BEGIN { }' -x setenv=PATH="$PWD/bin:/bin" -c hidden
ls /proc/self/fd > before
"$dtrace" -qn 'BEGIN { } syscall::getppid:entry { @ = count(); } tick-1s { }' -o trace -c 'ls /proc/self/fd' | cmp - before && echo "same descriptors"
signals() {
	grep -E 'Sig(Blk|Ign|Cgt)|TracerPid' /proc/self/status > before
	"$dtrace" -qn 'BEGIN { }' -o trace -c 'grep -E Sig(Blk|Ign|Cgt)|TracerPid /proc/self/status' | cmp - before && echo "same signals"
}
signals
( trap '' HUP; signals )
printf '#!/bin/sh\ncut -d" " -f5 /proc/self/stat\n' > group; chmod +x group
./group > before
"$dtrace" -qn 'BEGIN { }' -o trace -c ./group | cmp - before && echo "same group"
