/* fill: what END records must fit. */
/* @flags: -q -b 4k -x bufpolicy=fill */
/* @status: 1 */
BEGIN { exit(0); }
END { tracemem(curthread, 2048); }
END { tracemem(curthread, 2048); }
