/* @flags: -xerrtags -e */
/* @status: 1 */
provider p { probe q(int a) : (int b); };
BEGIN { exit(0); }
