/*
 * What is made of a probe's names is right at all probes of a clause, however
 * long the names of the others are.
 */
/* @flags: -q -x strsize=30 */
/* @filter: pc */
BEGIN, END { printf("%s %s %d\n", substr(probename, 1), tolower(probename), pid == $pid); }
BEGIN, END { trace(stringof(probename)); trace((string)probeprov); trace("\n"); }
BEGIN, END { trace(pid ? probename : "x"); trace(pid == $pid); trace("\n"); }
BEGIN, tick-1ms, END
/!done[probename]/
{
	done[probename] = 1;
	printf("%s %d\n", strjoin(probeprov, strjoin(" ", strjoin(probefunc, probename))), pid < 0);
	@[strjoin(probename, "!"), basename(probeprov)] = count();
}
BEGIN, END { trace(*(int *)0); }
ERROR { printf("%s %d\n", strjoin(probeprov, probename), arg4); }
tick-1ms /done["tick-1ms"]/ { exit(0); }
