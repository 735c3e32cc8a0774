/* @flags: -xerrtags -e */
/* @status: 1 */
provider p { probe q(void x); };
BEGIN { exit(0); }
