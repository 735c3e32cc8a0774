# The examples in the pages of commands that draw run.
# @anykernel: what they show has tests of its own on all kernels
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target dtflame.1 dtheat.1 dtoffset.1 dtproc.1
kill $target
