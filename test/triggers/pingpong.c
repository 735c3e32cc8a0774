/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes that wake each other N times.
 *
 *	pingpong N
 *
 * The parent is called ping, the child pong; a byte goes to and fro.  In the
 * first round each writes when the other sleeps, so each wakes the other at
 * least once, however the two are scheduled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void await_sleep(pid_t pid)
{
	char path[32], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	while (state != 'S') {
		FILE *file = fopen(path, "r");

		if (!file || fscanf(file, "%*d %*s %c", &state) != 1)
			exit(1);
		fclose(file);
	}
}

static void pass(int to, int round, pid_t other)
{
	char byte = 0;

	if (round == 0)
		await_sleep(other);
	if (write(to, &byte, 1) != 1)
		exit(1);
}

static void play(const char *name, int from, int to, int rounds, int starts,
		 pid_t other)
{
	char byte;

	prctl(PR_SET_NAME, name);
	for (int i = 0; i < rounds; i++) {
		if (starts)
			pass(to, i, other);
		if (read(from, &byte, 1) != 1)
			exit(1);
		if (!starts)
			pass(to, i, other);
	}
}

int main(int argc, char **argv)
{
	int there[2], back[2], rounds = argc > 1 ? atoi(argv[1]) : 100;

	if (pipe(there) || pipe(back))
		return 1;
	pid_t ping = getpid(), pong = fork();

	if (pong == 0) {
		play("pong", there[0], back[1], rounds, 0, ping);
		return 0;
	}
	play("ping", back[0], there[1], rounds, 1, pong);
	wait(NULL);
	return 0;
}
