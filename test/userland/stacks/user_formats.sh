# %k and %A; usym() ... as actions; options ustackframes, stackindent, noresolve.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ { printf("[%k]%-4k|%A|\n", ustack(2), ustack(1), usym(uregs[R_PC]));
	usym(uregs[R_PC]); umod(ucaller); ustack(); exit(0); }' '-x ustackframes=2 -x stackindent=3'
rm armed
trace_frames 'syscall::getppid:entry /pid == $1/ { usym(uregs[R_PC]); ustack(2); exit(0); }' '-x noresolve' |
	sed 's/0x[0-9a-f]\{6,\}/{address}/'
