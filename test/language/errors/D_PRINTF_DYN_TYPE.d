/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printf("%*d", "a", 1); }
