/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma
BEGIN { exit(0); }
