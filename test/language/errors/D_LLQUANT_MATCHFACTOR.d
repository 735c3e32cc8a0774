/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = llquantize(1, 10, 0, 3, 10); }
END { @a = llquantize(1, 20, 0, 3, 20); }
