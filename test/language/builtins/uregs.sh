# The user's registers at a system call: by name, by other name, by a variable.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ { this->i = R_CS;
	printf("%d %x %x %x %d\n", uregs[R_ERR], uregs[R_CS], uregs[this->i], uregs[R_SS], uregs[R_PC] == uregs[R_RIP]);
	printf("%d %d %d\n", uregs[R_SP] > uregs[R_PC], uregs[R_FP] >= uregs[R_SP], uregs[R_DS]);
	exit(0); }'
"$dtrace" -qn 'BEGIN { this->i = 99; trace(uregs[this->i]); exit(0); } ERROR { exit(3); }' 2>&1 |
	sed 's/at BPF pc [0-9]*/at BPF pc N/'
