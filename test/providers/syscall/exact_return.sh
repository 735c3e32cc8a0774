# Return probes: every call returns; arg0 and arg1 are the result, errno is right.
. "$suite/lib.sh"
trace_calls 'syscall::close:return /pid == $1/ { @[arg0, arg1, errno] = count(); }' close 5000
