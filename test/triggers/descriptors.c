/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Has one descriptor of many kinds, from number 20 on, and none above; for
 * pfiles(1).
 *
 * Prints what differs from run to run, and "ready"; then waits for SIGUSR1.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int number = 20;

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* The next number for what `fd` is. */
static int keep(int fd, const char *what)
{
	must(fd >= 0, what);

	int cloexec = fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0;

	must(dup3(fd, number, cloexec) == number, what);
	close(fd);
	return number++;
}

static int port_of(int fd)
{
	struct sockaddr_in in;
	socklen_t size = sizeof(in);

	must(!getsockname(fd, (struct sockaddr *)&in, &size), "getsockname");
	return ntohs(in.sin_port);
}

static void files(void)
{
	struct flock lock = { .l_type = F_WRLCK };
	int fd = keep(open("data", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC,
			   0640), "data"), ends[2];

	must(write(fd, "hello", 5) == 5, "write");
	must(!fcntl(fd, F_SETLK, &lock), "lock");
	keep(open(".", O_RDONLY | O_DIRECTORY), "directory");
	keep(open("/dev/null", O_WRONLY), "null");
	must(!pipe2(ends, O_NONBLOCK), "pipe");
	keep(ends[0], "pipe");
	keep(ends[1], "pipe");
	keep(open("a\nb\033[31m", O_RDWR | O_CREAT | O_SYNC, 0600), "name");
	must(!unlink("a\nb\033[31m"), "unlink");
	keep(epoll_create1(EPOLL_CLOEXEC), "epoll");
}

static void tcp(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(in);
	int one = 1, server = keep(socket(AF_INET, SOCK_STREAM, 0), "tcp");

	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	must(!bind(server, (struct sockaddr *)&in, size), "bind");
	must(!listen(server, 5), "listen");
	must(!getsockname(server, (struct sockaddr *)&in, &size), "name");

	int client = keep(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
			  "tcp");

	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	must(!connect(client, (struct sockaddr *)&in, size), "connect");
	keep(accept(server, NULL, NULL), "accept");
	printf("server %d\nclient %d\n", port_of(server), port_of(client));
}

static void others(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET };
	int server = keep(socket(AF_UNIX, SOCK_STREAM, 0), "unix");
	socklen_t size = (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1 +
			 (socklen_t)sprintf(un.sun_path + 1, "files%d",
					    (int)getpid());

	must(!bind(server, (struct sockaddr *)&un, size), "bind");
	must(!listen(server, 5), "listen");

	int client = keep(socket(AF_UNIX, SOCK_STREAM, 0), "unix");

	must(!connect(client, (struct sockaddr *)&un, size), "connect");
	keep(accept(server, NULL, NULL), "accept");

	int udp = keep(socket(AF_INET, SOCK_DGRAM, 0), "udp"), one = 1;

	setsockopt(udp, SOL_SOCKET, SO_BROADCAST, &one, sizeof(one));
	must(!bind(udp, (struct sockaddr *)&in, sizeof(in)), "bind");
	printf("udp %d\n", port_of(udp));
}

int main(void)
{
	struct rlimit limit = { 333, 444 };
	sigset_t set;
	int caught;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	must(!setrlimit(RLIMIT_NOFILE, &limit), "limit");
	must(!close_range((unsigned)number, ~0U, 0), "close");
	files();
	tcp();
	others();
	puts("ready");
	return sigwait(&set, &caught);
}
