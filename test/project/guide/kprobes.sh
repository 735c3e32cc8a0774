# The guide's pairs of probes at kernel functions: bpftrace's and ours see the same call.
. "$suite/lib.sh"
needs_functions
command -v bpftrace > /dev/null || skip "no bpftrace here"
[ -e /sys/kernel/debug/tracing ] || mount -t debugfs debugfs /sys/kernel/debug
for pair in 'kprobe:vfs_read fbt::vfs_read:entry' 'kretprobe:vfs_read fbt::vfs_read:return'; do
	grep -q "\`${pair% *}\`.*\`${pair#* }\`" "$suite/../doc/guide/coming-from.md" || echo "the guide has no $pair"
	bpftrace -e "${pair% *} /comm == \"a-reader\"/ { printf(\"%s read\\n\", comm); }
		interval:ms:100 { printf(\"armed\\n\"); }" > theirs 2>&1 &
	peer=$!
	"$dtrace" -qn "${pair#* }"' /execname == "a-reader"/ { printf("%s read\n", execname); }
		tick-100ms { printf("armed\n"); }' > ours 2>&1 &
	tracer=$!
	await theirs armed
	await ours armed
	cp "$(command -v cat)" a-reader
	./a-reader /etc/hostname > /dev/null
	await theirs read
	await ours read
	# bpftrace may miss a signal
	while kill -INT $peer 2> /dev/null; do sleep 0.5; done
	kill -INT $tracer
	wait $tracer $peer
	echo "$pair: $(grep -c read theirs) and $(grep -c read ours)" | awk '{ print $1, $2, ($3 == $5 && $3 > 1 ? "the same" : $0) }'
done
