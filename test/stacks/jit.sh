# Code that was made at run time, between native code without frame pointers:
# its names are in a map that the process writes; in a container that is its own
# /tmp and its own number.  As keys, what prints alike is one.
. "$test/../lib.sh"
plain() { sed 's/+0x[0-9a-f]*//; s/`_*libc_start_[a-z_]*\(@.*\)*/`(start)/'; }
"$dtrace" -qn 'syscall::getppid:entry /execname == "jit"/ { ustack(); usym(uregs[R_PC]); exit(0); }' \
	-c "$triggers/jit 1 2" | plain
"$dtrace" -qn 'syscall::getppid:entry /execname == "jit"/ { @[jstack(5)] = count(); n++; } tick-10ms /n == 3/ { exit(0); }' \
	-c "$triggers/jit 3 2" | plain
mkdir tmp
cp "$triggers/jit" tmp
echo "mount --bind $PWD/tmp /tmp && exec /tmp/jit 1 2" > contained
"$dtrace" -qn 'syscall::getppid:entry /execname == "jit"/ { jstack(5); exit(0); }' \
	-c "unshare --mount --pid --fork sh contained" > out 2> err &
tracer=$!
wait $tracer
plain < out
cat err
