/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes that wake each other N times.
 *
 *	pingpong N
 *
 * The parent is called ping, the child pong; a byte goes to and fro.
 */
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void play(const char *name, int from, int to, int rounds, int starts)
{
	char byte = 0;

	prctl(PR_SET_NAME, name);
	for (int i = 0; i < rounds; i++) {
		if (starts && write(to, &byte, 1) != 1)
			exit(1);
		if (read(from, &byte, 1) != 1)
			exit(1);
		if (!starts && write(to, &byte, 1) != 1)
			exit(1);
	}
}

int main(int argc, char **argv)
{
	int there[2], back[2], rounds = argc > 1 ? atoi(argv[1]) : 100;

	if (pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		play("pong", there[0], back[1], rounds, 0);
		return 0;
	}
	play("ping", back[0], there[1], rounds, 1);
	wait(NULL);
	return 0;
}
