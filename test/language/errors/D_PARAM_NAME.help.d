/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D parameter help bool "process"
BEGIN { }
