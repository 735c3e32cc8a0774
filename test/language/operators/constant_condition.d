/* a constant condition chooses its branch when the program is compiled, even an action; the other is not checked */
/* @args: 1 5 */
inline int OPT_dump = 1;
inline int OPT_x = 0;
inline int OPT_y = 1;
inline string NAME = "abc";
BEGIN
{
	OPT_dump ? printf("dump\n") : 1;
	OPT_x ? printf("x %d\n", undefined_name) : 1;
	OPT_x == 1 && NAME != "" ? printf("x and name\n") : 1;
	OPT_y == 1 || NAME != "" ? printf("y or name\n") : 1;
	(OPT_y ? printf("in parentheses\n") : 1);
	OPT_y ? OPT_x ? 1 : printf("nested\n") : no_such();
	!OPT_x ? @c = count() : 1;
	OPT_x ? @never = count() : 1;
	OPT_x ? 1 : (@d[execname != ""] = sum(3));
	OPT_y == 1 ? this->s = "string" : 1;
	$1 ? printf("argument\n") : 1;
	$2 == 5 ^^ OPT_x ? printf("five %s\n", this->s) : 1;
	OPT_y ? printf("%d", sizeof (OPT_x ? 1 : (char)1)) : 1;
	x = OPT_y ? "text" : 7;
	printf("\n%s %d\n", x, OPT_x ? stringof("q") : 12);
	exit(OPT_y ? 0 : 1);
}
