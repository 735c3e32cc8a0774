/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D depends_on library nosuch.d
BEGIN { exit(0); }
