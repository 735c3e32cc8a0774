/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { tracemem("x", 4); }
