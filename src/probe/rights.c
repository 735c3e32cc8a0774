/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this process may do with those of other users, for --check.  This only
 * predicts; when it is done, the kernel decides.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/probe.h"

bool may_trace_others(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	memset(sets, 0, sizeof(sets));
	return !syscall(SYS_capget, &head, sets) &&
	       (sets[CAP_TO_INDEX(CAP_SYS_PTRACE)].effective &
		CAP_TO_MASK(CAP_SYS_PTRACE));
}

/* Does it belong to another user, and can its maps be read? */
static bool can_read_maps(const char *pid)
{
	char path[64], byte;
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%.20s", pid);
	if (stat(path, &status) || status.st_uid == geteuid())
		return false;
	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_read = fd >= 0 && read(fd, &byte, 1) == 1;

	if (fd >= 0)
		close(fd);
	return is_read;
}

/*
 * Newer kernels let CAP_PERFMON, too.  Any readable process proves it; an
 * unreadable one proves nothing, since it may be unreadable for everyone.
 */
bool may_see_others(void)
{
	bool may = may_trace_others();
	DIR *directory = may ? NULL : opendir("/proc");

	for (struct dirent *entry;
	     directory && !may && (entry = readdir(directory));)
		may = isdigit((unsigned char)entry->d_name[0]) &&
		      can_read_maps(entry->d_name);
	if (directory)
		closedir(directory);
	return may;
}
