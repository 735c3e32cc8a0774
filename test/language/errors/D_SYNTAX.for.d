/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { for (x = 0; x < 3) trace(x); }
