/* raw arguments beyond the count are 0 */
BEGIN { printf("%d %d\n", arg0, arg9); exit(0); }
