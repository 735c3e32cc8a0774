/* an empty clause records that it fired */
/* @flags:  */
BEGIN { }
BEGIN { exit(0); }
