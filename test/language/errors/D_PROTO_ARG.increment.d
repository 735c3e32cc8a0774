/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { @a = quantize(1, "x"); }
