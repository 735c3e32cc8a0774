/* @flags: -xerrtags -e */
/* @status: 1 */
int sign(int x)
{
	if (x > 0)
		return 1;
	else if (x < 0)
		return -1;
}
BEGIN { trace(sign(1)); }
