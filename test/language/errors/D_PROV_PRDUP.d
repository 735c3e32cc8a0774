/* @flags: -xerrtags -e */
/* @status: 1 */
provider p { probe q(int); probe q(int); };
BEGIN { exit(0); }
