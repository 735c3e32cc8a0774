/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { clear(@nosuch); }
END { @nosuch[1, "]"] = count(); }
