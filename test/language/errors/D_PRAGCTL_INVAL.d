/* @flags: -xerrtags -e */
/* @status: 1 */
#nosuchdirective
BEGIN { exit(0); }
