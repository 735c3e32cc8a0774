/* Addresses and stacks with their names, in records and keys. */
syscall::write:entry
/pid == $target && !done/
{
	done = 1;
	ustack(); ustack(3, 200); stack(); stack(2);
	sym(arg1); func(arg1); mod((uintptr_t)curthread); usym(ucaller); umod(ucaller); uaddr(ucaller);
	printf("%a %A %k %s\n", (uintptr_t)curthread, ucaller, ustack(4), probefunc);
	@[ustack(), stack(2), usym(ucaller), probefunc, execname] = count();
	@a[ucaller] = count();
	printa("%A %@d\n", @a);
}
END { printa("%k %k %A %s %s %@u\n", @); }
