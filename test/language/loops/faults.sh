# A turn that faults ends the clause; what turns before it have recorded is shown, and the next clause runs.
run() { "$dtrace" -q "$@" 2>&1 | sed 's/ at BPF pc [0-9]*//'; }
error='dtrace:::ERROR { printf("ERROR: fault %d, value 0x%x\n", arg4, arg5); }
	BEGIN { printf("next clause\n"); exit(0); }'
echo "-- in the record of a turn"
run -n 'BEGIN { for (int i = 0; i < 5; i++) { printf("%d ", i); printf("(%d) ", 12 / (3 - i)); } printf("not reached"); }' -n "$error"
echo "-- before it, and in the condition, with the address"
run -n 'BEGIN { for (int i = 0; i < 5; i++) { this->x = i < 2 ? 0 : *(int *)(i + 0x10); printf("%d ", i); } }' -n "$error"
run -n 'BEGIN { for (int i = 0; *(char *)(i ? 0x20 : (uintptr_t)&curthread->comm) != 0; i++) printf("%d ", i); }' -n "$error"
echo "-- in an inner loop, and around one that records nothing"
run -n 'BEGIN { for (int i = 0; i < 3; i++) { printf("%d: ", i); for (int j = 0; j < 3; j++) printf("%d ", 6 / (2 - i - j)); } }' -n "$error"
run -n 'BEGIN { printf("gone "); for (int i = 0; i < 3; i++) this->x = 6 / (2 - i); printf("not reached"); }' -n "$error"
echo "-- the limit, of all loops of a firing together"
run -x looplimit=5 -n 'BEGIN { for (int i = 0; ; i++) { printf("%d ", i); } }' -n "$error"
run -x looplimit=5 -n 'BEGIN { for (int i = 0; i < 4; i++) n++; for (int i = 0; i < 4; i++) n++; } BEGIN { printf("%d turns\n", n); }' -n "$error"
run -x looplimit=9 -n 'BEGIN { for (int i = 0; i < 4; i++) n++; for (int i = 0; i < 3; i++) n++; } BEGIN { printf("%d turns\n", n); }' -n "$error"
run -n 'BEGIN { for (;;) n++; } BEGIN { printf("%d\n", n > 500000 && n <= 1000000); }' -n "$error"
echo "-- by name, and in ERROR itself"
run -n 'BEGIN { while (1) ; } ERROR { printf("%d\n", arg4 == DTRACEFLT_LOOPLIMIT); exit(0); }'
run -n 'BEGIN { x = *(int *)0x77; } ERROR { for (int i = 0; i < 2; i++) printf("%d 0x%x ", i, arg5); exit(0); }'
