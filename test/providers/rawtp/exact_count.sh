# A raw tracepoint fires as often as the kernel passes it, with the arguments
# of its prototype, typed: a thousand calls of a known process.
. "$suite/lib.sh"
trace_calls 'rawtp:raw_syscalls::sys_enter /pid == $1 && args[1] == 110/ { @n = count(); }
	END { printa("getppid: %@d\n", @n); }' getppid 1000
