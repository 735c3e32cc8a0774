# A process that executes another program: its probes fire in the first one,
# none of them in the second, which works as if nobody had looked.  A script
# is traced in its interpreter, from its start on.
. "$suite/lib.sh"
cat > first.c <<'C'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return n + 1; }
int main(int argc, char **argv)
{
	printf("first %d\n", work(argc));
	fflush(stdout);
	execv("./second", argv);
	return 1;
}
C
cat > second.c <<'C'
#include <stdio.h>
__attribute__((noinline)) int work(int n) { __asm__ volatile(""); return n + 2; }
int main(int argc, char **argv)
{
	(void)argv;
	printf("second %d\n", work(argc) + work(argc));
	return 7;
}
C
gcc -O1 -o first first.c && gcc -O1 -static -o second second.c || exit 1
"$dtrace" -n 'pid$target:a.out:work:entry { printf("%s of %s\n", probefunc, execname); }
	pid$target:a.out:work:return { printf("%s of %s: %d\n", probefunc, execname, arg1); }
	pid$target:libc:execv*:entry { @[probefunc, execname] = count(); }' -q -c ./first 2>&1 | grep . | sed 's/  */ /g' | sort
cat > script.sh <<'S'
#!/bin/sh
exec ./first
S
chmod +x script.sh
"$dtrace" -qn 'pid$target:libc:execve:entry /execname == "script.sh"/ { printf("execve by %s\n", execname); }
	proc:::exec-success /pid == $target/ { printf("now %s\n", execname); }' -c ./script.sh 2>&1 | sort
