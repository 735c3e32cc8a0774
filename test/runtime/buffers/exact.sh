# Every firing is a printed line or a reported drop, whatever the policy and size.  What the kernel
# skips, where it takes a CPU away from a program (Linux 7), is told; some of that is other processes' calls.
. "$suite/lib.sh"
# large enough for all of them on one CPU
N=500000 THREADS=4 large=128m
[ -n "$again" ] && N=30000 large=16m
run() {
	name=$1
	shift
	"$triggers/calls" getppid $N $THREADS &
	target=$!
	await_ready $target
	"$triggers/knock" &
	knock=$!
	"$dtrace" -qw "$@" -n 'BEGIN { printf("B\n"); }
		syscall::getppid:entry /pid == $1/ { printf("R %d\n", tid); @ = count(); }
		syscall::getppid:entry /pid == $2/ { raise(SIGUSR1); }
		profile-499hz { ticks++; }
		END { printf("E\n"); }' "$target" "$knock" > out 2> err &
	tracer=$!
	# some policies print nothing until the end: a signal says that tracing has begun
	wait $knock
	kill -USR1 "$target"
	wait "$target"
	kill -INT "$tracer" 2>/dev/null
	wait "$tracer"
	lines=$(grep -c '^R ' out)
	drops=$(sed -n 's/^dtrace: \([0-9]*\) drops* on CPU .*/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
	skipped=$(sed -n 's/^dtrace: \([0-9]*\) drops* of syscall probes that fired while their program ran .*/\1/p' err |
		awk '{ n += $1 } END { print n + 0 }')
	count=$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { print $1 }' out)
	begin=$(head -1 out)
	end=$(grep -c '^E$' out)
	grep -v 'drop' err
	all=$((lines + drops))
}
total=$((N * THREADS))
# N: all firings but those that the kernel skipped; as many as the second, if there is one
whole() {
	[ "$1" -le $total ] && [ $(($1 + skipped)) -ge $total ] && [ "$1" = "${2:-$1}" ] && echo N || echo "$1"
}
run switch
# a firing whose record found no room does nothing else either
echo "switch: $(whole $all) of N, counted $([ "$count" = "$lines" ] && echo "what it printed" || echo "$count of $lines"), $begin, $end END"
run small -b 64k
echo "small: $(whole $all) of N"
run untimed -b 256k -x temporal=off
echo "temporal off: $(whole $all) of N"
run fill -x bufpolicy=fill -b $large
echo "fill, large: $(whole $all) of N, counted $(whole $count $all)"
run ring -x bufpolicy=ring -b $large
echo "ring, large: $(whole $all) of N, counted $(whole $count $all)"
run fill -x bufpolicy=fill -x countlost -b 64k
echo "fill, counted: $(whole $all) of N, $begin, $end END"
run ring -x bufpolicy=ring -x countlost -b 64k
# the firing that raised the signal is the first that was written over
echo "ring, counted: $(whole $((all - 1))) of N, counted $(whole $count $((all - 1))), $begin, $end END"
run fill -x bufpolicy=fill -b 64k
echo "fill, small: $([ "$lines" -gt 1000 ] && [ "$lines" -lt "$total" ] && echo some) drops $drops END $end"
run ring -x bufpolicy=ring -b 64k
echo "ring, small: $([ "$lines" -gt 1000 ] && [ "$lines" -lt "$total" ] && echo some) drops $drops END $end, counted $(whole $count)"
