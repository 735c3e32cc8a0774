/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { print((void)0); }
