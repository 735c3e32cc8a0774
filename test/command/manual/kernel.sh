# The examples in the pages of providers run: time, system calls, processes, CPUs, locks.
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target dtrace_dtrace.4 dtrace_profile.4 dtrace_cpc.4 dtrace_syscall.4 dtrace_rawtp.4 \
	dtrace_proc.4 dtrace_sched.4 dtrace_lockstat.4 dtrace_fpuinfo.4
kill $target
