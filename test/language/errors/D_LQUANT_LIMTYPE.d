/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = lquantize(1, 0, pid); }
