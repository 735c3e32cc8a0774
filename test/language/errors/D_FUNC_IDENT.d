/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { 1(2); }
