# Read and cleared every 100 ms, 1,000 times, under load on all CPUs: the intervals add up to what happened.
# @timeout: 900
# @once: lossless.sh does the same in intervals of 10 ms
# @release: it takes 100 s, and lossless.sh does the same in intervals of 10 ms
. "$suite/lib.sh"
cpus=$(nproc)
name=lossless$$	# that nobody else has
cp "$triggers/calls" $name
"$dtrace" -qn 'syscall::getppid:entry /execname == $$1/ { @ = count(); }
	tick-100ms { printf("interval\n"); printa("n %@d\n", @); clear(@); n++; }
	tick-100ms /n == 1000/ { printf("enough\n"); }
	END { printa("n %@d\n", @); }' $name > out 2>&1 &
tracer=$!
await out interval
total=0
until grep -q enough out; do
	./$name now getppid 100000 "$cpus"
	total=$((total + cpus * 100000))
done
kill -INT $tracer
wait $tracer
awk -v total="$total" '$1 == "n" { sum += $2 } $1 == "interval" { lines++ } NF && $1 != "n" && $1 != "interval" && $1 != "enough" { print }
END { print (lines >= 1000) ? "1,000 intervals" : lines " intervals", sum == total ? "nothing lost" : sum " of " total }' out
