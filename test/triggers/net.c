/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known traffic: one side or both sides of a conversation.
 *
 *	net server tcp|udp ADDRESS PORT [COUNT]
 *	net client tcp|udp ADDRESS PORT OWN-PORT COUNT SIZE
 *	net queue PORT COUNT [defer]
 *
 * A TCP server takes one connection, reads to its end, answers "done" and
 * closes; the client connects (if it is refused, that is all), waits for
 * SIGUSR2 if COUNT is negative, sends COUNT times SIZE bytes, and reads to the
 * end.  A UDP server takes COUNT datagrams and then ends.  A server says
 * "ready" when it can be reached; a client waits for SIGUSR1 first.
 *
 * queue: a listener on 127.0.0.1 that nobody serves has room for one
 * connection and is asked for COUNT, until SIGUSR2; with `defer` they are made
 * at first, and overflow when each has sent a byte.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(3);
}

static socklen_t address(struct sockaddr_storage *storage, const char *text,
			 const char *port)
{
	struct sockaddr_in *in4 = (void *)storage;
	struct sockaddr_in6 *in6 = (void *)storage;
	in_port_t number = htons((unsigned short)atoi(port));

	memset(storage, 0, sizeof(*storage));
	if (inet_pton(AF_INET, text, &in4->sin_addr) == 1) {
		in4->sin_family = AF_INET;
		in4->sin_port = number;
		return sizeof(*in4);
	}
	need(inet_pton(AF_INET6, text, &in6->sin6_addr) == 1, text);
	in6->sin6_family = AF_INET6;
	in6->sin6_port = number;
	return sizeof(*in6);
}

static int bound(int type, const char *text, const char *port)
{
	struct sockaddr_storage own;
	socklen_t size = address(&own, text, port);
	int fd = socket(own.ss_family, type, 0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	need(!bind(fd, (void *)&own, size), "bind");
	return fd;
}

static void say_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void wait_for(int signal_number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal_number);
	sigwait(&set, &signal_number);
}

static void read_to_end(int fd)
{
	static char buffer[1 << 16];

	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
}

static int serve(int type, char **argv, int count)
{
	static char buffer[1 << 16];
	int fd = bound(type, argv[0], argv[1]);

	if (type == SOCK_DGRAM) {
		say_ready();
		while (count-- > 0)
			need(recv(fd, buffer, sizeof(buffer), 0) >= 0, "recv");
		return 0;
	}
	need(!listen(fd, 8), "listen");
	say_ready();
	int peer = accept(fd, NULL, NULL);

	need(peer >= 0, "accept");
	read_to_end(peer);
	need(write(peer, "done", 4) == 4, "write");
	close(peer);
	return 0;
}

static int speak(int type, char **argv)
{
	static char buffer[1 << 16];
	struct sockaddr_storage peer;
	socklen_t size = address(&peer, argv[0], argv[1]);
	const char *any = peer.ss_family == AF_INET ? "0.0.0.0" : "::";
	int count = atoi(argv[3]);
	size_t bytes = (size_t)atoi(argv[4]);
	int fd = bound(type, any, argv[2]);

	wait_for(SIGUSR1);
	if (connect(fd, (void *)&peer, size))
		return 0;
	if (count < 0)
		wait_for(SIGUSR2);
	for (int i = 0; i < abs(count); i++)
		need(write(fd, buffer, bytes) == (ssize_t)bytes, "write");
	if (type == SOCK_STREAM) {
		shutdown(fd, SHUT_WR);
		read_to_end(fd);
	}
	return 0;
}

static int overflow(const char *port, int count, int is_deferred)
{
	int fd = bound(SOCK_STREAM, "127.0.0.1", port);
	struct sockaddr_storage peer;
	socklen_t size = address(&peer, "127.0.0.1", port);
	int clients[64], seconds = 5;

	if (is_deferred)
		setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds,
			   sizeof(seconds));
	need(!listen(fd, is_deferred ? 64 : 0) && count <= 64, "listen");
	wait_for(SIGUSR1);
	for (int i = 0; i < count; i++) {
		clients[i] = socket(AF_INET, SOCK_STREAM, 0);
		if (!is_deferred)
			fcntl(clients[i], F_SETFL, O_NONBLOCK);
		need(!connect(clients[i], (void *)&peer, size) ||
		     errno == EINPROGRESS, "connect");
	}
	/* the queue becomes short while connections are being made */
	if (is_deferred)
		need(!listen(fd, 0), "listen");
	for (int i = 0; is_deferred && i < count; i++)
		need(write(clients[i], "x", 1) == 1, "write");
	if (!is_deferred)
		wait_for(SIGUSR2);
	return 0;
}

int main(int argc, char **argv)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (argc >= 4 && !strcmp(argv[1], "queue"))
		return overflow(argv[2], atoi(argv[3]), argc > 4);
	if (argc < 5)
		return 2;
	int type = strcmp(argv[2], "udp") ? SOCK_STREAM : SOCK_DGRAM;

	if (!strcmp(argv[1], "server"))
		return serve(type, argv + 3, argc > 5 ? atoi(argv[5]) : 1);
	return argc < 8 ? 2 : speak(type, argv + 3);
}
