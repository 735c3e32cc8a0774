/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D error "needs a machine with two of them"
BEGIN { exit(0); }
