/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes N processes, one after the other, that live shortly.
 *
 *	spawn N
 *
 * Each runs this program again, as `short I`.  Those with even numbers end by
 * themselves with status 3; the others wait until they are killed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READY = 9 };	/* where a child says that it has begun */

static void spawn(const char *program, int number)
{
	int ends[2];
	char text[16], byte;

	snprintf(text, sizeof(text), "%d", number);
	if (pipe2(ends, O_CLOEXEC))
		exit(1);
	pid_t child = vfork();

	if (!child) {
		dup2(ends[1], READY);
		execl(program, "short", text, NULL);
		_exit(127);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		exit(1);
	close(ends[0]);
	if (number & 1)
		kill(child, SIGKILL);
	if (waitpid(child, NULL, 0) != child)
		exit(1);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	int number = atoi(argv[1]);

	if (!strcmp(argv[0], "short")) {
		if (write(READY, "", 1) != 1)
			return 1;
		while (number & 1)
			pause();
		return 3;
	}
	for (int i = 0; i < number; i++)
		spawn(argv[0], i);
	return 0;
}
