/* Trap 4: an empty clause is a line; one without data is none. */
/* @flags: */
BEGIN { }
BEGIN { x = 1; }
BEGIN { @ = count(); }
BEGIN { exit(0); }
