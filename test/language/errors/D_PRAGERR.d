/* @flags: -xerrtags -e */
/* @status: 1 */
#error this will not do
BEGIN { exit(0); }
