/* @flags: -xerrtags -e */
/* @status: 1 */
/* @args: 1 2 */
BEGIN { trace($1); }
