/* kernel symbols: actions, keys that merge in one function, %a with offset, and of a module its name */
BEGIN
{
	sym((uintptr_t)&`do_exit + 4);
	func((uintptr_t)&`do_exit);
	mod((uintptr_t)&`do_exit + 1);
	sym(17);
	printf("\n%a %a %a|%24a|%-24a|\n", &`do_exit, (uintptr_t)&`do_exit + 4, 17, &`do_exit, &`do_exit);
	printf("%a|%-8a|\n", mod((uintptr_t)&`do_exit + 1), mod((uintptr_t)&`kfree));
	@[sym((uintptr_t)&`do_exit)] = count();
	@[sym((uintptr_t)&`do_exit + 4)] = count();
	@m[mod((uintptr_t)&`do_exit + 4)] = count();
	@m[mod((uintptr_t)&`kfree)] = count();
	exit(0);
}
