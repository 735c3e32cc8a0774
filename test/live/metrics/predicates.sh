# Predicates count exactly what they say: a trigger makes 130 reads of sizes 1, 2, 4 ... 4096
# in turn, ten of each.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
# count METRIC-ARGUMENTS ...: what the metric says of the trigger's reads
count() {
	"${program:-$triggers/calls}" read 130 &
	target=$!
	await_ready $target
	metric program "$@" --pid $target > program.d || return
	rm -f out
	"$dtrace" -qs program.d -n 'tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' > out 2>&1 &
	tracer=$!
	await out armed
	kill -USR1 $target
	wait $target
	kill -INT $tracer
	wait $tracer
	grep -v '^armed$' out | grep . | sed 's/  */ /g'
}
echo "all:"; count syscall.bytes --by syscall
echo "calls:"; count syscall.calls --by execname,syscall --where '{"eq": ["syscall", "read"]}'
echo "large ones:"; count fs.operations --by operation --where '{"ge": ["size", 1024]}'
echo "as a string:"; count fs.operations --by operation --where '{"ge": ["size", "1024"]}'
echo "between:"; count fs.operations --by operation --where '{"and": [{"gt": ["size", 8]}, {"le": ["size", 64]}]}'
echo "either:"; count fs.operations --by operation --where '{"or": [{"eq": ["size", 1]}, {"eq": ["size", 4096]}]}'
echo "of one file:"; count fs.operations --by operation,file --where '{"eq": ["file", "/dev/zero"]}'
echo "of another:"; count fs.operations --by operation,file --where '{"ne": ["file", "/dev/zero"]}'
echo "of this and large:"; count fs.operations --by execname --where '{"and": [{"eq": ["file", "/dev/zero"]}, {"or": [{"gt": ["size", 2048]}, {"lt": ["size", 2]}]}]}'
echo "everything:"; count fs.operations --by operation --where '{"and": [{}, {"or": [{}, {"eq": ["size", 1]}]}]}'
echo "sizes:"; count fs.operations --by size --where '{"eq": ["file", "/dev/zero"]}' | awk '$3 > 0 || $4 > 0 { print $1, $NF }'
echo "nobody:"; count fs.operations --by operation --where '{"eq": ["execname", "nobody"]}'
echo "with stacks:"; metric program syscall.bytes --by syscall --stacks | grep ustack
cp "$triggers/calls" 'q"u*\ ü'
program='./q"u*\ ü'
echo "with an odd name:"; count syscall.bytes --by execname --where '{"eq": ["execname", "q\"u*\\ ü"]}'
echo "with another:"; count syscall.bytes --by execname --where '{"eq": ["execname", "q\"u*\\\\ ü"]}'
