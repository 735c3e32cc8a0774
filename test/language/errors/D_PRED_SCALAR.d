/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN /execname/ { trace(1); }
