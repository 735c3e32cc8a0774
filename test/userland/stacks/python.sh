# Python's own frames, in place of its interpreter's loop: function, file and line
# are those that the interpreter says, through calls back from C, generators,
# recursion, with, signal handlers and threads; in a process that is started and
# ends, and in one that runs already.  All stacks are complete.
. "$suite/lib.sh"
. "$suite/frames.sh"
python=/usr/bin/python3
script="$suite/userland/stacks/python_frames.py"

"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }' \
	-c "$python $script expected" > out 2> err
cat err
check_frames started "the interpreter"

$python "$script" expected wait &
target=$!
await_ready $target
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }
	tick-10ms /!armed++/ { system("kill -USR1 %d", $target); }' -w -p $target > out 2> err
cat err
check_frames running "the interpreter"
wait $target

# As keys of an aggregation, printed when the process is gone; a line is a frame
# however many instructions it has.
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(200)] = count(); }' \
	-c "$python $script expected" > out 2> err
cat err
grep -c '^ *0x' out
grep 'Outer.Inner.method' out | sort | uniq -c | awk '{ print $1, $2 }'
