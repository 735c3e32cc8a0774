/* ERROR: probe id, statement, no offset, code, value; names are ERROR's own. */
/* @status: 17 */
/* @filter: pc */
BEGIN { x = 1; y = 2; trace(*(char *)0x123456789); }
ERROR { printf("%d %d %d %d %x %s:%s:%s:%s\n", arg1, arg2, arg3, arg4, arg5, probeprov, probemod, probefunc, probename); exit(17); }
