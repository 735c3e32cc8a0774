# The examples in the pages of providers run: probes in programs.
# @anykernel: what they show has tests of its own on all kernels
# @timeout: 300
. "$suite/synthetic.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target dtrace_pid.4 dtrace_usdt.4 dtrace_synthetic.4 dtrace_mysql.4 dtrace_redis.4 dtrace_nginx.4 dtrace_node.4 dtrace_plockstat.4
kill $target
