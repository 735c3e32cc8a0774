/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter min time = 10ms
BEGIN { trace($min); }
