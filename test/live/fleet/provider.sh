# A host that lacks what a program needs is named with the reason; the others are merged.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/fleet.sh"
fleet_network
nats_start
agent whole
host bare
mkdir empty
(in_host bare unshare --mount sh -c "mount --bind empty /sys/kernel/btf; exec '$dtlive' agent --nats $url --host bare") > bare.log 2>&1 &
processes="$! $processes"
await bare.log 'is ready'
"$dtlive" run --nats $url -x aggby=host -n 'proc:::exit { x++; } BEGIN { @ = count(); } tick-1s { exit(0); }' > out 2> err
echo "status $?"
cat out err
