/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { speculate(1); @a = count(); }
