/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printa("%@d", 1); }
