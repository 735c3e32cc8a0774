/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a provider's file is.
 *
 * Each has a directory of its own, usdt-NAMESPACE-PID-XXXXXX, because the last
 * part of the path is the module that tracers show.  Tried are, in this order,
 * $XDG_RUNTIME_DIR, $TMPDIR, /tmp and /var/tmp; the first one where a file can be
 * mapped executable is used.  Where there is none (a read-only container) the
 * file has no name, and only tracers that open what a process has mapped (dtrace
 * does) find the probes.
 *
 * 1. Files go when the provider is disabled and when the process exits.  The
 *    child of a fork removes nothing of its parent's.
 * 2. A process that is killed leaves its file.  So who makes its first one looks
 *    for those of processes that have ended, of the same user and pid namespace; of
 *    others nobody could say whether they run.
 */
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "usdt-";

static unsigned long long namespace_of_pids(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

/* A directory with one file, or none yet; by descriptor, so no link misleads. */
static void remove_directory(int parent, const char *name)
{
	int fd = openat(parent, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	DIR *directory;

	if (fd < 0)
		return;
	if (fstat(fd, &st) || st.st_uid != geteuid() ||
	    !(directory = fdopendir(fd))) {
		close(fd);
		return;
	}
	for (const struct dirent *entry; (entry = readdir(directory));)
		if (entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, 0);
	closedir(directory);
	unlinkat(parent, name, AT_REMOVEDIR);
}

static void sweep(const char *where)
{
	DIR *directory = opendir(where);

	if (!directory)
		return;
	for (const struct dirent *entry; (entry = readdir(directory));) {
		unsigned long long namespace;
		int pid;

		if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1) ||
		    sscanf(entry->d_name + sizeof(prefix) - 1, "%llu-%d-",
			   &namespace, &pid) != 2 ||
		    namespace != namespace_of_pids() || pid <= 0 ||
		    !kill(pid, 0) || errno != ESRCH)
			continue;
		remove_directory(dirfd(directory), entry->d_name);
	}
	closedir(directory);
}

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

static int fill(struct file *file, const void *bytes, size_t size)
{
	int error = write_all(file->fd, bytes, size);
	void *trial;

	if (error)
		return error;
	trial = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file->fd,
		     0);
	if (trial == MAP_FAILED) /* noexec */
		return -errno;
	munmap(trial, size);
	return 0;
}

static int make_in(struct file *file, const char *where, const char *name,
		   const void *bytes, size_t size, bool is_first)
{
	size_t room = sizeof(file->path);
	int n = snprintf(file->path, room, "%s/%s%llu-%d-XXXXXX", where, prefix,
			 namespace_of_pids(), (int)getpid());
	int error;

	if (n < 0 || (size_t)n + strlen(name) + 2 > room)
		return -ENAMETOOLONG;
	if (is_first)
		sweep(where);
	if (!mkdtemp(file->path))
		return -errno;
	chmod(file->path, 0755);
	snprintf(file->path + n, room - (size_t)n, "/%s", name);
	file->fd = open(file->path,
			O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0755);
	error = file->fd < 0 ? -errno : fill(file, bytes, size);
	if (!error) {
		fchmod(file->fd, 0755);
		return 0;
	}
	if (file->fd >= 0)
		close(file->fd);
	file_remove(file);
	return error;
}

int file_make(struct file *file, const char *name, const void *bytes,
	      size_t size, bool is_first)
{
	const char *const places[] = { secure_getenv("XDG_RUNTIME_DIR"),
				       secure_getenv("TMPDIR"), "/tmp",
				       "/var/tmp" };
	int error;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (places[i] && *places[i] == '/' &&
		    !make_in(file, places[i], name, bytes, size, is_first))
			return 0;
	file->path[0] = '\0';
	file->fd = memfd_create(name, MFD_CLOEXEC);
	if (file->fd < 0)
		return -errno;
	error = fill(file, bytes, size);
	if (error)
		close(file->fd);
	return error;
}

void file_remove(struct file *file)
{
	char *slash = strrchr(file->path, '/');

	if (!slash)
		return;
	unlink(file->path);
	*slash = '\0';
	rmdir(file->path);
	file->path[0] = '\0';
}
