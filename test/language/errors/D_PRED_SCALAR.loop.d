/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { while (execname) exit(0); }
