# Rust's names, of both ways of making them, as they are and as they were
# written.  The assembler makes the same table of symbols that rustc does.
. "$suite/lib.sh"
not_in_guests
cat > names.s <<'S'
	.text
	.globl	_ZN4shop5older17h0123456789abcdefE
	.type	_ZN4shop5older17h0123456789abcdefE, @function
_ZN4shop5older17h0123456789abcdefE:
	.cfi_startproc
	lea	1(%rdi), %rax
	ret
	.cfi_endproc
	.size	_ZN4shop5older17h0123456789abcdefE, . - _ZN4shop5older17h0123456789abcdefE
	.globl	_RNvCs15kBYyAo9fc_4shop5newer
	.type	_RNvCs15kBYyAo9fc_4shop5newer, @function
_RNvCs15kBYyAo9fc_4shop5newer:
	.cfi_startproc
	lea	2(%rdi), %rax
	ret
	.cfi_endproc
	.size	_RNvCs15kBYyAo9fc_4shop5newer, . - _RNvCs15kBYyAo9fc_4shop5newer
	.globl	_RNvMs_Cs15kBYyAo9fc_4shopNtB4_4Cart3add
	.type	_RNvMs_Cs15kBYyAo9fc_4shopNtB4_4Cart3add, @function
_RNvMs_Cs15kBYyAo9fc_4shopNtB4_4Cart3add:
	.cfi_startproc
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	call	_RNvCs15kBYyAo9fc_4shop5newer
	add	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	_RNvMs_Cs15kBYyAo9fc_4shopNtB4_4Cart3add, . - _RNvMs_Cs15kBYyAo9fc_4shopNtB4_4Cart3add
	.section	.note.GNU-stack, "", @progbits
S
cat > main.c <<'C'
long older(long n) __asm__("_ZN4shop5older17h0123456789abcdefE");
long add(long n) __asm__("_RNvMs_Cs15kBYyAo9fc_4shopNtB4_4Cart3add");
int main(void) { return (int)(older(40) + add(50)) - 93; }
C
gcc -o shop main.c names.s || exit 1
for name in '_ZN4shop5older17h0123456789abcdefE' 'shop??older' '_RNvCs15kBYyAo9fc_4shop5newer' 'shop??newer' '*Cart*add' 'shop??*'; do
	echo "-- $name"
	"$dtrace" -qn 'pid$target:a.out:'"$name"':entry { printf("%s %d\n", probefunc, arg0); }' -c ./shop
done
echo "-- stack"
"$dtrace" -qn 'pid$target:a.out:*newer*:entry { ustack(3); }' -c ./shop | sed 's/+0x.*//'
