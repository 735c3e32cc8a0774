# What ends a function: several returns, jumps in place of a call (always, by a
# condition, through a pointer), repz ret, pieces that were put elsewhere; not the
# jumps of a switch, nor data between instructions; some functions never return.
. "$suite/lib.sh"
"$dtrace" -qn 'pid$target:a.out:tail_*:entry, pid$target:a.out:jump*:entry { @entered[probefunc] = count(); }
	pid$target:a.out:tail_*:return, pid$target:a.out:jump*:return { @returned[probefunc] = count(); }
	END { printa("%s %@d %@d\n", @entered, @returned); }' -c "$triggers/stackswitch tail 300 5" |
	awk 'NF == 3 && $2 == $3 { print $1; next } NF == 3'
cat > ends.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define OUTLINE __attribute__((noinline, noclone))
volatile int sink;
OUTLINE __attribute__((noreturn)) void never(void) { sink = 1; exit(0); }
OUTLINE __attribute__((cold)) void rare(int n) { sink += n; puts("rare"); }
OUTLINE int has_cold(int n)
{
	if (__builtin_expect(n == 13, 0)) {
		rare(n);
		if (sink == 99)
			abort();
		return sink + 1;
	}
	return n * 2;
}
/* data that looks like a return: a breakpoint in it would change the sum */
long with_data(const unsigned char **where);
__asm__(".globl with_data\n.type with_data, @function\nwith_data:\n.cfi_startproc\n"
	"	lea 1f(%rip), %rax\n	mov %rax, (%rdi)\n	xor %eax, %eax\n	jmp 2f\n"
	"1:	.byte 0xc3, 0xc3, 0xc3, 0xc3, 0xc3, 0xc3, 0xc3, 0xc3\n"
	"2:	ret\n.cfi_endproc\n.size with_data, . - with_data\n");
int main(void)
{
	const unsigned char *data;
	int sum = 0;

	for (int i = 0; i < 20; i++)
		sum += has_cold(i);
	with_data(&data);
	for (int i = 0; i < 8; i++)
		sum += data[i];
	printf("%d\n", sum);
	fflush(stdout);
	never();
}
C
cc -O2 -o ends ends.c
./ends
"$dtrace" -qn 'pid$target:a.out:has_cold:entry, pid$target:a.out:with_data:entry, pid$target:a.out:never:entry { @entered[probefunc] = count(); }
	pid$target:a.out:has_cold:return, pid$target:a.out:with_data:return { @returned[probefunc] = count(); }
	END { printa("%s %@d %@d\n", @entered, @returned); }' -c ./ends 2>&1
"$dtrace" -qn 'pid$target:a.out:never:return { }' -c ./ends 2>&1 | sed 's/pid[0-9]*:/pidN:/; /|/d'
# instructions that may be probed; the data is not among them
"$dtrace" -qn 'pid$target:a.out:has_cold:, pid$target:a.out:with_data: { @n[probefunc, probename] = count(); }
	END { printa("%s %s %@d\n", @n); }' -c ./ends 2>&1 | grep -v '^has_cold [0-9]'
"$dtrace" -n 'pid$target:a.out:with_data:10 { }' -c ./ends 2>&1 | sed 's/pid[0-9]*:/pidN:/; /|/d'
"$dtrace" -n 'pid$target:libc:_exit:entry { }' -c ./ends 2>&1 | grep -c 'matched 1 probe'
# a probe on a system call would kill children that it makes
"$dtrace" -ln 'pid$target:libc:vfork:' -c ./ends > list
at=$(awk '$5 ~ /^[0-9a-f]+$/ { last = $5 } END { print last }' list)
[ -n "$at" ] && echo "vfork has instructions"
