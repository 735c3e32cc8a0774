/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many user probes in one event of tracefs.
 *
 * Kernels before 6.6 can attach a program to one user probe at a time, and take
 * a tenth of a second to remove each.  But an event of tracefs may have
 * thousands of places, and is removed in less than a second.  Its costs:
 *
 * 1. There is one cookie for all.  The probe is identified by the current
 *    address of the process, or for returns by that of the function, which the
 *    kernel passes to the event; a table of addresses is searched.  So all
 *    sites must be of one process.
 * 2. The event outlives us, however we die.  A child that only waits for our
 *    end removes it (guard()).  If that was killed, too, the next tracer that
 *    creates such events removes those of dead tracers.  The name of the event
 *    says which tracer owns it.
 * 3. A killed tracer has been seen to leave probes in place (6.1, 99 of 100).
 *    Presumably a process that is being killed may no longer access the memory
 *    of another one, so the kernel cannot remove its breakpoints on its behalf.
 *    So the guard has copies of the descriptors, and it is always the guard, a
 *    live process, that closes the last one.
 */
#include "provider/uprobe_event.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	FEW = 4,		/* one by one is as good */
	REMOVE_TRIES = 500, REMOVE_PAUSE_US = 20000,
	CHUNK = 256,		/* definitions at a time */
};

#define GROUP "dtrace_"

/* ----------------------------------------------------------- by addresses */

struct entry {
	uint64_t address;
	uint32_t probe;
};

struct address_table {
	struct entry *entries;
	uint32_t count;
	bool is_return;
	pid_t pid;
};

bool uprobe_event_suits(const struct uprobe_sites *sites)
{
	if (!sites || !sites->pid || sites->count <= FEW)
		return false;
	for (uint32_t i = 0; i < sites->count; i++)
		if (!sites->items[i].address || sites->items[i].semaphore ||
		    sites->items[i].is_return != sites->items[0].is_return)
			return false;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

const void *uprobe_event_table(struct arena *arena,
			       const struct uprobe_sites *sites)
{
	struct address_table *table = arena_new_of(arena, struct address_table);

	table->pid = sites->pid;
	table->count = sites->count;
	table->is_return = sites->items[0].is_return;
	table->entries = arena_array_of(arena, struct entry, sites->count);
	for (uint32_t i = 0; i < sites->count; i++)
		table->entries[i] = (struct entry){
			sites->items[i].address,
			sites->items[i].probe,
		};
	qsort(table->entries, table->count, sizeof(struct entry), by_address);
	return table;
}

static uint32_t member_offset(struct types *types, const char *type,
			      const char *name)
{
	struct member member;

	return types_kernel_member(types, type, name, &member)
		       ? (uint32_t)(member.bit_offset / 8)
		       : 0;
}

/*
 * While a program runs on such an event, the task knows where the event's own
 * data is, and that says which address the probe was put on: for a return the
 * start of the function, also where one function has jumped to another.
 */
static ir_reg probed_address(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	ir_reg task = ir_query(b, IR_QUERY_TASK_TYPED);
	uint32_t own = member_offset(lower->types, "task_struct", "utask");
	uint32_t data = member_offset(lower->types, "uprobe_task", "vaddr");
	uint32_t address = member_offset(lower->types, "uprobe_dispatch_data",
					 "bp_addr");
	ir_reg at = ir_load(b, ir_mem_from(IR_TYPED, task, own), 8, false);

	at = ir_read_scalar(b, IR_KERNEL, ir_binary_imm(b, IR_ADD, at, data), 8,
			    false);
	return ir_read_scalar(b, IR_KERNEL,
			      ir_binary_imm(b, IR_ADD, at, address), 8, false);
}

static struct ir_mem table_at(struct ir_mem table, ir_reg index,
			      struct lower *lower, unsigned shift,
			      uint32_t count)
{
	table.base = ir_binary_imm(&lower->b, IR_SHL, index, shift);
	table.bound = ((count - 1) << shift) + 1;
	return table;
}

/* The last of 2^n addresses, in order, that is not above ours. */
static ir_reg find(struct lower *lower, struct ir_mem addresses, uint32_t count,
		   ir_reg address)
{
	struct ir_builder *b = &lower->b;
	ir_reg at = ir_const(b, 0);

	for (uint32_t half = count / 2; half; half /= 2) {
		ir_reg next = ir_binary_imm(b, IR_ADD, at, half);
		ir_reg there =
			ir_load(b, table_at(addresses, next, lower, 3, count),
				8, false);
		ir_reg is_below = ir_binary(b, IR_ULE, there, address);

		at = ir_binary(b, IR_ADD, at,
			       ir_binary_imm(b, IR_MUL, is_below, half));
	}
	return at;
}

ir_reg uprobe_event_select(struct lower *lower)
{
	const struct address_table *table = lower->group->select_data;
	struct ir_builder *b = &lower->b;
	struct arena *arena = lower->session->arena;
	uint32_t count = 1;

	while (count < table->count)
		count *= 2;
	uint64_t *addresses = arena_array_of(arena, uint64_t, count);
	uint32_t *probes = arena_array_of(arena, uint32_t, count);

	for (uint32_t i = 0; i < count; i++) {
		bool is_there = i < table->count;

		addresses[i] = is_there ? table->entries[i].address
					: UINT64_MAX;
		probes[i] = is_there ? table->entries[i].probe : 0;
	}
	if (table->is_return)
		uprobe_stay_in(lower, table->pid);
	ir_reg address = table->is_return ? probed_address(lower)
					  : context_word(lower, ARCH_PC);
	struct ir_mem places = ir_rodata(b->program, addresses, count * 8, 8);
	ir_reg at = find(lower, places, count, address);
	ir_reg found = ir_load(b, table_at(places, at, lower, 3, count), 8,
			       false);
	struct ir_block *ours = ir_block_new(b, "our probe");
	struct ir_block *none = ir_block_new(b, "not our probe");

	ir_branch(b, ir_binary(b, IR_EQ, found, address), ours, none);
	ir_enter(b, none);
	ir_return(b);
	ir_enter(b, ours);
	struct ir_mem numbers = ir_rodata(b->program, probes, count * 4, 8);

	return ir_load(b, table_at(numbers, at, lower, 2, count), 4, false);
}

/* ------------------------------------------------------------- the events */

static int open_tracefs(void)
{
	int fd = open("/sys/kernel/tracing",
		      O_DIRECTORY | O_RDONLY | O_CLOEXEC);

	if (fd < 0 || faccessat(fd, "uprobe_events", W_OK, 0)) {
		if (fd >= 0)
			close(fd);
		fd = open("/sys/kernel/debug/tracing",
			  O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

static int open_events(int tracefs)
{
	int fd = openat(tracefs, "uprobe_events",
			O_WRONLY | O_APPEND | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int write_all(int fd, const char *text)
{
	size_t size = strlen(text);

	return write(fd, text, size) == (ssize_t)size ? 0 : -errno;
}

static int remove_event(int events, const char *name)
{
	char line[640];

	snprintf(line, sizeof(line), "-:%s\n", name);
	return write_all(events, line);
}

/* Events of dead tracers; those still in use cannot be removed. */
static void sweep(int tracefs, int events)
{
	int fd = openat(tracefs, "events", O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	DIR *groups = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *group, *event;

	while (groups && (group = readdir(groups))) {
		const char *name = group->d_name;

		if (strncmp(name, GROUP, strlen(GROUP)))
			continue;
		long pid = atol(name + strlen(GROUP));

		if (pid <= 0 || !kill((pid_t)pid, 0) || errno != ESRCH)
			continue;
		int inner = openat(dirfd(groups), name,
				   O_DIRECTORY | O_RDONLY | O_CLOEXEC);
		DIR *members = inner < 0 ? NULL : fdopendir(inner);

		while (members && (event = readdir(members))) {
			char both[600];

			if (event->d_type != DT_DIR || event->d_name[0] == '.')
				continue;
			snprintf(both, sizeof(both), "%s/%s", name,
				 event->d_name);
			remove_event(events, both);
		}
		if (members)
			closedir(members);
	}
	if (groups)
		closedir(groups);
}

/* One definition per line; the first creates the event, others add to it. */
static int define(int events, const char *name,
		  const struct uprobe_sites *sites)
{
	struct text text = { 0 };
	int error = 0;

	for (uint32_t i = 0; i < sites->count && !error; i++) {
		const struct uprobe_site *site = &sites->items[i];

		text_printf(&text, "%c:%s %s:0x%llx\n",
			    site->is_return ? 'r' : 'p', name, site->path,
			    (unsigned long long)site->offset);
		if ((i + 1) % CHUNK && i + 1 < sites->count)
			continue;
		error = write_all(events, text_str(&text));
		/* two probes in one place: the event has it once */
		if (error == -EEXIST)
			error = 0;
		text_free(&text);
		text = (struct text){ 0 };
	}
	text_free(&text);
	return error;
}

static int event_id(int tracefs, const char *name)
{
	char path[160], text[16] = "";

	snprintf(path, sizeof(path), "events/%s/id", name);
	int fd = openat(tracefs, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	return n > 0 ? atoi(text) : -EIO;
}

/* Closes all descriptors but two. */
static void keep_only(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (low > 0)
		syscall(SYS_close_range, 0, low - 1, 0);
	if (high > low + 1)
		syscall(SYS_close_range, low + 1, high - 1, 0);
	syscall(SYS_close_range, high + 1, ~0u, 0);
}

/* Room for the descriptors of a perf event and of the link on it. */
union held {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(2 * sizeof(int))];
};

/* What arrives is kept, open, until the other end is closed. */
static void hold_until_end(int other)
{
	for (;;) {
		char byte;
		union held held;
		struct iovec data = { &byte, 1 };
		struct msghdr message = {
			.msg_iov = &data, .msg_iovlen = 1,
			.msg_control = held.bytes,
			.msg_controllen = sizeof(held.bytes),
		};
		ssize_t n = recvmsg(other, &message, MSG_CMSG_CLOEXEC);

		if (n == 0 || (n < 0 && errno != EINTR))
			return;
	}
}

/* Waits for the end of the process that has the other end of the socket. */
static _Noreturn void guard(int other, const char *name)
{
	int tracefs = open_tracefs();
	int events = tracefs < 0 ? tracefs : open_events(tracefs);
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	/* nothing of the tracer may live on with us */
	keep_only(other, events);
	hold_until_end(other);
	keep_only(other, events);
	for (int i = 0; i < REMOVE_TRIES; i++) {
		if (remove_event(events, name) != -EBUSY)
			break;
		usleep(REMOVE_PAUSE_US);
	}
	_exit(0);
}

/* Socket whose closing starts the guard's work, or a negative errno. */
static int start_guard(const char *name)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	pid_t child = fork();

	if (!child) {
		/* an orphan, so that no process has to wait for it */
		if (fork())
			_exit(0);
		close(ends[1]);
		guard(ends[0], name);
	}
	close(ends[0]);
	if (child < 0) {
		close(ends[1]);
		return -EAGAIN;
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	return ends[1];
}

static int give(int guard, int event, int link)
{
	char byte = 0;
	union held held = { .bytes = { 0 } };
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = held.bytes,
		.msg_controllen = sizeof(held.bytes),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int fds[2] = { event, link };

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(header), fds, sizeof(fds));
	return sendmsg(guard, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int open_event(int id, pid_t pid)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT,
		.config = (uint64_t)id, .disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int put_program(struct attachment *attachment, int program_fd,
		       int tracefs, const char *name, pid_t pid, int guard)
{
	int id = event_id(tracefs, name);
	int event = id < 0 ? id : open_event(id, pid);

	if (event < 0)
		return event;
	attachment_add(attachment, event);
	int link = link_perf_event(program_fd, event, 0);

	if (link < 0)
		return link;
	attachment_add(attachment, link);
	int error = give(guard, event, link);

	if (error)
		return error;
	return ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

int uprobe_event_attach(struct attachment *attachment, int program_fd,
			const struct uprobe_sites *sites, int *guard)
{
	static unsigned number;
	int tracefs = open_tracefs();
	int events = tracefs < 0 ? tracefs : open_events(tracefs);
	int error = events < 0 ? events : 0;
	char name[64];

	if (!error) {
		sweep(tracefs, events);
		snprintf(name, sizeof(name), GROUP "%d/g%u", (int)getpid(),
			 number++);
		*guard = start_guard(name);
		error = *guard < 0 ? *guard : define(events, name, sites);
	}
	if (!error)
		error = put_program(attachment, program_fd, tracefs, name,
				    sites->pid, *guard);
	if (events >= 0)
		close(events);
	if (tracefs >= 0)
		close(tracefs);
	return error;
}

/* The guard's end of the socket is closed when it has done its work. */
void uprobe_event_remove(int guard)
{
	char byte;

	if (guard <= 0)
		return;
	shutdown(guard, SHUT_WR);
	while (read(guard, &byte, 1) < 0 && errno == EINTR)
		continue;
	close(guard);
}
