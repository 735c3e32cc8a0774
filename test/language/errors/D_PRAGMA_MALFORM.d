/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D option
BEGIN { exit(0); }
