/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = llquantize(1, 10, 0, 3, 40); }
