/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = count(); trace((int64_t)&@a); }
