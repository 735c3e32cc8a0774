int i;
BEGIN
{
	i = 7;
	this->i = 8;
	int pid = 3, *p;
	{
		string pid = "inner";
		{ int i = 9, j; trace(i + j); }
		trace(pid);
	}
	if (pid == 3) {
		int pid = 4;
		pid++;
	} else {
		string pid;
		trace(pid);
	}
	static_x = i;
	const volatile unsigned char c = 200;
	pid_t file = 12;
	struct timespec64 t;
	t.tv_sec = file;
	trace(c + t.tv_sec);
}
