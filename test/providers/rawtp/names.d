/* @flags: -qw */
/* Names of a raw tracepoint: group as module, no function; stack() starts where the kernel passes it. */
rawtp:sched::sched_process_exec
/args[0]->pid == args[1] && !done++/
{
	printf("%s:%s:%s:%s %d\n", probeprov, probemod, probefunc, probename,
	    args[0] == curthread);
	exit(0);
}
tick-1ms
{
	system("/bin/true");
}
