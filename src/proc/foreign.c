/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/foreign.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Its name in the file system: a descriptor that opens nothing. */
static int find(const char *root, const char *path, bool may_be_link)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC |
			 (may_be_link ? 0 : (uint64_t)O_NOFOLLOW),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int at = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return -1;
	int fd = (int)syscall(SYS_openat2, at, path, &how, sizeof(how));

	close(at);
	return fd;
}

/* Open what was found and checked; closes the found descriptor. */
static int open_found(int found)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	close(found);
	return fd;
}

int foreign_open(const char *root, const char *path, bool may_be_link,
		 uid_t owner)
{
	int found = find(root, path, may_be_link);
	struct stat stat;

	if (found < 0)
		return -1;
	if (!fstat(found, &stat) && S_ISREG(stat.st_mode) &&
	    (!stat.st_uid || stat.st_uid == owner))
		return open_found(found);
	close(found);
	return -1;
}

int foreign_open_inode(const char *root, const char *path, ino_t inode)
{
	int found = find(root, path, true);
	struct stat stat;

	if (found < 0)
		return -1;
	if (!fstat(found, &stat) && S_ISREG(stat.st_mode) &&
	    stat.st_ino == inode)
		return open_found(found);
	close(found);
	return -1;
}
