# Read and cleared every 10 ms under load on all CPUs: the intervals add up to what happened.
# A second aggregation, which nobody clears, tells a loss on the way from calls that were never seen.
. "$suite/lib.sh"
cpus=$(nproc)
calls=1000000
[ "$again" = kernel ] && calls=200000
total=$((cpus * calls))

# What printa() showed over all intervals; whatever else dtrace said (drops) is shown as it is.
add_up() {
	awk -v total="$total" '$1 == "n" { sum += $2; lines++ } $1 == "all" { all = $2 } $1 != "n" && $1 != "all" && NF { print }
	END { print (lines > 5) ? "many intervals" : "too few intervals: " lines,
		sum == total ? "nothing lost" : sum " of " total ", " all " seen in the kernel" }'
}

# intervals 'update' 'clauses that show and clear': trace the calls, add up.
intervals() {
	trace_calls "syscall::getppid:entry /pid == \$1/ { @all = count(); $1 } $2
		END { printa(\"n %@d\\n\", @); printa(\"all %@d\\n\", @all); }" getppid $calls "$cpus" > shown || echo "dtrace: status $?"
	add_up < shown
}

echo "clear in the same clause"
intervals '@ = count();' 'tick-10ms { printa("n %@d\n", @); clear(@); }'
echo "clear in the next clause"
intervals '@ = sum(1);' 'tick-10ms { printa("n %@d\n", @); } tick-10ms { clear(@); }'
echo "trunc, by thread"
intervals '@[tid, execname] = count();' 'tick-10ms { printa("n %@d\n", @); trunc(@); }'
