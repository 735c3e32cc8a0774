#!/bin/sh
# A short tour on the live kernel: doc/demo.sh build/dtrace
#
# Each stop shows the command it runs, then its output.  Something is kept busy
# in the background so that there is something to see.  At the end comes the address
# of the live page, where there is somebody at a terminal who could open it.
set -u
dtrace=$1
if [ "$(id -u)" != 0 ]; then
	echo "the tour needs root" >&2
	exit 1
fi

stop() {
	printf '\n\033[1m%s\033[0m\n' "$1"
	shift
	printf '    # dtrace'
	for word in "$@"; do
		case $word in
		*[\ \{]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n\n'
	"$dtrace" "$@" || exit 1
}

dd if=/dev/zero of=/dev/null bs=4k 2>/dev/null &
busy=$!
sh -c 'while :; do ls -l /etc > /dev/null; cat /etc/passwd > /dev/null; done' &
shell=$!
trap 'kill $busy $shell 2>/dev/null; wait 2>/dev/null' EXIT

stop "1. Hello: a probe, an action, and out again." \
	-n 'BEGIN { trace("hello"); exit(0); }'

stop "2. Who makes system calls?  Counted in the kernel, printed once." \
	-n 'syscall:::entry { @[execname] = count(); } tick-2s { exit(0); }'

stop "3. Which ones does process $busy (dd) make?  \$1 is the operand." \
	-qn 'syscall:::entry /pid == $1/ { @[probefunc] = count(); } tick-1s { exit(0); }' "$busy"

stop "4. How long do its reads take?  A latency histogram in nanoseconds." \
	-qn 'syscall::read:entry /pid == $1/ { self->t = timestamp; }
        syscall::read:return /self->t/ { @["read, ns"] = quantize(timestamp - self->t); self->t = 0; }
        tick-1s { exit(0); }' "$busy"

stop "5. What runs on the CPUs?  Samples of every CPU, 97 times a second." \
	-qn 'profile-97 { @[execname] = count(); } tick-2s { exit(0); }'

stop "6. Who starts what?  Names from the kernel's own structures." \
	-qn 'syscall::execve:return /!errno/ { @[stringof(curthread->real_parent->comm), execname] = count(); }
        tick-1s { printa("%16s starts %-16s %@d times\n", @); exit(0); }'

stop "7. Which C library functions does a command call?  Any function of any process is a probe." \
	-qn 'pid$target:libc::entry { @[probefunc] = count(); } END { trunc(@, 8); }' -c date

stop "8. Where does dd spend its time?  Its stack, although it is stripped and has no frame pointers." \
	-qn 'profile-97 /pid == $1 && arg1/ { @[ustack()] = count(); } tick-1s { trunc(@, 2); exit(0); }' "$busy"

stop "9. Who waits, and how long?  Off-CPU time, in microseconds." \
	-qn 'sched:::off-cpu { self->t = timestamp; }
        sched:::on-cpu /self->t/ { @[execname] = quantize((timestamp - self->t) / 1000); self->t = 0; }
        tick-1s { trunc(@, 2); exit(0); }'

stop "10. Which providers work on this machine?" --check

printf '\nThat was the tour.  README.md has more one-liners; man doc/dtrace.8 and man doc/d.7 have the rest.\n'
live=$(dirname "$dtrace")/dtlive
if [ -t 0 ] && [ -t 1 ] && [ -x "$live" ]; then
	printf '\n\033[1mThe same in a browser, as it happens.\033[0m  Open this page; Enter ends it, make demo-live shows it again.\n\n'
	"$live" &
	page=$!
	trap 'kill $busy $shell $page 2>/dev/null; wait 2>/dev/null' EXIT
	read -r _
else
	printf 'The same in a browser, as it happens: make demo-live prints the address of a page.\n'
fi
