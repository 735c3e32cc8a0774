# Java's own frames, without any flag: class, method, file and line are those that Java
# says itself, for interpreted and compiled code with inlined methods; in a process
# that is started, and in one that runs already.  All stacks are complete.
. "$suite/lib.sh"
. "$suite/frames.sh"
command -v javac > /dev/null || skip "no Java compiler is installed"
need_speed "a Java virtual machine"
javac -d . "$suite/userland/stacks/JavaFrames.java" || exit 1

# Frames of the language, from the caller of mark() on.  What has no source, Java does
# not show; whose class has an address for a name, or what newer ones mark
# as hidden, neither.
language_frames() {
	awk '/^ *--$/ { print "--"; marked = 0; next }
	     /JavaFrames\.mark\(/ { marked = 1; next }
	     marked && !/`/ && !/\/0x/ && !/^ *(StubRoutines|Interpreter)/ && !/\$Holder/ && !/\.(runWith|invokeImpl)\(/ { $1 = $1; print }' "$1"
}

check() {
	sed '/^rehearsed/d' said > expected
	check_frames "$1" Java '^libc\\.so'
}

trace='syscall::newfstatat:entry, syscall::stat:entry
/pid == $target && copyinstr(probefunc == "stat" ? arg0 : arg1) == "/is/not/there/traced"/
{ jstack(300); printf("--\n"); }'

# All of it with the Java at $1.
all() {
	"$dtrace" -qn "$trace" -o out -c "$1 -cp . JavaFrames" > said 2> err
	cat err
	grep rehearsed said
	check started

	rm out
	mkfifo go
	"$1" -cp . JavaFrames wait < go > said 2> ready &
	target=$!
	exec 3> go
	await ready ready
	"$dtrace" -qn "$trace
	tick-10ms /!armed++/ { printf(\"armed\\n\"); }" -o out -p $target 2> err &
	tracer=$!
	await out armed
	echo >&3
	wait $target
	wait $tracer
	cat err
	sed -i '/^armed/d' out
	check running
	exec 3>&-
	rm -f go out ready
}
all java > first
cat first

# The same with others that are installed: what is to be said of them is the same.
for other in $(other_javas); do
	all "$other" > other
	cmp -s first other || { echo "$other:"; cat other; }
done
