/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { for (int i = 0; i < 3; i++) { } trace(i); }
