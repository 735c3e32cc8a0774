/* @flags: -xerrtags -e */
/* @status: 1 */
inline int first = args[0];
BEGIN { trace(first); }
