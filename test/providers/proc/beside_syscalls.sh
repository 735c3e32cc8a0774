# A stable probe made of a system call fires beside several programs for system calls.
"$dtrace" -qn 'syscall::execve:entry /pid == $target/ { calls++; }
	syscall::execve:return /pid == $target/ { calls++; } syscall::getppid:entry { other++; } syscall::getppid:return { other++; }
	proc:::exec /pid == $target/ { execs++; }
	END { printf("%d execs, %d calls\n", execs, calls); }' -c '/usr/bin/env /bin/true'
