# The examples in the pages of the commands beside dtrace(8) run.
# @anykernel: what they show has tests of its own on all kernels
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target stackvis.1 pfiles.1 prstat.8 use.8 intrstat.8 lockstat.8 plockstat.8
kill $target
