# The verifier's log is as long as it is, and no longer than bpflogsize.
log() {
	"$dtrace" -q -x bpflog "$@" -n 'BEGIN { trace(probename); exit(0); }' 2>&1 > out | wc -c
	cat out
}
whole=$(log | head -1) cut=$(log -x bpflogsize=1k | head -1) least=$(log -x bpflogsize=0 | head -1)
[ "$whole" -gt 4096 ] && echo whole || echo "$whole bytes"
# with a line before it
[ "$cut" -gt 512 ] && [ "$cut" -lt 1200 ] && echo cut || echo "$cut bytes"
[ "$least" -lt 300 ] && echo "next to nothing" || echo "$least bytes"
log -x bpflogsize=1g | tail -1
