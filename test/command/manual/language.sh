# The examples of d(7) run, and print what the page shows, in shape.
# @timeout: 300
. "$suite/lib.sh"
"$triggers/requests" &
target=$!
await_ready $target
"$suite/manual.py" "$dtrace" $target d.7
kill $target
