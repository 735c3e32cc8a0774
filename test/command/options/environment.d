/* DTRACE_OPT_NAME sets a default */
/* @env: DTRACE_OPT_STRSIZE=4 */
string s;
BEGIN { s = "0123456789"; printf("%s\n", s); exit(0); }
