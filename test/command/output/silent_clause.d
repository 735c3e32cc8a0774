/* a clause that only assigns prints no line */
/* @flags:  */
BEGIN { x = 1; }
BEGIN { exit(0); }
