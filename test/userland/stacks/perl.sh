# Perl's own frames, in place of its interpreter's loop, are those that caller()
# says: methods, closures, eval, calls back from C (sort, tie, overloading,
# DESTROY, patterns, List::Util, signal handlers) and code of those that runs eval
# in a loop of its own; in a process that is started, in its child, and in one
# that runs already.  All stacks are complete, and frames are between those of C.
. "$suite/lib.sh"
. "$suite/frames.sh"
script="$suite/userland/stacks/perl_frames.pl"

# The text of an eval is gone when that has ended, and its name with it, if dtrace
# did not look in time.
check() {
	sed -i 's/(eval)((eval [0-9]*):/(eval)(:/' expected out
	check_frames "$1" "the interpreter" _start
}

"$dtrace" -qn 'syscall::getppid:entry /progenyof($target)/ { ustack(200); printf("--\n"); }' \
	-c "perl $script expected" > out 2> err
cat err
check started
# Between the comparison and sort().
awk '/main::by_value/ { in_it = 1; next } in_it && /`/ { sub(/.*`/, ""); sub(/\+.*/, ""); if (/^Perl_/) print }
     in_it && /main::places/ { exit }' out

perl "$script" expected wait > said &
target=$!
await said ready
"$dtrace" -qn 'syscall::getppid:entry /progenyof($target)/ { ustack(200); printf("--\n"); }
	tick-10ms /!armed++/ { system("kill -HUP %d", $target); }' -w -p $target > out 2> err
cat err
check running
wait $target

# As keys of an aggregation, printed when the process is gone.
"$dtrace" -qn 'syscall::getppid:entry /progenyof($target)/ { @[ustack(200)] = count(); }' \
	-c "perl $script expected" > out 2> err
cat err
grep -c '^ *0x' out
grep -F ' Shop::Counter::method(' out | sort | uniq -c | awk '{ print $1, $2 }'
