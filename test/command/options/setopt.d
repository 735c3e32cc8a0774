/* setopt(): dynamic options change while tracing, all others are refused */
BEGIN
{
	setopt("quiet");
	setopt("rawbytes", "no");
	setopt("bufsize", "1m");
	setopt("errtags");
	setopt("nosuch");
	setopt("quiet", "maybe");
	printf("quiet\n");
	exit(0);
}
