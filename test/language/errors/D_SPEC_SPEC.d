/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { speculate(1); speculate(1); }
