/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter min time = soon "time"
BEGIN { trace($min); }
