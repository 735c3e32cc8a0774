/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = count(); trace(@a); }
