/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a[1] = count(); @b["x"] = count(); printa(@a, @b); }
