/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter 1st int = 1 "number"
BEGIN { }
