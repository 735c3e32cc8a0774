# Programs that switch or leave their stacks, with probes at all functions of the
# program and of the C library, entry and return, and at instructions: they print
# what they print untraced, and end as they end untraced; what was entered has
# returned, but for what was left by a jump.
# @once: it takes long; stack_switches_short.sh runs everywhere
# @release: it takes long; stack_switches_short.sh runs everywhere
# ATTACHES: how often the tracer comes and goes while each of them runs.
. "$suite/lib.sh"
attaches=${ATTACHES:-1}
ways="ucontext switch longjmp handler preempt vfork clone recurse tail cancel"
cat > calls.d <<'D'
pid$target:a.out::entry { @entered[probefunc] = count(); }
pid$target:a.out::return { @returned[probefunc] = count(); }
pid$target:libc::entry, pid$target:libc::return { @all = count(); }
END { printa("%s %@d %@d\n", @entered, @returned); trunc(@all); }
D
cat > instructions.d <<'D'
pid$target:a.out::entry, pid$target:a.out::return,
pid$target:a.out:[a-z]*:,
pid$target:libc:*fork*:, pid$target:libc:*clone*:, pid$target:libc:*context*:,
pid$target:libc:*setjmp*:, pid$target:libc:*longjmp*:, pid$target:libc:raise:,
pid$target:libc:execl:, pid$target:libc:strtoull: { @n = count(); }
END { trunc(@n); }
D
program=$triggers/stackswitch
for way in $ways; do
	echo "-- $way"
	number=60
	case $way in vfork) number=10 ;; preempt) number=4 ;; recurse) number=200 ;; esac
	"$program" $way $number 7 > untraced
	"$dtrace" -q -o counts -s calls.d -c "$program $way $number 7" > traced 2>&1
	diff untraced traced
	# what depends on the library that starts and ends a program is left out
	case $way in
	preempt) ;;
	*) awk 'NF == 3 && $2 != $3 && $1 !~ /^_/' counts | sort ;;
	esac
	rm -f counts
	"$dtrace" -q -s instructions.d -c "$program $way $number 7" > traced 2>&1
	grep -v '^$' traced | diff untraced -
	"$program" $way $number 7 go > traced &
	target=$!
	await_exec $target "$program"
	await /proc/$target/maps libc
	for _ in $(seq $attaches); do
		"$dtrace" -q -s calls.d -n 'tick-10ms { exit(0); }' -p $target > counts 2>&1 || cat counts
	done
	kill -TERM $target
	wait $target
	echo "status $?"
	diff untraced traced
	rm -f counts
done
