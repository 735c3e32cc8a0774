# What is typed most often is completed after a few system calls: no search through the kernel's
# events, no code of a library that is read function by function.  The same for the start of a tool.
# @anykernel: what is read depends on what is asked for
. "$suite/lib.sh"
# Run dtrace with these words; there may be at most $1 calls that open or read.
calls() {
	most=$1
	shift
	printf 'exec "%s"' "$dtrace" > run.sh
	printf " '%s'" "$@" >> run.sh
	echo ' > out 2> err' >> run.sh
	n=$("$dtrace" -qn 'syscall::open*:entry, syscall::read:entry, syscall::pread64:entry /pid == $target/ { @ = count(); }
		END { printa("%@d\n", @); }' -c 'sh run.sh')
	shown="${*/$$/PID}"
	if [ "$n" -le "$most" ]; then
		echo "$shown: few calls$([ -s out ] && echo ", some words")"
	else
		echo "$shown: $n calls"
	fi
}
calls 100 --complete -n 'io:::start { args[0]->b_'
calls 100 --complete -n 'sched:::'
calls 100 --complete -n 'syscall::op'
calls 100 --complete -n 'BEGIN { curthread->'
calls 100 --complete -n "pid$$:libc:"
calls 100 --complete -x ''
calls 200 --complete -n 'rawtp:sched::'
calls 400 -e -s "$suite/../toolkit/udpio.d" | sed 's,/.*/,,'
calls 400 -e -s "$suite/../toolkit/tcptop" | sed 's,/.*/,,'
