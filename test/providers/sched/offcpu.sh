# Off-CPU time by stack: a program that sleeps known times, by what it sleeps in.
. "$suite/lib.sh"
need_probe sched:::on-cpu
"$dtrace" -qn '
	sched:::off-cpu /pid == $target/ { self->since = timestamp; }
	sched:::on-cpu /self->since/
	{
		@slept[stack()] = sum((timestamp - self->since) / 1000000);
		@times[stack()] = count();
		self->since = 0;
	}
	END { printa("%k%@d ms\n", @slept); printa("%k%@d times\n", @times); }' \
	-c "$triggers/napper" > out 2>&1
# a call begins a while before it sleeps, on a slow machine: not all of 100 and 90 ms
# milliseconds below the frame of each system call, whatever lies above it
sum() {
	awk -v call="$1" -v unit="$2" '/`.*\+/ { if ($0 ~ call) seen = 1; next }
		NF == 2 { if (seen && $2 == unit) total += $1; seen = 0 }
		END { print total + 0 }' out
}
for call in nanosleep poll; do
	case $call in nanosleep) least=80 count=5 ;; poll) least=60 count=3 ;; esac
	ms=$(sum $call ms)
	[ "$ms" -ge "$least" ] && echo "$call: at least $least ms" || { echo "$call: $ms ms"; cat out; }
	n=$(sum $call times)
	[ "$n" -ge "$count" ] && echo "$call: $count times" || { echo "$call: $n times"; cat out; }
done
