# The examples of dtrace(8) and of what it refers to run.
# @anykernel: what they show has tests of its own on all kernels
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target dtrace.8 dtrace_pictures.7 dtrace_security.7
kill $target
