/* trace() of a string: two blanks, padded to 33 columns */
/* @flags:  */
BEGIN { trace("hello"); exit(0); }
