/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter min time = 10ms "time"
#pragma D parameter min time = 10ms "time"
BEGIN { trace($min); }
