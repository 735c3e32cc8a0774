/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { x = exit(0); }
