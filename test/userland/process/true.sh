# -c: the run ends with the command; BEGIN before it, END after it, $target is its pid.
"$dtrace" -qn 'BEGIN { printf("begin\n"); } END { printf("end\n"); }
	syscall::exit_group:entry /pid == $target/ { printf("%s exits %d\n", execname, arg0); }' -c true 2>&1
echo "status $?"
