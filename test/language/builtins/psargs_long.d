/* a command line that does not fit a string is cut; blanks stand between its words */
/* @flags: -q -x strsize=20 -x argref -x defaultargs */
/* @args: one two three */
BEGIN
{
	printf("%d", strlen(curpsinfo->pr_psargs));
	exit(0);
}
