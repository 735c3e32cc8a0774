/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracefs, without asking that anybody mounted it.
 *
 * Where the administrator mounted it we use that.  Elsewhere fsopen() and
 * fsmount() give a descriptor of the file system that hangs in no directory:
 * nobody sees it, and it is gone when the descriptor is closed.  Needs
 * CAP_SYS_ADMIN; whoever calls must be able to do without.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/registry.h"

enum {
	FSOPEN_CLOSE_ON_EXEC = 1,
	FSCONFIG_CREATE = 6,
	FSMOUNT_CLOSE_ON_EXEC = 1,
};

static int open_mounted(void)
{
	static const char *const places[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int fd = open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (!faccessat(fd, "events", R_OK | X_OK, 0))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

static int open_detached(void)
{
	int fs = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOSE_ON_EXEC);

	if (fs < 0)
		return -errno;
	int fd = -1;

	if (!syscall(SYS_fsconfig, fs, FSCONFIG_CREATE, NULL, NULL, 0))
		fd = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOSE_ON_EXEC, 0);
	int err = fd < 0 ? -errno : fd;

	close(fs);
	return err;
}

int registry_tracefs(struct probe_registry *registry)
{
	if (!registry->tracefs_tried) {
		registry->tracefs_tried = true;
		registry->tracefs = open_mounted();
		if (registry->tracefs < 0)
			registry->tracefs = open_detached();
	}
	return registry->tracefs;
}
