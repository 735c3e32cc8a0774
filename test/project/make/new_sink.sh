# A sink is one file and one line: a dtrace with one more writes InfluxDB's lines, for tables and snapshots.
build=$(dirname "$dtrace") top=$suite/..
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
mkdir base
{ cat "$top/src/base/sinks.def"; echo 'SINK(influx)'; } > base/sinks.def
# what the command is made of, without the other commands; those that read the list are compiled again
objects=$(make -s --no-print-directory -C "$top" BUILD="$build" command-objects)
# shellcheck disable=SC2086
cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror $flags -I. -I"$top/src" -I"$top" -I"$build/gen" -o with_influx \
	"$top/examples/sink_influx.c" "$top/src/sink/registry.c" "$top/src/base/option.c" $objects "$build/internal.a" || exit 1

"$dtrace" -x oformat=influx -e -n BEGIN 2>&1 | grep -o 'Invalid value for specified option'
# names and values of the traced program stay in their place; times are masked, but they are there
masked() { sed -E 's/ 1[0-9]{18}$/ {time}/'; }
./with_influx -q -x oformat=influx -n 'BEGIN { this->s = "a b,c=d\\";
	@sizes[this->s, probename, (char)-3] = sum(-7); @["", 2] = count(); @q = quantize(5); @q = quantize(6); @q = quantize(-1);
	@l["x\ny"] = lquantize(50, 0, 10, 5); exit(0); }' | masked
echo snapshots
./with_influx -q -x oformat=influx -x interval=50ms -c 'dd if=/dev/zero of=/dev/null count=500 status=none' \
	-n 'syscall::write:entry /pid == $target && arg0 == 1/ { @writes[probefunc, ustack(1)] = count(); } END { trunc(@writes); }' > lines
masked < lines | sed -E 's/value=[0-9]+i/value=Ni/; s/[+]0x[0-9a-f]+/+N/; s/libc[^`]*`[^,+ ]*/libc`write/' | sort -u
awk '{ sub(/.*value=/, ""); sum += $0 } END { print sum, "writes" }' lines
