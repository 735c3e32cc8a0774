# Other tracers see probes that a program makes while it runs: bpftrace and perf.
# @once: they are other programs, and slow
# @anykernel: what they read is the same file
. "$suite/lib.sh"
command -v bpftrace > /dev/null || skip "bpftrace is not installed"
command -v perf > /dev/null || skip "perf is not installed"
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing 2>/dev/null || skip "there is no tracefs"
# a provider of its own: events of perf belong to the machine
LC_ALL=C sed 's/made/dame/g' "$triggers/own_probes" > own_probes
chmod +x own_probes
./own_probes beat 3 &
target=$!
await_ready $target
file=$(awk '/\/its-module$/ { print $6; exit }' /proc/$target/maps)
bpftrace -l "usdt:$file:*" 2>/dev/null | sed 's/.*its-module/its-module/'
bpftrace -p $target -e "usdt:$file:dame:few__args { printf(\"%d %s\\n\", arg0, str(arg1)); }" -B line > out 2>/dev/null &
tracer=$!
# it does not tell when it has attached
await out beat
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
grep counted out

./own_probes count 3 1 &
target=$!
await_ready $target
file=$(awk '/\/its-module$/ { print $6; exit }' /proc/$target/maps)
export HOME=$PWD
perf buildid-cache --add "$file"
perf list sdt 2>/dev/null | awk '/sdt_dame/ { print $1 }' | sort
perf probe -q sdt_dame:few__args > /dev/null 2> probe || cat probe
mkfifo control ack
exec 3<> control 4<> ack
perf record -q -o data -e sdt_dame:few__args -p $target -D -1 --control=fifo:control,ack 2> record &
tracer=$!
# it answers when its events are on
echo enable >&3
read -r _ <&4
kill -USR1 $target
wait $target
wait $tracer
perf script -i data 2>/dev/null | sed -n 's/.*\(sdt_dame:few__args\).*\(arg1=[0-9]*\).*/\1 \2/p'
perf probe -q -d 'sdt_dame:*'
