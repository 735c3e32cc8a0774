# A user's stack by frame pointers: functions and objects by name, innermost
# first; as many frames as asked for.
. "$suite/lib.sh"
trace_frames 'syscall::getppid:entry /pid == $1/ { ustack(4); ustack(1); jstack(2); exit(0); }'
