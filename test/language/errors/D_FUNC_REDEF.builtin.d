/* @flags: -xerrtags -e */
/* @status: 1 */
int strlen(char *s) { return s != NULL; }
BEGIN { trace(strlen("a")); }
