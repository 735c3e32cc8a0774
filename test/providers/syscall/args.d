/* typed arguments of read: a count is a size_t */
/* @flags: -q -c "cat /dev/null" */
syscall::read:entry
/pid == $target/
{
	printf("%d\n", sizeof (args[2]));
	exit(0);
}
