# SPDX-License-Identifier: Apache-2.0
# For tests of Java programs: . "$suite/java.sh"

. "$suite/lib.sh"
command -v javac > /dev/null || skip "no Java compiler is installed"
need_speed "a Java virtual machine"

# Compile $test/$1.java and run it; $target is its process, ./said what it prints,
# first "ready".  All of its classes, also those of the boot loader, are verified.
#	start_java CLASS [OPTION ...]
start_java() {
	class=$1
	shift
	[ -e "$class.class" ] || javac -d . "$test/$class.java" || exit 1
	rm -f go
	mkfifo go
	: > said
	java -Xverify:all -XX:TieredStopAtLevel=1 "$@" -cp . "$class" < go > said 2>&1 &
	target=$!
	exec 3> go
	await said ready
	read_bytecode "$class" "$class.lengths"
}

# Give the program a command and wait for its answer, a line that begins with $2.
#	say COMMAND ANSWER
say() {
	before=$(grep -c "^$2" said)
	echo "$1" >&3
	for _ in $(seq $looks); do
		[ "$(grep -c "^$2" said)" -gt "$before" ] && return
		sleep 0.05
	done
	echo "waited in vain for $2 after $1:"
	cat said
	exit 1
}

# Trace the program with options $1 and clauses $2 while it obeys commands: pairs of
# a command and its answer.  What dtrace wrote is in ./out.
#	trace_java OPTIONS CLAUSES COMMAND ANSWER ...
trace_java() {
	options=$1 clauses=$2
	shift 2
	rm -f out
	# shellcheck disable=SC2086
	"$dtrace" $options -qn "$clauses tick-10ms /!armed++/ { printf(\"armed\\n\"); }" -p "$target" > out 2>&1 3>&- &
	tracer=$!
	await out armed
	while [ $# -gt 0 ]; do
		say "$1" "$2"
		shift 2
	done
	kill -INT $tracer
	wait $tracer
	status=$?
	sed -i '/^armed$/d; /^$/d; s/  */ /g' out
	return $status
}

# How long the bytecode of each method is, into file $2.
#	read_bytecode CLASS FILE
read_bytecode() {
	rm -f "$2"
	jcmd $target JVMTI.agent_load "$triggers/bytecode.so" "$1:$PWD/$2" > loaded 2>&1
	[ -s "$2" ] || { echo "no bytecode of $1"; cat loaded; }
}

# Is the bytecode that the machine executes that of the class, whose lengths were read
# before anything was traced?
#	check_bytecode CLASS
check_bytecode() {
	read_bytecode "$1" "now.$1"
	cmp "$1.lengths" "now.$1" && echo "$1 is as it was"
}
