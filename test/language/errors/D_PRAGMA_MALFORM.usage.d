/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D usage one line
BEGIN { }
