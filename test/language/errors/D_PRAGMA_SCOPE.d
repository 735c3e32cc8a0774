/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D attributes Stable/Stable/Common pid
BEGIN { exit(0); }
