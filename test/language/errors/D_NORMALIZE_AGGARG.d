/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { normalize(1, 2); }
