# Nothing of the command is missed: neither its first system call nor its last; execve is over by then.
"$dtrace" -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa("%@d calls\n", @); }' \
	-c "$triggers/calls now getppid 12345" 2>&1
"$dtrace" -qn 'syscall::close:return /pid == $target && errno == 9/ { @ = count(); } END { printa("%@d failures\n", @); }' \
	-c "$triggers/calls now close 5000 4" 2>&1
"$dtrace" -x evaltime=exec -qn 'syscall:::entry /pid == $target/ { @in = count(); last = probefunc; }
	syscall:::entry /pid == $target && !first++/ { printf("first %s\n", probefunc); }
	syscall:::return /pid == $target/ { @out = count(); }
	syscall::execve*: /pid == $target/ { printf("%s %s\n", probefunc, probename); }
	END { printf("last %s\n", last); printa("entries %@d\n", @in); printa("returns %@d\n", @out); }' \
	-c "$triggers/calls now getppid 7" > out 2>&1
grep -v '^$' out | awk '/^entries/ { entries = $2; next } /^returns/ { print "without return:", entries - $2; next } { print }'
