# Every firing is a printed line or a reported drop, whatever the policy and size.
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
	count=$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { print $1 }' out)
	begin=$(head -1 out)
	end=$(grep -c '^E$' out)
	grep -v 'drop' err
	all=$((lines + drops))
}
total=$((N * THREADS))
run switch
# a firing whose record found no room does nothing else either
echo "switch: $all of $total, counted $([ "$count" = "$lines" ] && echo "what it printed" || echo "$count of $lines"), $begin, $end END" |
	sed "s/$total/N/g"
run small -b 64k
echo "small: $all of $total" | sed "s/$total/N/g"
run untimed -b 256k -x temporal=off
echo "temporal off: $all of $total" | sed "s/$total/N/g"
run fill -x bufpolicy=fill -b $large
echo "fill, large: $all of $total, counted $count" | sed "s/$total/N/g"
run ring -x bufpolicy=ring -b $large
echo "ring, large: $all of $total, counted $count" | sed "s/$total/N/g"
run fill -x bufpolicy=fill -x countlost -b 64k
echo "fill, counted: $all of $total, $begin, $end END" | sed "s/$total/N/g"
run ring -x bufpolicy=ring -x countlost -b 64k
# the firing that raised the signal is the first that was written over
echo "ring, counted: $((all - 1)) of $total, counted $count, $begin, $end END" | sed "s/$total/N/g"
run fill -x bufpolicy=fill -b 64k
echo "fill, small: $([ "$lines" -gt 1000 ] && [ "$lines" -lt "$total" ] && echo some) drops $drops END $end"
run ring -x bufpolicy=ring -b 64k
echo "ring, small: $([ "$lines" -gt 1000 ] && [ "$lines" -lt "$total" ] && echo some) drops $drops END $end, counted $count" | sed "s/$total/N/g"
