/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = 1; }
