/* Small buffers become a page, which is said. */
/* @flags: -q -b 100 */
BEGIN { exit(0); }
