# A kernel's stack ends where system calls enter and shows nothing of how the
# program was called, also when two tracers share a tracepoint.
"$dtrace" -qn 'syscall:::entry { @ = count(); } tick-60s { exit(0); } END { trunc(@); }' &
other=$!
"$dtrace" -qn 'syscall:::entry /pid == $pid/ { stack(); printf("%s\n", stackdepth > 1 ? "deep" : "flat"); exit(0); }
	tick-10ms { n++; }' > out 2>&1
kill -INT $other
wait $other
grep -c 'bpf\|__traceiter' out
sed -n 's/+0x[0-9a-f]*$//; /entry_SYSCALL_64/p; /deep\|flat/p' out
"$dtrace" -qn 'syscall:::entry /pid == $pid/ { stack(1); exit(0); } tick-10ms { n++; }' | grep -c 'vmlinux`'
