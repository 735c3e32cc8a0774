# -x aggpercpu: what every CPU contributed, which adds up.
. "$suite/lib.sh"
"$dtrace" -qx aggpercpu -n 'BEGIN { @["x"] = sum(5); @q = quantize(5); exit(0); }' | sed 's/CPU [0-9]*/CPU N/'
# 0 is a contribution, but not of those that had none
"$dtrace" -qx aggpercpu -n 'BEGIN { @ = sum(0); @both = sum(3); @both = sum(-3); exit(0); }' |
	sed 's/CPU [0-9]*/CPU N/'
export DTRACE_OPT_AGGPERCPU=on
trace_calls 'syscall::getppid:entry /pid == $1/ { @ = count(); }' getppid 20000 2 |
	awk '/CPU/ { sum += $3 } !/CPU/ && NF { total = $1 } END { print total, sum == total ? "adds up" : sum }'
