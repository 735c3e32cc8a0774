/* one reading of the wall clock for a clause, also behind a condition */
BEGIN { this->a = walltimestamp; printf("%d\n", walltimestamp == walltimestamp); }
BEGIN { if (pid < 0) { this->a = walltimestamp; } printf("%d %d\n", walltimestamp != 0, walltimestamp == walltimestamp); exit(0); }
