/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter min duration = 10ms "time"
BEGIN { trace($min); }
