/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printa(@nosuch); }
END { @nosuch[1, "]"] = count(); }
