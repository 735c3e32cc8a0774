/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace((void)0); }
