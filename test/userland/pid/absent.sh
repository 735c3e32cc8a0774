# Memory that nobody provides (userfaultfd, FUSE) holds up neither the traced program nor dtrace: reading it is a
# fault.  What is local beside it is still brought in.  With blockingreads one waits for it.
. "$suite/lib.sh"
[ -e /proc/sys/vm/unprivileged_userfaultfd ] || skip "this kernel has no userfaultfd"
modprobe -q fuse
[ -e /dev/fuse ] || skip "this kernel has no FUSE"

# trace OPTIONS: $tracer, armed
trace() {
	rm -f out
	# shellcheck disable=SC2086
	"$dtrace" $1 -qn '
	pid$1:absent:take:entry { printf("string %s\n", copyinstr(arg0)); }
	pid$1:absent:take:entry { printf("number %x\n", *(userland int *)arg0); }
	pid$1:absent:take:entry { this->p = (char *)copyin(arg0, 8); printf("bytes %c%c\n", this->p[0], this->p[3]); }
	pid$1:absent:take:entry /++calls == $2/ { exit(0); }
	ERROR { printf("fault %d, %d bytes before a page\n", arg4, -arg5 & 4095); }
	tick-10ms /!armed/ { armed = 1; printf("armed\n"); }' $target "$2" > out 2> err &
	tracer=$!
	await out armed
}
for kind in userfaultfd fuse; do
	echo "$kind: until it is interrupted"
	start_absent $kind
	trace "" 0
	kill -USR1 $target
	await went "went on"
	kill -INT $tracer
	wait $tracer
	grep -v -e armed -e '^$' out

	echo "$kind: until exit()"
	trace "" 3
	kill -USR1 $target
	wait $tracer && grep -c fault out
	kill $target
	wait $target || :

	echo "$kind: waiting for it"
	start_absent $kind 0
	trace "-x blockingreads" 3
	kill -USR1 $target
	wait $tracer && grep -v -e armed -e '^$' out
	kill $target
	wait $target || :
done
