# The examples in the pages of providers run: the network.
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target dtrace_ip.4 dtrace_tcp.4 dtrace_udp.4 dtrace_mib.4
kill $target
