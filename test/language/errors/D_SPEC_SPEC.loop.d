/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { while (pid) { speculate(1); } }
