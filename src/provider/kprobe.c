/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kprobes: a perf event for every place.
 *
 * They work at any instruction, and globs use them on kernels that have nothing
 * better.  The kernel arms and disarms them one by one: 20 to 100 ms each, more
 * while it rewrites others in the background.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "provider/kernel_function.h"
#include "provider/provider.h"

/* A number in a file of the kprobe events' directory in sysfs. */
static int read_event_number(const char *name, const char *format)
{
	char path[96];
	int number = -ENOENT;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/kprobe/%s",
		 name);
	FILE *file = fopen(path, "re");

	if (file && fscanf(file, format, &number) != 1)
		number = -ENOENT;
	if (file)
		fclose(file);
	return number;
}

static int open_kprobe(uint64_t address, bool is_return)
{
	int type = read_event_number("type", "%d");
	int bit = is_return ? read_event_number("format/retprobe", "config:%d")
			    : 0;

	if (type < 0 || bit < 0)
		return -EOPNOTSUPP;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)type,
		.config = is_return ? 1ull << bit : 0,
		.config2 = address,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int kprobe_attach(struct attachment *attachment, int program_fd,
		  uint64_t address, bool is_return, uint64_t cookie)
{
	int event = open_kprobe(address, is_return);

	if (event < 0)
		return event;
	int link = link_perf_event(program_fd, event, cookie);

	if (link < 0 || ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0) {
		int err = link < 0 ? link : -errno;

		if (link >= 0)
			close(link);
		close(event);
		return err;
	}
	attachment_add(attachment, event);
	attachment_add(attachment, link);
	return 0;
}
