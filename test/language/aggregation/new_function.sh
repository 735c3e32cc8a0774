# An aggregating function is one file and one line: a dtrace with one more counts, merges, sorts, prints.
build=$(dirname "$dtrace") top=$suite/..
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
mkdir agg
{ cat "$top/src/agg/functions.def"; echo 'AGGREGATE(range)'; } > agg/functions.def
# what the command is made of, without the other commands; those that read the list are compiled again
objects=$(make -s --no-print-directory -C "$top" BUILD="$build" command-objects)
# shellcheck disable=SC2086
cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror $flags -I. -I"$top/src" -I"$top" -o with_range \
	"$test/range.c" "$top/src/agg/functions.c" "$top/src/builtin/registry.c" $objects "$build/internal.a" || exit 1

"$dtrace" -qn 'BEGIN { @ = range(1); }' 2>&1 | grep -o 'undefined function name: range'
./with_range -q -n 'BEGIN { this->x = -7; @r = range(5); @r = range(this->x); @r = range(3);
	@k["one"] = range(9); @k["wide"] = range(-1 - 0x3fffffffffffffff); @k["wide"] = range(1); @k["two"] = range(1); @k["two"] = range(3);
	printa("%@d\n", @r); clear(@r); printa("cleared: %@d\n", @r); exit(0); }'
# every call has another number, and CPUs take turns: the tables of all of them are one range
cat > calls.py <<'PYTHON'
import os
cpus = sorted(os.sched_getaffinity(0))
for i in range(1000):
    if i % 100 == 0:
        os.sched_setaffinity(0, {cpus[i // 100 % len(cpus)]})
    try:
        os.close(-101 - i)
    except OSError:
        pass
PYTHON
./with_range -q -c 'python3 calls.py' -n 'syscall::close:entry /pid == $target && (int)arg0 < -100/ { @["apart"] = range((int)arg0); @n = count(); }
	END { printa("%@d %s\n", @); printa("%@d calls\n", @n); }'
