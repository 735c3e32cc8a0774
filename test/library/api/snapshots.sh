# A thousand snapshots while all CPUs count: merged, they are what was counted,
# whatever clear() and trunc() do.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror $flags -I"$suite/../include" -o snapshots "$test/snapshots.c" "$build/libdtrace.a" -lpthread || exit 1
counts='syscall::lseek:entry /pid == $1/ {
	@count = count(); @sum = sum(arg1); @min = min(arg1); @max = max(arg1); @avg = avg(arg1);
	@quantize = quantize(arg1); @lquantize = lquantize(arg1, 0, 1000, 100); @keyed[arg1 & 3] = count(); }'
echo "asked for:"
./snapshots snap 1000 "$counts"
echo "at intervals, with actions on all of them:"
./snapshots interval 100 "$counts
	tick-7ms { clear(@count); clear(@min); clear(@avg); trunc(@sum); trunc(@quantize); clear(@lquantize); }
	tick-11ms { trunc(@keyed, 2); trunc(@max); trunc(@count); normalize(@sum, 3); clear(@keyed); }
	END { trunc(@count); trunc(@sum); clear(@quantize); trunc(@min); trunc(@max); trunc(@avg); trunc(@lquantize); trunc(@keyed); trunc(@quantize); }"
