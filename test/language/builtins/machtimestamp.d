/* Mach time has ticks of a nanosecond here: the same clock, and that which counts the machine's sleep. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", machtimestamp == timestamp);
	this->before = machctimestamp;
	printf("%d\n", this->before >= timestamp);
	this->after = machctimestamp;
	printf("%d\n", this->after >= this->before);
	printf("%d\n", dispatchqaddr);
	exit(0);
}
