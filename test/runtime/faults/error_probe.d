/* ERROR fires with the fault code and may exit */
/* @status: 3 */
/* @filter: pc */
BEGIN { x = 0; trace(1 % x); }
ERROR { printf("fault %d\n", arg4); exit(3); }
