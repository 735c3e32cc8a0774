/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace("one
two"); }
