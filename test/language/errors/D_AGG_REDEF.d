/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = count(); @a = sum(1); }
