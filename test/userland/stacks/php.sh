# PHP's own frames, in place of its interpreter's loop, are those that it says
# itself: methods, closures, generators, calls back from C, recursion, eval; and
# all stacks are complete.
. "$suite/lib.sh"
. "$suite/frames.sh"
script="$suite/userland/stacks/php_frames.php"
command -v php > /dev/null || { echo "php is missing: apt-get install php-cli"; exit 1; }

"$dtrace" -wqn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }
	syscall::getpgid:entry /pid == $target/ { system("touch expected.end"); }' \
	-c "php $script expected" > out 2> err
cat err
check_frames started "the interpreter" _start
