/* @flags: -xerrtags -e */
/* @status: 1 */
#pragma D option nosuchoption
BEGIN { exit(0); }
