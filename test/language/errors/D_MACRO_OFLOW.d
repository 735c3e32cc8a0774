/* @flags: -xerrtags -e */
/* @status: 1 */
/* @args: 99999999999999999999 */
BEGIN { trace($1); }
