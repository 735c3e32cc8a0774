/* #pragma D option works like -x */
/* @flags:  */
#pragma D option quiet
BEGIN { printf("quiet\n"); exit(0); }
