/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holding programs in their places.
 *
 * Everything that attaches is a descriptor of this process: a BPF link, a raw
 * tracepoint, a perf event.  Closing it detaches, and so does dying: nothing is
 * left over.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "provider/provider.h"

struct attachment *attachment_of(struct probe_group *group)
{
	if (!group->attachment) {
		struct attachment *attachment = must_alloc(sizeof(*attachment));

		*attachment = (struct attachment){ 0 };
		group->attachment = attachment;
	}
	return group->attachment;
}

void attachment_add(struct attachment *attachment, int fd)
{
	size_t count = (size_t)attachment->count + 1;

	attachment->fds = must_realloc(attachment->fds,
				       count * sizeof(*attachment->fds));
	attachment->fds[attachment->count++] = fd;
}

/* Last first: a link goes before the event that it hangs on. */
void attachment_close(struct probe_group *group)
{
	struct attachment *attachment = group->attachment;

	if (!attachment)
		return;
	for (unsigned i = attachment->count; i > 0; i--)
		close(attachment->fds[i - 1]);
	free(attachment->fds);
	free(attachment);
	group->attachment = NULL;
}

static int bpf_call(int command, union bpf_attr *attr)
{
	int fd = (int)syscall(SYS_bpf, command, attr, sizeof(*attr));

	return fd < 0 ? -errno : fd;
}

int link_raw_tracepoint(int program_fd, const char *tracepoint)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uint64_t)(uintptr_t)tracepoint;
	attr.raw_tracepoint.prog_fd = (uint32_t)program_fd;
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int link_perf_event(int program_fd, int event_fd, uint64_t cookie)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)program_fd;
	attr.link_create.target_fd = (uint32_t)event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	return bpf_call(BPF_LINK_CREATE, &attr);
}

ir_reg context_word(struct lower *lower, uint32_t offset)
{
	struct ir_mem mem = { .space = IR_CONTEXT, .offset = offset };

	return ir_load(&lower->b, mem, 8, false);
}

void attachment_expect(uint32_t count)
{
	enum { OTHERS = 256 }; /* that are not of probes */
	struct rlimit limit;
	int next = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);

	if (next >= 0)
		close(next);
	/* two for each, beside those that are open */
	uint64_t wanted = (uint64_t)(next > 0 ? next : 0) + 2ull * count +
			  OTHERS;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
		return;
	struct rlimit raised = { .rlim_cur = wanted, .rlim_max = wanted };

	if (limit.rlim_max < wanted && !setrlimit(RLIMIT_NOFILE, &raised))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
