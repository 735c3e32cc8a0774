/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = count(); trunc(@a, 1, 2); }
