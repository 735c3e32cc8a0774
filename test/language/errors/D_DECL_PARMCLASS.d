/* @flags: -xerrtags -e */
/* @status: 1 */
provider p { probe q(static int); };
BEGIN { exit(0); }
