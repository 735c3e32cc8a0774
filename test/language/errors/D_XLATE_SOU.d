/* @flags: -xerrtags -e */
/* @status: 1 */
translator int < int *I > { x = 1; };
BEGIN { exit(0); }
