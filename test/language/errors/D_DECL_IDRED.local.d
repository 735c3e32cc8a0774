/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { for (int i = 0, i = 1; i < 3; i++) { } }
