# Four threads at once: nothing is lost in the per-CPU tables.
. "$suite/lib.sh"
trace_calls 'syscall::getppid:entry /pid == $1/ { @["entry"] = count(); } syscall::getppid:return /pid == $1/ { @["return"] = count(); }' getppid 50000 4
