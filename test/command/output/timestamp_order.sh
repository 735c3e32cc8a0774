# Records of all CPUs are printed in the order of the times they show.
. "$suite/lib.sh"
trace_trigger "-b 16m" 'syscall::getppid:entry /pid == $1/ { printf("%d\n", timestamp); }' calls getppid 5000 4 | grep "^[0-9]" > times
wc -l < times
sort -nc times && echo in order
