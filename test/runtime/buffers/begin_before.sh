# -x beginfirst: what BEGIN prints is written when nothing but BEGIN is loaded; without it,
# when all probes are enabled.  Nobody reads, so dtrace waits in its first long write.
. "$suite/lib.sh"
mkfifo pipe
exec 9<> pipe
run() {
	"$dtrace" -q "$@" -n 'BEGIN { for (int i = 0; i < 50; i++) printf("%02500d\n", i); }
		syscall::getppid:entry { @ = count(); } tick-1hour { trace(1); }' > pipe &
	tracer=$!
	for _ in $(seq $looks); do
		[ "$(cut -d' ' -f1 "/proc/$tracer/syscall")" = 1 ] && break	# write
		sleep 0.05
	done
	cat "/proc/$tracer/fdinfo/"* > about
	programs=$(grep -c ^prog_type: about) links=$(grep -c ^link_type: about)
	echo "$*: $([ "$programs" -gt 1 ] && echo all programs || echo "$programs program")," \
		"$([ "$links" -gt 0 ] && echo attached || echo "nothing attached")"
	kill -INT $tracer
	cat <&9 > out &
	reader=$!
	wait $tracer
	echo "status $?"
	kill $reader
}
run -x beginfirst
run -x switchrate=10hz
