/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printf("%d", 1, 2); }
