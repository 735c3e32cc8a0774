/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = llquantize(1, 10, 65536, 65537, 10); }
