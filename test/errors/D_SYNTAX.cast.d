/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace((nosuch_t *)0); }
