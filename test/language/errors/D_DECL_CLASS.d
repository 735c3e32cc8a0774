/* @flags: -xerrtags -e */
/* @status: 1 */
self this int x;
BEGIN { exit(0); }
