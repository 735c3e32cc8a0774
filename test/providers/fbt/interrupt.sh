# Where functions are armed one by one, arming thousands can be interrupted: it
# is said that it takes long, and the run ends with what is armed.
. "$suite/lib.sh"
needs_functions
"$dtrace" --check | grep -q '^fbt .*part' || skip "this kernel arms functions all at once"
"$dtrace" -qn 'rawfbt::t*:return { n++; } END { printf("ended\n"); }' > out 2> err &
tracer=$!
await err arming
kill -INT $tracer
wait $tracer
echo "status $?"
cat out
sed 's/[0-9][0-9]*/N/g' err
