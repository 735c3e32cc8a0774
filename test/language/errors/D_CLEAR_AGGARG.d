/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { clear(1); }
