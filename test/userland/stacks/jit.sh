# Code that was made at run time, between native code without frame pointers:
# its names are in a map that the process writes; in a container that is its own
# /tmp and its own number.  As keys, what prints alike is one.
. "$suite/lib.sh"
"$dtrace" -qn 'syscall::getppid:entry /execname == "jit"/ { ustack(); usym(uregs[R_PC]); exit(0); }' \
	-c "$triggers/jit 1 2" | plain_stack
"$dtrace" -qn 'syscall::getppid:entry /execname == "jit"/ { @[jstack(5)] = count(); n++; } tick-10ms /n == 3/ { exit(0); }' \
	-c "$triggers/jit 3 2" | plain_stack
mkdir tmp
cp "$triggers/jit" tmp
echo "mount --bind $PWD/tmp /tmp && exec /tmp/jit 1 2" > contained
"$dtrace" -qn 'syscall::getppid:entry /execname == "jit"/ { jstack(5); exit(0); }' \
	-c "unshare --mount --pid --fork sh contained" > out 2> err &
tracer=$!
wait $tracer
plain_stack < out
cat err
