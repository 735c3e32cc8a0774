/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { static int i; }
