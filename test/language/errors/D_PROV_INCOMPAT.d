/* @flags: -xerrtags -e */
/* @status: 1 */
provider p { probe q(int); };
provider p { probe q(string); };
BEGIN { exit(0); }
