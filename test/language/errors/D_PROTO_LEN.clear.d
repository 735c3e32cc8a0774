/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = count(); clear(@a, 1); }
