/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { ustack(1, 2, 3); }
