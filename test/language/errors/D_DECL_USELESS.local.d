/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { int; }
