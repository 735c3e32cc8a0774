syscall::read:entry
/arg2 > 1/
{
	printf("before %d", pid);
	for (int i = 0; i < 3; i++) {
		@turns[i, execname] = quantize(i);
		if (i == 1)
			continue;
		printf("%d %s", i, probefunc);
		for (uint8_t j = i; j; j--)
			trace(j);
	}
	printf("after");
}
syscall::read:entry { for (;;) ; }
ERROR { for (int i = 0; i < 2; i++) printf("%d %x", i, arg5); }
