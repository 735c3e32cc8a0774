/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pfiles(1): the open files of processes.
 *
 * /proc says what a descriptor is.  What only a socket knows (addresses, state,
 * options) is asked of a duplicate of its descriptor, pidfd_getfd(2).
 *
 * 1. No process is stopped, and no state of a file is changed: an error that
 *    waits in a socket (SO_ERROR) is not read, because that would take it away.
 * 2. A descriptor can be closed or become another file while we look.  What is
 *    gone is left out; a duplicate is only used if it is the same file.
 * 3. Names come from others: they are printed without control characters.
 */
#include "cmd/streams.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

enum { TEXT = 4096 };

struct name {
	int number;
	const char *name;
};

static const struct name types[] = {
	{ S_IFREG, "S_IFREG" },	  { S_IFDIR, "S_IFDIR" },
	{ S_IFCHR, "S_IFCHR" },	  { S_IFBLK, "S_IFBLK" },
	{ S_IFIFO, "S_IFIFO" },	  { S_IFLNK, "S_IFLNK" },
	{ S_IFSOCK, "S_IFSOCK" },
};

/* As the kernel shows them: O_LARGEFILE is nothing for a 64-bit program. */
static const struct name flags[] = {
	{ O_APPEND, "O_APPEND" },     { O_ASYNC, "O_ASYNC" },
	{ O_DIRECT, "O_DIRECT" },     { O_DSYNC, "O_DSYNC" },
	{ O_NOATIME, "O_NOATIME" },   { O_NOFOLLOW, "O_NOFOLLOW" },
	{ O_NONBLOCK, "O_NONBLOCK" }, { O_PATH, "O_PATH" },
	{ 0100000, "O_LARGEFILE" },   { O_DIRECTORY, "O_DIRECTORY" },
	{ O_CLOEXEC, "O_CLOEXEC" },
};

static const struct name families[] = {
	{ AF_UNIX, "AF_UNIX" },	      { AF_INET, "AF_INET" },
	{ AF_INET6, "AF_INET6" },     { AF_NETLINK, "AF_NETLINK" },
	{ AF_PACKET, "AF_PACKET" },   { AF_VSOCK, "AF_VSOCK" },
	{ AF_BLUETOOTH, "AF_BLUETOOTH" }, { AF_ALG, "AF_ALG" },
	{ AF_CAN, "AF_CAN" },	      { AF_TIPC, "AF_TIPC" },
	{ AF_XDP, "AF_XDP" },
};

static const struct name kinds[] = {
	{ SOCK_STREAM, "SOCK_STREAM" }, { SOCK_DGRAM, "SOCK_DGRAM" },
	{ SOCK_RAW, "SOCK_RAW" },	{ SOCK_SEQPACKET, "SOCK_SEQPACKET" },
	{ SOCK_RDM, "SOCK_RDM" },
};

static const struct name protocols[] = {
	{ IPPROTO_TCP, "tcp" },	  { IPPROTO_UDP, "udp" },
	{ IPPROTO_ICMP, "icmp" }, { IPPROTO_ICMPV6, "icmpv6" },
	{ IPPROTO_SCTP, "sctp" }, { IPPROTO_UDPLITE, "udplite" },
	{ IPPROTO_RAW, "raw" },	  { 262, "mptcp" },
};

static const struct name states[] = {
	{ TCP_ESTABLISHED, "ESTABLISHED" }, { TCP_SYN_SENT, "SYN_SENT" },
	{ TCP_SYN_RECV, "SYN_RECV" },	    { TCP_FIN_WAIT1, "FIN_WAIT1" },
	{ TCP_FIN_WAIT2, "FIN_WAIT2" },	    { TCP_TIME_WAIT, "TIME_WAIT" },
	{ TCP_CLOSE, "CLOSE" },		    { TCP_CLOSE_WAIT, "CLOSE_WAIT" },
	{ TCP_LAST_ACK, "LAST_ACK" },	    { TCP_LISTEN, "LISTEN" },
	{ TCP_CLOSING, "CLOSING" },
};

/* Those that are numbers are shown with it, others if they are set. */
static const struct option {
	int level, number;
	const char *name;
	bool is_number;
} options[] = {
	{ SOL_SOCKET, SO_ACCEPTCONN, "SO_ACCEPTCONN", false },
	{ SOL_SOCKET, SO_DEBUG, "SO_DEBUG", false },
	{ SOL_SOCKET, SO_REUSEADDR, "SO_REUSEADDR", false },
	{ SOL_SOCKET, SO_REUSEPORT, "SO_REUSEPORT", false },
	{ SOL_SOCKET, SO_KEEPALIVE, "SO_KEEPALIVE", false },
	{ SOL_SOCKET, SO_DONTROUTE, "SO_DONTROUTE", false },
	{ SOL_SOCKET, SO_BROADCAST, "SO_BROADCAST", false },
	{ SOL_SOCKET, SO_OOBINLINE, "SO_OOBINLINE", false },
	{ SOL_SOCKET, SO_PASSCRED, "SO_PASSCRED", false },
	{ IPPROTO_TCP, TCP_NODELAY, "TCP_NODELAY", false },
	{ IPPROTO_TCP, TCP_CORK, "TCP_CORK", false },
	{ IPPROTO_IPV6, IPV6_V6ONLY, "IPV6_V6ONLY", false },
	{ SOL_SOCKET, SO_SNDBUF, "SO_SNDBUF", true },
	{ SOL_SOCKET, SO_RCVBUF, "SO_RCVBUF", true },
};

#define NAME_OF(table, number) \
	name_of(table, sizeof(table) / sizeof((table)[0]), number)

struct command {
	bool is_careful; /* -n */
	int pid, pidfd;
};

static int usage(FILE *out, int status)
{
	fputs("Usage: pfiles [-Fn] pid ...\n"
	      "\n"
	      "\t-n - ask neither file systems nor sockets: only what the kernel remembers\n"
	      "\t-F - no effect: processes are not stopped, so others may hold them\n",
	      out);
	return status;
}

static const char *name_of(const struct name *table, size_t n, int number)
{
	for (size_t i = 0; i < n; i++)
		if (table[i].number == number)
			return table[i].name;
	return NULL;
}

static void print_visible(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 0x7f)
			printf("\\%03o", c);
		else
			putchar(c);
	}
}

/* A file below /proc/PID; the number of bytes, or -1. */
static ssize_t read_file(const struct command *command, const char *name,
			 char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", command->pid, name);

	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;

	ssize_t n = read(fd, text, size - 1);

	close(fd);
	if (n < 0)
		return -1;
	text[n] = '\0';
	return n;
}

/* ---------------------------------------------------------------- sockets */

static void print_host(int family, const void *address, in_port_t port)
{
	char text[INET6_ADDRSTRLEN];

	printf(" %s  port: %u", inet_ntop(family, address, text, sizeof(text)),
	       ntohs(port));
}

static void print_address(const char *what, const struct sockaddr_storage *from,
			  socklen_t size)
{
	const char *family = NAME_OF(families, from->ss_family);

	printf("\t%s: ", what);
	if (family)
		printf("%s", family);
	else
		printf("family %d", from->ss_family);
	switch (from->ss_family) {
	case AF_INET: {
		const struct sockaddr_in *in = (const void *)from;

		print_host(AF_INET, &in->sin_addr, in->sin_port);
		break;
	}
	case AF_INET6: {
		const struct sockaddr_in6 *in6 = (const void *)from;

		print_host(AF_INET6, &in6->sin6_addr, in6->sin6_port);
		break;
	}
	case AF_UNIX: {
		const struct sockaddr_un *un = (const void *)from;
		size_t n = size - offsetof(struct sockaddr_un, sun_path);

		/* a name that begins with 0 is in no file system: @ */
		if (n && un->sun_path[0]) {
			putchar(' ');
			print_visible(un->sun_path, strnlen(un->sun_path, n));
		} else if (n) {
			fputs(" @", stdout);
			print_visible(un->sun_path + 1, n - 1);
		}
		break;
	}
	case AF_NETLINK: {
		const struct sockaddr_nl *nl = (const void *)from;

		printf(" pid: %u groups: %#x", nl->nl_pid, nl->nl_groups);
		break;
	}
	case AF_PACKET: {
		const struct sockaddr_ll *ll = (const void *)from;

		printf(" protocol: %#x interface: %d", ntohs(ll->sll_protocol),
		       ll->sll_ifindex);
		break;
	}
	default:
		break;
	}
	putchar('\n');
}

static bool get_option(int fd, int level, int number, int *value)
{
	socklen_t size = sizeof(*value);

	*value = 0;
	return !getsockopt(fd, level, number, value, &size);
}

static void print_options(int fd)
{
	struct linger linger;
	socklen_t size = sizeof(linger);
	const char *comma = "";

	putchar('\t');
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const struct option *option = &options[i];
		int value;

		if (!get_option(fd, option->level, option->number, &value) ||
		    !value)
			continue;
		printf("%s%s", comma, option->name);
		if (option->is_number)
			printf("(%d)", value);
		comma = ",";
	}
	if (!getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &size) &&
	    linger.l_onoff)
		printf("%sSO_LINGER(%d)", comma, linger.l_linger);
	putchar('\n');
}

static void print_protocol(int fd, int family)
{
	int protocol, is_listening;
	const char *name = NULL, *state = NULL;

	if ((family == AF_INET || family == AF_INET6) &&
	    get_option(fd, SOL_SOCKET, SO_PROTOCOL, &protocol)) {
		name = NAME_OF(protocols, protocol);
		if (name)
			printf("  %s", name);
		else
			printf("  protocol %d", protocol);

		struct tcp_info info;
		socklen_t size = sizeof(info);

		if (protocol == IPPROTO_TCP &&
		    !getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
			state = NAME_OF(states, info.tcpi_state);
	} else if (get_option(fd, SOL_SOCKET, SO_ACCEPTCONN, &is_listening) &&
		   is_listening) {
		state = "LISTEN";
	}
	if (state)
		printf("  %s", state);
}

/* Who was at the other end when it was connected. */
static void print_peer_process(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	char path[64], name[64] = "";

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    peer.pid <= 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/comm", peer.pid);

	FILE *file = fopen(path, "r");

	if (file && fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	printf("\tpeer: ");
	print_visible(*name ? name : "?", strlen(*name ? name : "?"));
	printf("[%d] uid:%u\n", peer.pid, peer.uid);
}

static void print_socket(const struct command *command, int number,
			 const struct stat *expected)
{
	int fd = command->pidfd < 0 ? -1
				    : (int)syscall(SYS_pidfd_getfd,
						   command->pidfd, number, 0);
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);
	struct stat stat;
	int kind, family;

	if (fd < 0) {
		if (errno != EBADF)
			printf("\taddresses and options unknown: %s%s\n",
			       strerror(errno),
			       errno == EPERM ? " (run as root)" : "");
		return;
	}
	if (fstat(fd, &stat) || stat.st_ino != expected->st_ino ||
	    !get_option(fd, SOL_SOCKET, SO_TYPE, &kind) ||
	    !get_option(fd, SOL_SOCKET, SO_DOMAIN, &family)) {
		close(fd);
		return;
	}

	const char *name = NAME_OF(kinds, kind);

	if (name)
		printf("\t%s", name);
	else
		printf("\tsocket type %d", kind);
	print_protocol(fd, family);
	putchar('\n');
	print_options(fd);
	if (!getsockname(fd, (struct sockaddr *)&address, &size))
		print_address("sockname", &address, size);
	size = sizeof(address);
	if (!getpeername(fd, (struct sockaddr *)&address, &size)) {
		print_address("peername", &address, size);
		if (family == AF_UNIX)
			print_peer_process(fd);
	}
	close(fd);
}

/* ------------------------------------------------------------ descriptors */

static void print_flags(long set)
{
	static const char *const access[] = { "O_RDONLY", "O_WRONLY", "O_RDWR",
					      "O_ACCMODE" };

	fputs(access[set & O_ACCMODE], stdout);
	set &= ~(long)O_ACCMODE;
	if ((set & O_SYNC) == O_SYNC) {
		fputs("|O_SYNC", stdout);
		set &= ~(long)O_SYNC;
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (set & flags[i].number) {
			printf("|%s", flags[i].name);
			set &= ~(long)flags[i].number;
		}
	if (set)
		printf("|%#lo", set);
}

/* "lock:	1: POSIX  ADVISORY  WRITE 123 00:13:1234 0 EOF" */
static void print_lock(const char *line)
{
	char how[16], kind[16];
	int holder;

	if (sscanf(line, "lock: %*d: %*s %15s %15s %d", how, kind, &holder) !=
	    3)
		return;
	for (char *c = how; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	for (char *c = kind; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (holder > 0)
		printf("      %s %s lock set by process %d\n", how, kind,
		       holder);
	else
		printf("      %s %s lock\n", how, kind);
}

static void print_info(const struct command *command, int number,
		       const struct stat *stat)
{
	char name[64], text[TEXT], *rest = text, *line;
	long long offset = 0;
	long set = -1;

	snprintf(name, sizeof(name), "fdinfo/%d", number);
	if (read_file(command, name, text, sizeof(text)) < 0)
		return;
	sscanf(text, "pos: %lld flags: %lo", &offset, &set);
	if (set < 0)
		return;
	fputs("      ", stdout);
	print_flags(set);
	if (S_ISREG(stat->st_mode) || S_ISBLK(stat->st_mode))
		printf(" offset:%lld", offset);
	putchar('\n');
	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, "lock:", 5))
			print_lock(line);
}

/* The kernel's own idea of a file, without asking its file system: -n. */
static bool stat_descriptor(const struct command *command, int number,
			    struct stat *stat)
{
	char path[64];
	struct statx statx_of;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", command->pid, number);
	if (statx(AT_FDCWD, path,
		  command->is_careful ? AT_STATX_DONT_SYNC
				      : AT_STATX_SYNC_AS_STAT,
		  STATX_BASIC_STATS, &statx_of))
		return false;
	memset(stat, 0, sizeof(*stat));
	stat->st_mode = statx_of.stx_mode;
	stat->st_ino = statx_of.stx_ino;
	stat->st_uid = statx_of.stx_uid;
	stat->st_gid = statx_of.stx_gid;
	stat->st_size = (off_t)statx_of.stx_size;
	stat->st_dev = makedev(statx_of.stx_dev_major, statx_of.stx_dev_minor);
	stat->st_rdev = makedev(statx_of.stx_rdev_major,
				statx_of.stx_rdev_minor);
	return true;
}

static void print_descriptor(const struct command *command, int number)
{
	char path[64], target[TEXT];
	struct stat stat;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", command->pid, number);

	ssize_t n = readlink(path, target, sizeof(target));

	if (n < 0 || !stat_descriptor(command, number, &stat))
		return;

	const char *type = NAME_OF(types, (int)(stat.st_mode & S_IFMT));

	printf("%4d: %s mode:%04o dev:%u,%u ino:%llu uid:%u gid:%u", number,
	       type ? type : "anon_inode", stat.st_mode & 07777,
	       major(stat.st_dev), minor(stat.st_dev),
	       (unsigned long long)stat.st_ino, stat.st_uid, stat.st_gid);
	if (S_ISCHR(stat.st_mode) || S_ISBLK(stat.st_mode))
		printf(" rdev:%u,%u\n", major(stat.st_rdev),
		       minor(stat.st_rdev));
	else
		printf(" size:%lld\n", (long long)stat.st_size);
	print_info(command, number, &stat);
	if (S_ISSOCK(stat.st_mode) && !command->is_careful)
		print_socket(command, number, &stat);
	if (!S_ISSOCK(stat.st_mode)) {
		fputs("      ", stdout);
		print_visible(target, (size_t)n);
		putchar('\n');
	}
}

/* -------------------------------------------------------------- processes */

static void print_head(const struct command *command)
{
	char text[TEXT];
	ssize_t n = read_file(command, "cmdline", text, sizeof(text));

	printf("%d:\t", command->pid);
	if (n > 0) {
		while (n > 1 && !text[n - 1])
			n--;
		for (ssize_t i = 0; i < n; i++)
			if (!text[i])
				text[i] = ' ';
		print_visible(text, (size_t)n);
	} else if (read_file(command, "comm", text, sizeof(text)) > 0) {
		text[strcspn(text, "\n")] = '\0';
		putchar('[');
		print_visible(text, strlen(text));
		putchar(']');
	}
	putchar('\n');

	char limit[32];
	const char *line = read_file(command, "limits", text, sizeof(text)) > 0
				   ? strstr(text, "Max open files")
				   : NULL;

	if (line && sscanf(line, "Max open files %31s", limit) == 1)
		printf("  Current rlimit: %s file descriptors\n", limit);
}

static int compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int fail(const char *process, const char *why)
{
	fflush(stdout);
	fputs("pfiles: cannot examine ", stderr);
	fprintf(stderr, "%s: %s\n", process, why);
	return 1;
}

static int show(struct command *command, const char *process)
{
	const char *digits = process;
	char path[64], *end;

	if (!strncmp(digits, "/proc/", 6))
		digits += 6;
	command->pid = (int)strtol(digits, &end, 10);
	if (!isdigit((unsigned char)*digits) || *end || command->pid <= 0)
		return fail(process, "not a process id");
	snprintf(path, sizeof(path), "/proc/%d/fd", command->pid);

	DIR *directory = opendir(path);
	int error = errno, *numbers = NULL;
	size_t n = 0;

	if (!directory)
		return fail(
			process,
			error == ENOENT ? "no such process"
			: error == EACCES || error == EPERM
				? "permission denied (for processes of other users, run as root)"
				: strerror(error));
	for (struct dirent *entry; (entry = readdir(directory));) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		numbers = realloc(numbers, (n + 1) * sizeof(*numbers));
		if (!numbers)
			abort();
		numbers[n++] = atoi(entry->d_name);
	}
	closedir(directory);
	qsort(numbers, n, sizeof(*numbers), compare);
	command->pidfd = (int)syscall(SYS_pidfd_open, command->pid, 0);
	print_head(command);
	for (size_t i = 0; i < n; i++)
		print_descriptor(command, numbers[i]);
	if (command->pidfd >= 0)
		close(command->pidfd);
	free(numbers);
	return 0;
}

int main(int argc, char **argv)
{
	struct command command = { 0 };
	int flag, status = 0;

	streams_hold();
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return usage(stdout, 0);
	while ((flag = getopt(argc, argv, "Fn")) != -1) {
		switch (flag) {
		case 'F':
			break;
		case 'n':
			command.is_careful = true;
			break;
		default:
			return usage(stderr, 2);
		}
	}
	if (optind == argc)
		return usage(stderr, 2);
	for (int i = optind; i < argc; i++)
		status |= show(&command, argv[i]);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "pfiles: cannot write: %s\n", strerror(errno));
		return 1;
	}
	return status;
}
