# The files of probes that programs make: where they are, that they go with the
# program, that those of killed programs go later, and that wrong calls do no harm.
# @anykernel: files are a matter of user space
. "$suite/lib.sh"
files() { find "$1" -name its-module | wc -l; }
mkdir run tmp
chmod 700 run
export XDG_RUNTIME_DIR=$PWD/run TMPDIR=$PWD/tmp
"$triggers/own_probes" calls > said &
target=$!
await_ready $target
echo "enabled: $(files run) $(files tmp)"
stat -c '%A %U' run/usdt-*/its-module | sed "s/$(id -un)/me/"
kill -USR1 $target
wait $target
echo "ended: $? $(files run) $(ls run | wc -l)"
cat said
# killed: the next one clears up, and leaves alone what lives
{ "$triggers/own_probes" & } 2>/dev/null
killed=$!
await_ready $killed
"$triggers/own_probes" > /dev/null &
living=$!
await_ready $living
{ kill -KILL $killed; wait $killed; } 2>/dev/null
echo "killed: $(files run)"
"$triggers/own_probes" > /dev/null &
next=$!
await_ready $next
echo "next: $(files run)"
kill -USR1 $living $next
wait $living $next > /dev/null
echo "all ended: $(ls run | wc -l)"
# where nothing may be executed it is elsewhere
mount -t tmpfs -o noexec none run || skip "cannot mount"
"$triggers/own_probes" > /dev/null &
target=$!
await_ready $target
echo "noexec: $(files run) $(files tmp)"
umount run
"$dtrace" -ln "made$target:::few-args" | awk 'NR > 1 { print $3, $5 }'
kill -USR1 $target
wait $target
