/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter min time "help
BEGIN { trace($min); }
