/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trunc(@nosuch); }
END { @nosuch[1, "]"] = count(); }
