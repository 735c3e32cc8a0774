/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files on remote or user-space file systems; see served.h.
 *
 * The table of mounts is read once, and again when the kernel reports a change.
 * A process may have its own table (containers, user namespaces), which is read
 * each time a device is not in ours: device numbers are reused.  A file system
 * may be in no table at all, if it was unmounted lazily or is outside our root;
 * FUSE lists its connections (fusectl).
 *
 * Overlay file systems show files of others.  One in our own table was mounted
 * by the administrator.  If it is not in our table we cannot see what it shows,
 * so it is read only while there is no FUSE file system that it could show.
 */
#include "proc/served.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/vec.h"

#define CONNECTIONS "/sys/fs/fuse/connections"

enum { PATIENCE_MS = 3000, TYPE_LIMIT = 32 };

enum verdict { UNKNOWN, LOCAL, BY_PROCESS, REMOTE };

struct known_device {
	uint64_t device;
	bool is_tried, answers, is_told;
};

struct served {
	struct served_hooks hooks;
	bool is_tried; /* mounts_fd was opened */
	int mounts_fd;
	struct text mounts;
	struct known_device *devices;
	size_t ndevices;
};

static const char *const local_types[] = {
	"ext4", "ext3", "ext2", "xfs", "btrfs", "tmpfs", "overlay", "devtmpfs",
	"ramfs", "rootfs", "hugetlbfs", "f2fs", "zfs", "bcachefs", "jfs",
	"reiserfs", "nilfs2", "ubifs", "jffs2", "squashfs", "erofs", "cramfs",
	"iso9660", "udf", "vfat", "msdos", "exfat", "ntfs3", "hfsplus",
};

struct served *served_new(const struct served_hooks *hooks)
{
	struct served *served = must_alloc(sizeof(*served));

	*served = (struct served){ .mounts_fd = -1 };
	if (hooks)
		served->hooks = *hooks;
	return served;
}

void served_free(struct served *served)
{
	if (!served)
		return;
	if (served->mounts_fd >= 0)
		close(served->mounts_fd);
	text_free(&served->mounts);
	free(served->devices);
	free(served);
}

/* ----------------------------------------------------------------- mounts */

static void read_all(int fd, struct text *text)
{
	char chunk[4096];
	ssize_t n;

	text_clear(text);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		text_add(text, chunk, (size_t)n);
}

/* Our own table, as it is now. */
static const char *own_mounts(struct served *served)
{
	struct pollfd changes = { .fd = served->mounts_fd, .events = POLLPRI };

	if (!served->is_tried)
		served->mounts_fd = open("/proc/self/mountinfo",
					 O_RDONLY | O_CLOEXEC);
	else if (poll(&changes, 1, 0) <= 0)
		return text_str(&served->mounts);
	served->is_tried = true;
	if (served->mounts_fd < 0)
		return "";
	lseek(served->mounts_fd, 0, SEEK_SET);
	read_all(served->mounts_fd, &served->mounts);
	return text_str(&served->mounts);
}

/*
 * The type of the file system with that device in a table, or "".  Lines are
 * "36 35 98:0 /root /point options [more ...] - type source options".
 */
static void find_type(const char *mounts, uint64_t device,
		      char type[TYPE_LIMIT])
{
	char key[32];

	snprintf(key, sizeof(key), " %u:%u ", (unsigned)(device >> 32),
		 (unsigned)device);
	type[0] = '\0';
	for (const char *line = mounts, *end; *line; line = end) {
		end = strchrnul(line, '\n');
		const char *found = strstr(line, key);
		const char *dash = found ? strstr(found, " - ") : NULL;

		end += *end != '\0';
		if (!found)
			return;
		if (found < end && dash && dash < end)
			sscanf(dash, " - %31s", type);
		if (*type)
			return;
	}
}

static enum verdict verdict_of(const char *type)
{
	if (!*type)
		return UNKNOWN;
	if (!strncmp(type, "fuse", 4))
		return BY_PROCESS;
	for (size_t i = 0; i < sizeof(local_types) / sizeof(*local_types); i++)
		if (!strcmp(type, local_types[i]))
			return LOCAL;
	return REMOTE;
}

static bool has_connections(void)
{
	DIR *directory = opendir(CONNECTIONS);
	bool found = false;

	if (!directory)
		return false;
	for (const struct dirent *entry; (entry = readdir(directory));)
		found |= entry->d_name[0] != '.';
	closedir(directory);
	return found;
}

/* Shared memory (memfd, and a program executed from one) is in no table. */
static bool is_shared_memory(uint64_t device)
{
	struct stat own;
	int fd = memfd_create("dtrace", MFD_CLOEXEC);
	bool is_same = fd >= 0 && !fstat(fd, &own) &&
		       device == ((uint64_t)major(own.st_dev) << 32 |
				  minor(own.st_dev));

	if (fd >= 0)
		close(fd);
	return is_same;
}

static enum verdict verdict_elsewhere(pid_t pid, uint64_t device)
{
	char path[64], type[TYPE_LIMIT];
	struct text mounts = { 0 };

	snprintf(path, sizeof(path), "/proc/%d/mountinfo", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		read_all(fd, &mounts);
		close(fd);
	}
	find_type(text_str(&mounts), device, type);
	text_free(&mounts);
	enum verdict verdict = verdict_of(type);

	if (!strcmp(type, "overlay") && has_connections())
		return BY_PROCESS;
	if (verdict != UNKNOWN)
		return verdict;
	snprintf(path, sizeof(path), CONNECTIONS "/%u", (unsigned)device);
	if (!(device >> 32) && !access(path, F_OK))
		return BY_PROCESS;
	return device >> 32 || is_shared_memory(device) ? LOCAL : REMOTE;
}

static enum verdict look_up(struct served *served, pid_t pid, uint64_t device)
{
	char type[TYPE_LIMIT];

	find_type(own_mounts(served), device, type);
	enum verdict verdict = verdict_of(type);

	return verdict == UNKNOWN ? verdict_elsewhere(pid, device) : verdict;
}

/* ------------------------------------------------------------------ trial */

/* The child holds nothing that must end with us, should it hang. */
static void try_in_child(const char *file)
{
	char byte;

	syscall(SYS_close_range, 3, ~0u, 0);
	signal(SIGINT, SIG_DFL);
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	/* a failure is an answer */
	if (fd >= 0)
		(void)!pread(fd, &byte, 1, 0);
	_exit(0);
}

/* A signal, an interrupt of the run, say, does not end the wait. */
static bool ends_in_time(struct pollfd *end)
{
	uint64_t deadline = clock_monotonic() + PATIENCE_MS * 1000000ull;
	int left = PATIENCE_MS, ready;

	while ((ready = poll(end, 1, left)) < 0 && errno == EINTR) {
		uint64_t now = clock_monotonic();

		left = now < deadline ? (int)((deadline - now) / 1000000) : 0;
	}
	return ready == 1;
}

static bool answers(const char *file)
{
	pid_t child = fork();

	if (!child)
		try_in_child(file);
	if (child < 0)
		return false;
	struct pollfd end = {
		.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN,
	};
	bool has_ended = ends_in_time(&end);

	close(end.fd);
	if (!has_ended)
		kill(child, SIGKILL);
	/* if it cannot be killed either, it is left to init */
	waitpid(child, NULL, has_ended ? 0 : WNOHANG);
	return has_ended;
}

/* -------------------------------------------------------------------- all */

static struct known_device *know(struct served *served, uint64_t device)
{
	for (size_t i = 0; i < served->ndevices; i++)
		if (served->devices[i].device == device)
			return &served->devices[i];
	served->devices = must_realloc(served->devices,
				       checked_mul(served->ndevices + 1,
						   sizeof(*served->devices)));
	served->devices[served->ndevices] = (struct known_device){
		.device = device,
	};
	return &served->devices[served->ndevices++];
}

static void tell(const struct served *served, struct known_device *known,
		 const char *name, const char *why)
{
	struct text text = { 0 };

	if (known->is_told || !served->hooks.warn)
		return;
	known->is_told = true;
	text_printf(
		&text,
		"%s is not read: %s, so what is in it has no names and no probes (-x blockingreads reads it and may hang)",
		name, why);
	served->hooks.warn(served->hooks.context, text_str(&text));
	text_free(&text);
}

bool served_may_open(struct served *served, pid_t pid, uint64_t device,
		     const char *file, const char *name)
{
	const struct served_hooks *hooks = &served->hooks;

	if (hooks->waits && hooks->waits(hooks->context))
		return true;
	enum verdict verdict = look_up(served, pid, device);

	if (verdict == LOCAL)
		return true;
	struct known_device *known = know(served, device);

	if (verdict == BY_PROCESS) {
		tell(served, known, name,
		     "its file system is served by a process that may never answer (FUSE)");
		return false;
	}
	if (!known->is_tried)
		known->answers = answers(file);
	known->is_tried = true;
	if (!known->answers)
		tell(served, known, name, "its file system does not answer");
	return known->answers;
}

bool served_program(pid_t pid, uint64_t *device, uint64_t *inode)
{
	char path[32];
	struct statx status;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO, &status))
		return false;
	*device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
	*inode = status.stx_ino;
	return true;
}
