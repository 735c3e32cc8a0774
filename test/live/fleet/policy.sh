# A host's policy: metrics only, by name, for some; limits of keys, lines and costs; a file that is wrong is refused.
# @anykernel: messages and processes, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
printf 'allow * metrics syscall.*\nallow root any\nlimit keys 3\nlimit lines 2\nlimit instrumentations 1\n' > policy
agent one --policy policy
try() {
	"$dtlive" run --nats $url "$@" > out 2> err
	echo "status $?"
	cat out err
}
echo "== a program of one's own"
try --as guest -n 'BEGIN { exit(0); }'
echo "== a metric that is not allowed, one that does not exist, one that is"
try --as guest --metric disk.io
try --as guest --metric syscall.nosuch
try --as guest --metric syscall.calls --seconds 2 | sed -n 1p
echo "== keys and lines"
try --as root -n 'BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); @[4] = count(); printf("a\n"); } BEGIN { printf("b\n"); } BEGIN { printf("c\n"); } BEGIN { exit(0); }' | grep -c .
echo "== destructive"
try --as root -w -n 'BEGIN { system("id"); exit(0); }'
echo "== one at a time"
"$dtlive" run --nats $url --as root -n 'BEGIN { printf("ready\n"); }' > first 2>&1 &
first=$!
await first ready
try --as root -n 'BEGIN { exit(0); }'
kill -INT $first
wait $first
echo "== on record"
sed 's/ [0-9a-f]\{16\} / ID /' one.log
echo "== a policy that is wrong"
echo 'permit all' > policy
"$dtlive" agent --nats $url --policy policy
echo "status $?"
