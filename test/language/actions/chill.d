/* chill() waits as long as it says, and no longer than half of a second. */
/* @flags: -qw */
/* @filter: pc */
BEGIN { this->t = timestamp; }
BEGIN { chill(10000000); }
BEGIN { printf("waited %d\n", timestamp - this->t >= 10000000); }
BEGIN { chill(600000000); }
BEGIN { chill(-1); }
BEGIN { chill(495000000); }
BEGIN { chill(1); printf("a little is left\n"); }
ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
