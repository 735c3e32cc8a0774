# A 32-bit process: said so, by the pid provider and where USDT is asked for.
. "$suite/lib.sh"
not_in_guests
printf '.globl _start\n_start: movl $29,%%eax\nint $0x80\njmp _start\n' > low.s
as --32 -o low.o low.s && ld -m elf_i386 -o low low.o || exit 1
./low & target=$!
# a kernel that does not run it leaves a shell that ends
while [ "$(readlink /proc/$target/exe)" != "$PWD/low" ]; do
	case $(cut -d' ' -f3 /proc/$target/stat 2>/dev/null) in
	Z|'') skip "this kernel runs no 32-bit programs" ;;
	esac
	sleep 0.05
done
say() {
	"$dtrace" -xerrtags -n "$1" 2>&1 | grep -v '^ *|' | sed "s/$target/PID/g"
}
say "pid$target:a.out:_start:entry"
say "pid$target:::entry"
say "any$target:::begin"
kill $target
wait $target 2>/dev/null
exit 0
