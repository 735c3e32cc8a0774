/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { stack(0); }
