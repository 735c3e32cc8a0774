/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter interval time = 10ms "time"
BEGIN { trace($intreval); }
