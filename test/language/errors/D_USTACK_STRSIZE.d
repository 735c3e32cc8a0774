/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { ustack(1, -1); }
