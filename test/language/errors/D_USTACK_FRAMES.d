/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { ustack(0); }
