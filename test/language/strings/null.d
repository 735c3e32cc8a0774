/* NULL strings are no arguments, and cannot be traced. */
/* @filter: pc */
string n;
BEGIN { n = NULL; }
BEGIN { trace(n); }
BEGIN { trace(strlen(n)); }
BEGIN { trace(basename(n)); }
BEGIN { trace(index("a", n)); }
BEGIN { trace(strjoin(n, "a")); }
BEGIN { trace(strtok("a", n)); }
BEGIN { trace(strtok(NULL, ",")); }
BEGIN { trace(strchr("abc", 'z')); }
BEGIN { printf("%s", strstr("abc", "z")); }
BEGIN { n = json("{}", "a"); trace(n); }
BEGIN { trace(substr(strchr("abc", 'z'), 1)); }
BEGIN { trace(tolower((char *)NULL)); }
BEGIN { printf("%d\n", n == strchr("abc", 'z')); exit(0); }
ERROR { printf("fault %d at %d\n", arg4, arg2); }
