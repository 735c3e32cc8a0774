# The stack of a function that is about to return: it has popped its registers, and the
# first such return gives the process a mapping of the kernel's, so that it must be looked
# at again and its next stacks are copied. All of them are whole.
cat > pops.c <<'C'
__attribute__((noinline)) int pops(int a)
{
	__asm__ volatile("" : "+r"(a) : : "rbx", "rbp", "r12", "r13", "r14", "r15");
	return a + 1;
}
__attribute__((noinline)) int calls(int a) { return pops(a) + 1; }
int main(void)
{
	int n = 0;
	for (int i = 0; i < 40; i++)
		n = calls(n);
	return n != 80;
}
C
cc -O2 -fomit-frame-pointer -o pops pops.c
"$dtrace" -qn 'pid$target:a.out:pops:return { @[ustack(3)] = count(); }' -c ./pops | sed 's/+0x[0-9a-f]*//' | grep .
