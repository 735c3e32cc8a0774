# A web service in Java and its clients, with threads that compute, compress, sort and
# throw exceptions: of the samples of a profile 99 in 100 are complete to the thread's
# start, whatever they interrupt, and no frame of Java is without a name.  No flag, no
# agent; the machine runs already when it is traced.  Then one with all code
# interpreted.
. "$suite/lib.sh"
command -v javac > /dev/null || skip "no Java compiler is installed"
need_speed "a Java virtual machine"
javac -d . "$suite/userland/stacks/JavaLoad.java" || exit 1

# In a stack of at most 400 frames; frames without a name are counted where they are
# no file's.
share() {
	awk '/^ +[0-9]+$/ { all += $1; if (last ~ /^libc\.so/) whole += $1; last = ""; next }
	     NF { last = $1; frames++; if ($1 ~ /^0x/) nameless++; if ($1 ~ /^JavaLoad\./) own++ }
	     END { print (all >= 500 ? "enough" : all + 0), "samples,",
	           (whole >= all * 0.99 ? "complete" : whole " of " all " complete") ",",
	           (nameless <= frames * 0.01 ? "named" : nameless " of " frames " without a name") ",",
	           (own ? "with" : "without"), "methods of the program" }' "$1"
}

profile() {
	mkfifo go.$1
	${3-java} $2 -cp . JavaLoad < go.$1 > said.$1 2>&1 &
	target=$!
	exec 3> go.$1
	await said.$1 ready
	"$dtrace" -x aggsize=64m -qn 'profile-997 /pid == $target/ { @[jstack(400)] = count(); n++; }
		tick-10ms /n >= 2000/ { exit(0); }' -p $target > out.$1 2> err
	exec 3>&-
	wait $target
	cat err
	echo "$1: $(share out.$1)"
	rm go.$1
}
profile compiled > first
cat first
profile interpreted -Xint

# Others that are installed do no worse.
for other in $(other_javas); do
	profile compiled "" "$other" > other
	cmp -s first other || { echo "$other:"; cat other; }
done
