/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace((int64_t)curpsinfo); }
