/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries to open a path of N characters, "aaa...az", when told to.
 *
 *	longpath N
 *
 * Waits for SIGUSR1 first.  The system call fails: the path is too long.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	size_t length = argc > 1 ? strtoul(argv[1], NULL, 10) : 8000;
	char *path = malloc(length + 1);
	sigset_t set;
	int signal;

	if (!path || !length)
		return 1;
	memset(path, 'a', length);
	path[length - 1] = 'z';
	path[length] = '\0';
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &signal);
	return open(path, O_RDONLY) >= 0;
}
