/* %Y and %T print nanoseconds since 1970 */
/* @env: TZ=UTC */
BEGIN { printf("%Y\n%T\n", 1136214245000000000, 1136214245000000000); exit(0); }
