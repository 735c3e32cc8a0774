/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printf(""); }
