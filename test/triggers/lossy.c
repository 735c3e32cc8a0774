/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A TCP connection to itself on which segments get lost, when told to.
 *
 *	lossy ADDRESS
 *
 * Waits for SIGUSR1.  Then the receiver gets, each as one segment:
 *
 *	7001 bytes in order;
 *	5003 bytes that are lost and sent again until they are let through;
 *	4001 bytes, which arrive before those: not in order;
 *	1009 bytes twice or more, because the sender does not hear of them.
 *
 * At last a datagram is sent that is too large for UDP.  What is lost is lost
 * in a filter of the socket that should get it.
 */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SOL_TCP
#define SOL_TCP 6
#endif

static int sender, receiver;

static void check(long result)
{
	if (result < 0)
		exit(1);
}

static struct tcp_info info_of(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	check(getsockopt(fd, SOL_TCP, TCP_INFO, &info, &size));
	return info;
}

/* The socket gets nothing any more. */
static void lose(int fd)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog filter = { 1, &nothing };

	check(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
			 sizeof(filter)));
}

static void get(int fd)
{
	int none = 0;

	check(setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &none,
			 sizeof(none)));
}

static void put(size_t size)
{
	static char data[65536];

	check(send(sender, data, size, 0));
}

static void take(size_t size)
{
	static char data[65536];
	ssize_t n;

	for (; size; size -= (size_t)n)
		check(n = recv(receiver, data, size, 0));
}

/* Until the sender has sent something again since `before`. */
static void await_repetition(uint32_t before)
{
	while (info_of(sender).tcpi_total_retrans == before)
		usleep(1000);
}

/* Until the sender has heard of all that arrived: nothing else is repeated. */
static void await_quiet(void)
{
	while (info_of(sender).tcpi_unacked)
		usleep(1000);
}

static void join(const char *address)
{
	struct sockaddr_in here = { .sin_family = AF_INET };
	int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	socklen_t size = sizeof(here);

	inet_pton(AF_INET, address, &here.sin_addr);
	sender = socket(AF_INET, SOCK_STREAM, 0);
	check(bind(listener, (struct sockaddr *)&here, size));
	check(listen(listener, 1));
	check(getsockname(listener, (struct sockaddr *)&here, &size));
	check(connect(sender, (struct sockaddr *)&here, size));
	check(receiver = accept(listener, NULL, NULL));
	check(setsockopt(sender, SOL_TCP, TCP_NODELAY, &one, sizeof(one)));
}

/* Again if what was lost was repeated before the rest was sent. */
static void mix(void)
{
	uint32_t before;

	do {
		await_quiet();
		before = info_of(sender).tcpi_total_retrans;
		lose(receiver);
		put(5003);
		await_repetition(before);
		get(receiver);
		put(4001);
		take(5003 + 4001);
	} while (!info_of(receiver).tcpi_rcv_ooopack);
}

int main(int argc, char **argv)
{
	struct sockaddr_in there = { .sin_family = AF_INET, .sin_port = 9 };
	static char datagram[65508];
	sigset_t set;
	int signal_number;

	if (argc < 2)
		return 2;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigwait(&set, &signal_number);
	join(argv[1]);
	put(7001);
	take(7001);
	mix();
	await_quiet();
	uint32_t before = info_of(sender).tcpi_total_retrans;

	lose(sender);
	put(1009);
	take(1009);
	await_repetition(before);
	get(sender);
	await_quiet(); /* what is repeated has arrived */
	inet_pton(AF_INET, argv[1], &there.sin_addr);
	return sendto(socket(AF_INET, SOCK_DGRAM, 0), datagram,
		      sizeof(datagram), 0, (struct sockaddr *)&there,
		      sizeof(there)) >= 0;
}
