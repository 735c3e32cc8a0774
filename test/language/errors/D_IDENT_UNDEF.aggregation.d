/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printa(@nosuch); @nosuchother = count(); }
