/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = lquantize(1, 0, 10, 1); }
END { @a = lquantize(1, 0, 11, 1); }
