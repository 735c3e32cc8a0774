/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { tracemem(curthread, 0); }
