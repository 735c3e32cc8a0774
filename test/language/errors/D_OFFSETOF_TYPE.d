/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace(offsetof(int, x)); }
