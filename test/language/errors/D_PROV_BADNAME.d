/* @flags: -xerrtags -e */
/* @status: 1 */
provider p1 { probe q(int); };
BEGIN { exit(0); }
