/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = llquantize(1, 1, 0, 3, 10); }
