# The examples in the pages of providers run: statistics.
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target dtrace_sysinfo.4 dtrace_vminfo.4
kill $target
