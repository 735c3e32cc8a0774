/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracefs, mounted or not.
 *
 * Where the administrator mounted it we use that.  Elsewhere fsopen() and
 * fsmount() give a descriptor of the file system that is attached to no
 * directory: it is invisible to others, and gone when the descriptor is closed.
 * Needs CAP_SYS_ADMIN; callers must be able to work without it.
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

/* -EACCES: it is there, but not for us. */
static int open_mounted(void)
{
	static const char *const places[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};

	int error = -ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int fd = open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		/*
		 * checked with the effective rights, not those of the real user
		 */
		if (fd >= 0 &&
		    !faccessat(fd, "events", R_OK | X_OK, AT_EACCESS))
			return fd;
		if (errno == EACCES)
			error = -EACCES;
		if (fd >= 0)
			close(fd);
	}
	return error;
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
		int detached = registry->tracefs < 0 ? open_detached() : -1;

		if (detached >= 0 || registry->tracefs == -ENOENT)
			registry->tracefs = detached;
	}
	return registry->tracefs;
}

const char *registry_tracefs_problem(struct probe_registry *registry)
{
	int error = registry_tracefs(registry);

	if (error >= 0)
		return NULL;
	if (error == -EACCES)
		return "tracefs, which has the names of the tracepoints, cannot be read: needs CAP_DAC_READ_SEARCH, or root may give it to a group (mount -o remount,gid=GROUP,mode=0750 /sys/kernel/tracing)";
	if (error == -EPERM)
		return "tracefs, which has the names of the tracepoints, is not mounted: root may mount it (mount -t tracefs -o gid=GROUP,mode=0750 tracefs /sys/kernel/tracing); to see it unmounted needs CAP_SYS_ADMIN";
	return "this kernel has no tracefs, which has the names of the tracepoints: use one with CONFIG_TRACING=y";
}
