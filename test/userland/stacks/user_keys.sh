# Stacks and symbols of users as keys: addresses in one function are one row.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ { @s[ustack(3)] = count(); @n[usym(uregs[R_PC])] = count();
	@n[usym(uregs[R_PC] - 1)] = count(); @n[ufunc(ucaller)] = count(); @m[umod(uregs[R_PC])] = count();
	@m[umod(ucaller)] = count(); n++; }
	tick-10ms /n == 5/ { exit(0); }' '' 5
