# PHP's own frames, in place of its interpreter's loop, are those that it says
# itself: methods, closures, generators, calls back from C, recursion, eval; and
# all stacks are complete.
. "$suite/lib.sh"
script="$suite/userland/stacks/php_frames.php"
command -v php > /dev/null || { echo "php is missing: apt-get install php-cli"; exit 1; }

"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { ustack(200); printf("--\n"); }' \
	-c "php $script expected" > out 2> err
cat err
awk '/^$/ { next } /^ *--$/ { print "--"; next } /`/ { next } { $1 = $1; print }' out > language
diff language expected && echo "as the interpreter says, $(grep -c '^--' expected) stacks"
awk '/^ *--$/ { if (last !~ /_start/) cut++ } NF { last = $1 } END { print cut + 0, "not complete" }' out
