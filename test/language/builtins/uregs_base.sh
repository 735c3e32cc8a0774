# uregs[R_FS] says where the thread's own data is; the C library keeps its address there, too.
[ "$(uname -m)" = x86_64 ] || { echo "no such register on $(uname -m)"; exit 77; }
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ {
	printf("%d %d %d\n", uregs[R_FS] != 0, *(uint64_t *)copyin(uregs[R_FS], 8) == uregs[R_FS], uregs[R_GS]); exit(0); } ERROR { exit(1); }'
