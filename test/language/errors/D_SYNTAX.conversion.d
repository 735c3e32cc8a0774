/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printf("%z", 1); }
