/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { while (pid) int i = 0; }
