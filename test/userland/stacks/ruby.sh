# Ruby's own frames, in place of its interpreter's loop, are those that it says
# itself: classes, methods, blocks, functions of C that call back, recursion,
# rescue, fibers, threads; in a process that is started, and in one that runs
# already.  All stacks are complete; those of two fibers begin with them.
. "$suite/lib.sh"
. "$suite/frames.sh"
script="$suite/userland/stacks/ruby_frames.rb"
program='syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }
	syscall::getpgid:entry /pid == $target/ { exit(0); }'

check() {
	cat err
	check_frames "$1" "the interpreter"
}

mkfifo first second
exec 3<> first 4<> second
"$dtrace" -qn "$program" -c "ruby $script expected" < first > out 2> err
echo > first
check started

ruby "$script" expected wait < second > said 2>&1 &
target=$!
await said ready
"$dtrace" -qwn "$program"' tick-10ms /!armed++/ { system("echo > second"); }' -p $target > out 2> err
echo > second
wait $target
check running
