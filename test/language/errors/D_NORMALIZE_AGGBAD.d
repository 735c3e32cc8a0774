/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { normalize(@nosuch, 2); }
END { @nosuch[1, "]"] = count(); }
