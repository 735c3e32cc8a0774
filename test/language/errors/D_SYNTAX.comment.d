/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { /* one /* two */ trace(1); }
