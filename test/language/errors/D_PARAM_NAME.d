/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter pid pid = 0 "process"
BEGIN { trace($pid); }
