/* @flags: -xerrtags -e */
/* @status: 1 */
int vmlinux`x;
BEGIN { exit(0); }
