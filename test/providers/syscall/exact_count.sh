# A program that makes exactly N reads is counted exactly N, by size.
. "$suite/lib.sh"
trace_calls 'syscall::read:entry /pid == $1/ { @[execname] = quantize(arg2); }' read 13000
