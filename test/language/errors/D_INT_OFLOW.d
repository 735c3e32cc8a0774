/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace(99999999999999999999); }
