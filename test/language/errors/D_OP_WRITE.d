/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { pid = 1; }
