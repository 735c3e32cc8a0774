# The probes of a node server are ordinary USDT notes: dtrace lists them, bpftrace and perf
# list them and see them fire.
# @once: they are other programs, and slow
# @anykernel: what they read is the same file
. "$suite/lib.sh"
. "$suite/node.sh"
command -v bpftrace > /dev/null || skip "bpftrace is not installed"
command -v perf > /dev/null || skip "perf is not installed"
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing 2>/dev/null || skip "there is no tracefs"
cat > server.js <<'JS'
// a provider of its own: events of perf belong to the machine
const own = require(process.argv[2]).createDTraceProvider('edon', 'server');
const served = own.addProbe('page-served', 'int', 'char *');
own.enable();
const server = require('http').createServer((request, response) => {
	response.end();
	served.fire(() => [request.url.length, request.url]);
}).listen(0, '127.0.0.1', () => console.log('ready', server.address().port));
process.stdin.once('data', () => process.exit());
JS
start_node node server.js "$package"
port=$(awk '/ready/ { print $2 }' said)
"$dtrace" -ln "node$target:::,edon$target:::" | awk -v pid=$target 'NR > 1 { sub(pid, "PID"); print $2, $3, $5 }' | sort
# the file of a provider is what the process has mapped
for module in node server; do
	file=$(awk -v end="/$module\$" '$6 ~ /\/usdt-/ && $6 ~ end { print $6; exit }' /proc/$target/maps)
	bpftrace -l "usdt:$file:*" 2>/dev/null | sed 's|.*/||'
	bpftrace -p $target -l 'usdt:*' 2>/dev/null | grep -c "/$module:"
done
bpftrace -B line -p $target -e "usdt:$file:edon:page__served { printf(\"bpftrace: %d %s\\n\", arg0, str(arg1)); }" > out 2>&1 &
tracer=$!
# it does not tell when it has attached
for _ in $(seq $looks); do
	curl -s "http://127.0.0.1:$port/four"
	grep -q /four out && break
	sleep 0.05
done
curl -s "http://127.0.0.1:$port/seventeen"
await out seventeen
kill -INT $tracer
wait $tracer
grep bpftrace: out | sort -u
# translated arguments are words in memory; texts are arguments, too
node=$(awk '$6 ~ /\/usdt-.*\/node$/ { print $6; exit }' /proc/$target/maps)
: > out
bpftrace -B line -p $target -e "usdt:$node:node:http__server__request { printf(\"bpftrace: %s %s\\n\", str(arg4), str(arg5)); }" > out 2>&1 &
tracer=$!
for _ in $(seq $looks); do
	curl -s "http://127.0.0.1:$port/request"
	grep -q /request out && break
	sleep 0.05
done
kill -INT $tracer
wait $tracer
grep bpftrace: out | sort -u

export HOME=$PWD
perf buildid-cache --add "$file"
perf list sdt 2>/dev/null | awk '/sdt_edon/ { print $1 }'
perf probe -q sdt_edon:page__served > /dev/null 2> probe || cat probe
mkfifo control ack
exec 4<> control 5<> ack
perf record -q -o data -e sdt_edon:page__served -p $target -D -1 --control=fifo:control,ack 2> record &
tracer=$!
# it answers when its events are on
echo enable >&4
read -r _ <&5
curl -s "http://127.0.0.1:$port/four"
curl -s "http://127.0.0.1:$port/eleven"
echo stop >&4
echo >&3
wait $target
wait $tracer
perf script -i data 2>/dev/null | sed -n 's/.*\(sdt_edon:page__served\).*\(arg1=[0-9]*\).*/\1 \2/p'
perf probe -q -d 'sdt_edon:*'
