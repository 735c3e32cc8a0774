# A function that has as many typed programs as it takes: ours is loaded and
# cannot be attached, so the next way of tracing it is taken.
. "$suite/lib.sh"
needs_functions
"$triggers/hold" ksys_read > held &
holder=$!
await held 'held by'
grep -q 'held by 0' held && skip "this kernel takes no typed programs"
trace_calls 'fbt::ksys_read:entry /pid == $1/ { @[probefunc, probename, args[2]] = count(); }
fbt::ksys_read:return /pid == $1/ { @r = sum(args[1]); }' read 13
kill $holder
