/* the tables of the tutorial, to the column: count_syscalls.d and ip_top.d with values of its own */
/* @args: 5 */
#pragma D option quiet
BEGIN {
	@c[209, "nscd", "xstat"] = sum(27);
	@c[16376, "prstat", "pread"] = sum(35);
	@c[16480, "qemu-dm", "pollsys"] = sum(117);
	@c[16480, "qemu-dm", "lseek"] = sum(35512);
	@c[1, "dropped by trunc", "x"] = sum(26);
	@bytes["134.60.84.144", "receive"] = sum(68552);
	@bytes["134.60.1.50", "receive"] = sum(603448);
	@bytes["134.60.84.131", "send"] = sum(203504);
	trunc(@c, 4);
	printa("%5d %-20s %6@d %s\n", @c);
	clear(@c);
	trunc(@bytes, $1);
	normalize(@bytes, 2000000000 / 1000000000);
	printf("\n%Y\n", 1244126136000000000);
	printa("%-15s %-10s %@15d\n", @bytes);
	trunc(@bytes);
	exit(0);
}
