#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "server.h"

/* Serve `count` requests; with "wait" only after SIGUSR1. */
int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 3;
	int sum = 0;

	if (argc > 2) {
		sigset_t set;
		int signal;

		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigprocmask(SIG_BLOCK, &set, NULL);
		sigwait(&set, &signal);
	}
	for (int i = 0; i < count; i++)
		sum += serve(i, i % 2 ? "query" : "ping");
	rest();
	printf("%d bytes\n", sum);
	return 0;
}
