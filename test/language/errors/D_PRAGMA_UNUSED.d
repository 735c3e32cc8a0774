/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D attributes Stable/Stable/Common nosuchname
BEGIN { exit(0); }
