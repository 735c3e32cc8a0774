/* @flags: -xerrtags -e */
/* @status: 1 */
provider p { probe q(void, int); };
BEGIN { exit(0); }
