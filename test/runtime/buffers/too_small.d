/* A record that cannot fit is refused before anything runs. */
/* @flags: -q -b 4k */
/* @status: 1 */
BEGIN { tracemem(curthread, 4096); exit(0); }
