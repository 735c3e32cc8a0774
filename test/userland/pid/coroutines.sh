# @once: what it shows of the kernel, stack_switches.sh shows as well
# Coroutines and exceptions of other languages and libraries, with entries and
# returns of all their functions and of the C library's: they print what they
# print untraced, and end with the same status.  Returns of functions that were
# left by an exception are not seen, all others are.
. "$suite/lib.sh"
# trace NAME OBJECTS COMMAND...: COMMAND waits for nothing and ends by itself
trace() {
	name=$1 objects=$2
	shift 2
	echo "-- $name"
	"$@" > untraced
	echo "status $?"
	entries='' returns=''
	for object in $objects; do
		entries=$entries${entries:+, }pid'$target':$object::entry
		returns=$returns${returns:+, }pid'$target':$object::return
	done
	"$dtrace" -qZ -n "$entries { @entered[probefunc] = count(); }
		$returns { @returned[probefunc] = count(); }
		END { printa(\"%s %@d %@d\\n\", @entered, @returned); }" \
		-o counts -c "$*" > traced 2> error
	diff untraced traced
	grep -v '^$' error
	# mempcpy jumps into the middle of memcpy, and callers of duffzero, too
	awk 'NF == 3 && $3 > $2 && $1 != "memcpy" && $1 != "runtime.duffzero"' counts
	[ "$(awk 'NF == 3' counts | wc -l)" -gt 20 ] && echo "many functions"
	rm -f counts
}
trace boost "a.out libboost_context.so* libc" "$triggers/fibers" 200
trace callbacks "a.out libc calls_back.so" "$triggers/callbacks" 20 "$triggers/calls_back.so"
GOCACHE=$PWD/cache GO111MODULE=off go build -o goroutines "$suite/triggers/fibers.go" || exit
trace go a.out ./goroutines
# Ruby starts long, so it is traced from where it is ready
echo "-- ruby"
ruby "$suite/triggers/fibers.rb" 40 > untraced
echo "status $?"
ruby -e 'ready = false; trap("USR1") { ready = true }; $stdout.puts("ready"); $stdout.flush; sleep 0.01 until ready; ARGV[0] = "40"; load "'"$suite"'/triggers/fibers.rb"' 40 > traced &
target=$!
await traced ready
"$dtrace" -qn 'pid$target:libruby*::entry, pid$target:libc::entry { @entered[probefunc] = count(); }
	pid$target:libruby*::return, pid$target:libc::return { @returned[probefunc] = count(); }
	END { printa("%s %@d %@d\n", @entered, @returned); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' -p $target > counts 2>&1 &
tracer=$!
await counts armed
kill -USR1 $target
wait $target
echo "status $?"
wait $tracer
sed 1d traced | diff untraced -
# it was inside of some when tracing began
awk 'NF == 3 && $1 ~ /^rb_fiber|^fiber_/ && $3 > $2' counts
[ "$(awk 'NF == 3' counts | wc -l)" -gt 100 ] && echo "many functions"
