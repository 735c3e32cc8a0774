/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { tracemem(curthread, 4, 4, 4); }
