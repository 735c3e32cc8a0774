/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trunc(1); }
