/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens files of every kind, and calls getppid() when told to.
 *
 *	files FILE
 *
 * 10 is FILE, opened to read and write, at offset 3; 11 a socket; 12 and 13 the
 * ends of a pipe; 14 the directory /proc/self/ns's parent; 15 /dev/null; 16 an
 * event descriptor.  Works in FILE's directory.  Waits for SIGUSR1, calls,
 * waits for SIGUSR1 again, ends.
 */
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void keep(int fd, int as)
{
	if (fd < 0 || dup2(fd, as) < 0)
		_exit(3);
	close(fd);
}

int main(int argc, char **argv)
{
	sigset_t set;
	int signal_number, ends[2];

	if (argc < 2 || pipe(ends))
		return 2;
	keep(ends[0], 12);
	keep(ends[1], 13);
	keep(open(argv[1], O_RDWR | O_CREAT | O_APPEND, 0600), 10);
	lseek(10, 3, SEEK_SET);
	keep(socket(AF_UNIX, SOCK_STREAM, 0), 11);
	keep(open("/proc/self/", O_RDONLY | O_DIRECTORY), 14);
	keep(open("/dev/null", O_WRONLY), 15);
	keep(eventfd(0, 0), 16);
	if (chdir(dirname(strdup(argv[1]))))
		return 3;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &signal_number);
	syscall(SYS_getppid);
	sigwait(&set, &signal_number);
	return 0;
}
