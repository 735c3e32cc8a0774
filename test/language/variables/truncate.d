/* a string longer than strsize is cut */
/* @flags: -q -x strsize=8 */
string s;
BEGIN { s = "0123456789abcdef"; printf("%s\n", s); exit(0); }
