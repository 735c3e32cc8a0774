/* Sizes are powers of two. */
/* @flags: -q -b 5000 */
BEGIN { exit(0); }
