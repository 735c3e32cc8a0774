/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { if (pid) break; }
