/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = llquantize(1, 10, pid, 3, 10); }
