# What cannot be examined is said, with the reason, and the others are shown.
# @anykernel: no probe fires
. "$suite/lib.sh"
pfiles=${dtrace%/*}/pfiles
sleep 600 &
gone=$!
kill $gone
wait $gone 2> /dev/null
sleep 600 &
target=$!
await_exec $target "$(command -v sleep)"
"$pfiles" $gone "/proc/$target" 1x 0 > out 2> err
echo "status $?"
sed "s/$gone/PID/" err
grep -c "^$target:.sleep 600\$" out
# another user sees nothing of root's
setpriv --reuid 65534 --regid 65534 --clear-groups "$pfiles" $target > out 2> err
echo "status $?"
sed "s/$target/PID/" err
grep -c ' mode:' out
"$pfiles" 2>&1
echo "status $?"
"$pfiles" --help | head -1
"$pfiles" $target > /dev/full
echo "status $?"
kill $target
