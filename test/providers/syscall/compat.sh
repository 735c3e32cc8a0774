# System calls of 32-bit programs, and of int $0x80 in a 64-bit one, have their
# own numbers and registers: they fire under their names with their arguments.
. "$suite/lib.sh"
cat > low.s <<'END'
	.globl _start
_start:	mov $5, %esi
again:	mov $20, %eax		# getpid, five times
	int $0x80
	dec %esi
	jnz again
	mov $3, %eax		# read(0, buffer, 7)
	xor %ebx, %ebx
	mov $buffer, %ecx
	mov $7, %edx
	int $0x80
	mov $6, %eax		# close(-100)
	mov $-100, %ebx
	int $0x80
	mov $192, %eax		# mmap2(0, 4096, 3, 0x22, -1, 0)
	xor %ebx, %ebx
	mov $4096, %ecx
	mov $3, %edx
	mov $0x22, %esi
	mov $-1, %edi
	xor %ebp, %ebp
	int $0x80
	mov $5, %eax		# open(name, 0)
	mov $name, %ebx
	xor %ecx, %ecx
	int $0x80
	mov $1, %eax		# exit(7)
	mov $7, %ebx
	int $0x80
	.data
name:	.asciz "/nowhere"
buffer:	.skip 8
END
as --32 -o low.o low.s && ld -m elf_i386 -o low low.o || exit 1
./low < /dev/zero 2> /dev/null
[ $? = 7 ] || skip "this kernel runs no 32-bit programs"
cat > mixed.c <<'END'
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		long r, high = -1l << 32;

		asm volatile("int $0x80" : "=a"(r) : "a"(6), "b"(high | 99) : "r8", "r9", "r10", "r11");
		syscall(SYS_close, 98);
	}
	return 0;
}
END
cc -o mixed mixed.c || exit 1
echo "all"
"$dtrace" -qn 'syscall:::entry /pid == $target/ { printf("%s(%x, %d, %x, %x, %x, %x)\n", probefunc, arg0, probefunc == "mmap2" ? arg1 : 0, arg2, arg3, arg4, arg5); }
	syscall:::return /pid == $target/ { printf("%s %s %d\n", probefunc, arg1 < 0 ? "failed" : "returned", errno); }' \
	-c ./low < /dev/zero | sed 's/open([0-9a-f]*, /open(name, /'
echo "one"
"$dtrace" -qn 'syscall::getpid:entry /pid == $target/ { @ = count(); }' -c ./low < /dev/zero
"$dtrace" -qn 'syscall::open:entry /pid == $target/ { printf("%s %d %d\n", copyinstr(arg0), args[1], curpsinfo->pr_dmodel == PR_MODEL_ILP32); }' -c ./low < /dev/zero
"$dtrace" -qn 'syscall::close:entry /pid == $target/ { trace(args[0]); }' -c ./low < /dev/zero
"$dtrace" -qn 'syscall::mmap2:return /pid == $target/ { trace(arg1 > 0 && arg1 < 1ULL << 32); }' -c ./low < /dev/zero
echo "several programs"
"$dtrace" -qn 'syscall::getpid:entry /pid == $target/ { @["getpid"] = sum(1); } syscall::mmap2:entry /pid == $target/ { @["mmap2"] = sum(arg1); }
	syscall::read:return /pid == $target/ { @["read"] = sum(arg1); } syscall::close:return /pid == $target/ { @["close"] = sum(errno); }' -c ./low < /dev/zero
echo "both kinds in a program"
"$dtrace" -qn 'syscall::close:entry /pid == $target && arg0 > 90/ { @[arg0] = count(); }' -c ./mixed
"$dtrace" -qn 'syscall:::entry /pid == $target && arg0 > 97 && arg0 < 100/ { @[probefunc, arg0] = count(); }' -c ./mixed
# the numbers are those of lstat and of restart_syscall, read and write in others
"$dtrace" -qn 'syscall::lstat:entry, syscall::restart_syscall:entry, syscall::exit:entry, syscall::write:entry /pid == $target/ { @[probefunc] = count(); }' -c ./mixed
