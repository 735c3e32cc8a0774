/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { pid ? trace(1) : trace(2); }
