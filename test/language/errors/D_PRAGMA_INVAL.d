/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D nosuchpragma
BEGIN { exit(0); }
