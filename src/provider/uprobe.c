/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User probes: attaching; see uprobe.h.
 *
 * There are three methods.  What matters is how long it takes to remove them:
 *
 *	multi	a link for all places of one file (6.6+): milliseconds for
 *		thousands, to add and to remove, with a cookie for each
 *	event	many places in one event of tracefs (uprobe_event.c): the method
 *		for older kernels, if there are more than a few
 *	perf	an event for each: a tenth of a second each to close
 *
 * A link fails as a whole when the kernel refuses one of its places, so it is
 * retried in halves until the refused places are isolated.  Nothing interrupts
 * the system call that creates one, not even SIGKILL, and while it lasts every
 * fork on the machine waits for its places one by one.  So a link has only some
 * thousands of places, and an interrupt is checked between two links.
 */
#include "provider/uprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "bpf/bpf.h"
#include "bpf/uprobe_multi.h"
#include "provider/uprobe_event.h"

enum { ENOTSUPP_KERNEL = 524, REF_COUNTER_SHIFT = 32, MOST_IN_LINK = 1 << 14 };

/* ---------------------------------------------------------------- context */

static ir_reg select_by_cookie(struct lower *lower)
{
	return ir_intrinsic(&lower->b, IR_ATTACH_COOKIE, 0, 0);
}

void uprobe_stay_in(struct lower *lower, pid_t pid)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *here = ir_block_new(b, "our process");
	struct ir_block *elsewhere = ir_block_new(b, "another process");

	ir_branch(b, ir_binary_imm(b, IR_EQ, lower_process_id(lower), pid),
		  here, elsewhere);
	ir_enter(b, elsewhere);
	ir_return(b);
	ir_enter(b, here);
}

static ir_reg select_return(struct lower *lower)
{
	const struct uprobe_sites *sites = lower->group->select_data;

	uprobe_stay_in(lower, sites->pid);
	return lower->group->nprobes > 1 ? select_by_cookie(lower)
					 : ir_const(&lower->b, 0);
}

void uprobe_context(struct arena *arena, struct probe_group *group)
{
	(void)arena;
	group->lower.phase = PHASE_ACTIVE;
	group->kind.type = BPF_PROG_TYPE_KPROBE;
	group->kind.is_sleepable = bpf_has(FEATURE_SLEEPABLE_UPROBE);
	group->kind.overlaps = true;
	group->kind.attach_type = bpf_has(FEATURE_UPROBE_MULTI)
					  ? ATTACH_UPROBE_MULTI
					  : 0;
	if (group->nprobes > 1)
		group->lower.select = select_by_cookie;
}

void uprobe_context_at(struct arena *arena, struct probe_group *group,
		       const struct uprobe_sites *sites)
{
	uprobe_context(arena, group);
	if (sites->are_told && sites->count > 1)
		group->lower.select = select_by_cookie;
	if (group->kind.attach_type)
		return;
	if (uprobe_event_suits(sites)) {
		group->lower.select = uprobe_event_select;
		group->lower.select_data = uprobe_event_table(arena, sites);
	} else if (sites->pid && sites->count && sites->items[0].is_return) {
		group->lower.select = select_return;
		group->lower.select_data = sites;
	}
}

/* ------------------------------------------------------------ many a link */

struct batch {
	int program_fd;
	pid_t pid;
	const char *path;
	bool is_return, has_semaphores;
	uint64_t *offsets, *cookies, *semaphores;
	uint32_t count;
};

static int link_batch(const struct batch *batch, uint32_t first, uint32_t count)
{
	struct uprobe_multi_attr attr = {
		.prog_fd = (uint32_t)batch->program_fd,
		.attach_type = ATTACH_UPROBE_MULTI,
		.path = (uintptr_t)batch->path,
		.offsets = (uintptr_t)(batch->offsets + first),
		.cookies = (uintptr_t)(batch->cookies + first),
		.count = count,
		.flags = batch->is_return ? UPROBE_MULTI_RETURN : 0,
		.pid = (uint32_t)batch->pid,
	};

	if (batch->has_semaphores)
		attr.semaphores = (uintptr_t)(batch->semaphores + first);
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : fd;
}

/* What a single place is refused for; everything else fails all of them. */
static bool is_about_place(int error)
{
	return error == -ENOTSUPP_KERNEL || error == -EINVAL || error == -EIO ||
	       error == -EOPNOTSUPP;
}

static int attach_batch(struct attachment *attachment,
			const struct batch *batch, uint32_t first,
			uint32_t count, uint32_t *nrefused)
{
	int fd = link_batch(batch, first, count);

	if (fd >= 0) {
		attachment_add(attachment, fd);
		return 0;
	}
	if (!is_about_place(fd))
		return fd;
	if (count == 1) {
		++*nrefused;
		return 0;
	}
	int error = attach_batch(attachment, batch, first, count / 2, nrefused);

	return error ? error
		     : attach_batch(attachment, batch, first + count / 2,
				    count - count / 2, nrefused);
}

static bool is_same_batch(const struct uprobe_site *a,
			  const struct uprobe_site *b)
{
	return a->is_return == b->is_return &&
	       (a->path == b->path || !strcmp(a->path, b->path));
}

static int attach_multi(struct attach_context *context,
			struct attachment *attachment,
			const struct uprobe_sites *sites, uint32_t *nrefused)
{
	struct batch batch = {
		.program_fd = context->program_fd, .pid = sites->pid,
	};
	size_t size = checked_mul(sites->count, sizeof(uint64_t));
	int error = 0;

	batch.offsets = must_alloc(size);
	batch.cookies = must_alloc(size);
	batch.semaphores = must_alloc(size);
	for (uint32_t i = 0; i < sites->count && !error &&
			     !(context->interrupts && *context->interrupts);) {
		const struct uprobe_site *first = &sites->items[i];

		batch.path = first->path;
		batch.is_return = first->is_return;
		batch.has_semaphores = false;
		for (batch.count = 0;
		     i < sites->count && batch.count < MOST_IN_LINK &&
		     is_same_batch(first, &sites->items[i]);
		     i++) {
			const struct uprobe_site *site = &sites->items[i];

			batch.offsets[batch.count] = site->offset;
			batch.cookies[batch.count] = site->probe;
			batch.semaphores[batch.count++] = site->semaphore;
			batch.has_semaphores |= site->semaphore != 0;
		}
		error = attach_batch(attachment, &batch, 0, batch.count,
				     nrefused);
	}
	free(batch.offsets);
	free(batch.cookies);
	free(batch.semaphores);
	return error;
}

/* ---------------------------------------------------------- one each: perf */

static int perf_type(void)
{
	char text[16] = "";
	int fd = open("/sys/bus/event_source/devices/uprobe/type",
		      O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	return n > 0 ? atoi(text) : -ENODEV;
}

static int open_perf(int type, const struct uprobe_site *site, pid_t pid)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)type,
		.config = (site->is_return ? 1 : 0) |
			  site->semaphore << REF_COUNTER_SHIFT,
		.config1 = (uint64_t)(uintptr_t)site->path,
		.config2 = site->offset,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid ? pid : -1,
			      pid ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * A program on such an event runs on every CPU and in every thread of the
 * process, whatever CPU and thread the event is for.
 */
static int attach_perf(struct attach_context *context,
		       struct attachment *attachment,
		       const struct uprobe_sites *sites, uint32_t *nrefused)
{
	int type = perf_type();

	if (type < 0)
		return type;
	attachment_expect(sites->count);
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct uprobe_site *site = &sites->items[i];
		int event = open_perf(type, site, sites->pid);

		if (event < 0 && is_about_place(event)) {
			++*nrefused;
			continue;
		}
		if (event < 0)
			return event;
		attachment_add(attachment, event);
		int link = link_perf_event(context->program_fd, event,
					   site->probe);

		if (link < 0)
			return link;
		attachment_add(attachment, link);
		if (ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0)
			return -errno;
	}
	return 0;
}

/* ------------------------------------------------------------------ attach */

static const char *explain(struct arena *arena, int error)
{
	const char *remedy = "";

	if (error == -EACCES || error == -EPERM)
		remedy =
			" (needs CAP_PERFMON, or CAP_SYS_ADMIN on kernels before 6.6)";
	else if (error == -ESRCH)
		remedy = " (the process has ended)";
	else if (error == -EMFILE)
		remedy =
			" (this kernel takes two descriptors for each: name fewer functions, or raise ulimit -n)";
	else if (error == -ENOTSUPP_KERNEL)
		return "the kernel allows no probe on this instruction";
	return arena_printf(arena, "cannot place a user probe: %s%s",
			    strerror(-error), remedy);
}

int uprobe_attach(struct attach_context *context, struct probe_group *group,
		  const struct uprobe_sites *sites, uint32_t *nrefused)
{
	struct attachment *attachment = attachment_of(group);
	uint32_t refused = 0;
	int error;

	if (group->kind.attach_type == ATTACH_UPROBE_MULTI)
		error = attach_multi(context, attachment, sites, &refused);
	else if (group->lower.select == uprobe_event_select)
		error = uprobe_event_attach(attachment, context->program_fd,
					    sites, &attachment->guard);
	else
		error = attach_perf(context, attachment, sites, &refused);
	if (!error && refused == sites->count && sites->count)
		error = -ENOTSUPP_KERNEL;
	if (error) {
		context->error = explain(context->arena, error);
		uprobe_detach(group);
	}
	if (nrefused)
		*nrefused = refused;
	return error;
}

void uprobe_detach(struct probe_group *group)
{
	struct attachment *attachment = group->attachment;
	int guard = attachment ? attachment->guard : 0;

	attachment_close(group);
	uprobe_event_remove(guard);
}

/* ------------------------------------------------------------ instructions */

uint32_t uprobe_skip_entry(const uint8_t *code, uint32_t size)
{
	uint32_t at = arch_landing_pad(code, size);

	while (at < size && arch_is_unsafe(code + at, size - at)) {
		if (!arch_is_harmless(code + at, size - at))
			return UINT32_MAX;
		at += arch_instruction_length(code + at, size - at);
	}
	return at < size ? at : UINT32_MAX;
}

enum provider_status uprobe_check(struct probe_registry *registry,
				  const struct provider *provider,
				  const char **reason)
{
	(void)registry;
	/* where static probes are shows in what processes map */
	bool has_others = provider == &usdt_provider ? may_see_others()
						     : may_trace_others();

	if (bpf_has(FEATURE_UPROBE_MULTI) && !has_others) {
		*reason =
			"only your own processes: to look at those of others needs CAP_SYS_PTRACE";
		return PROVIDER_PARTLY;
	}
	if (bpf_has(FEATURE_UPROBE_MULTI))
		return PROVIDER_WORKS;
	if (!access("/sys/bus/event_source/devices/uprobe/type", R_OK)) {
		*reason =
			"probes are placed one by one, and thousands take long: use Linux 6.6 or later";
		return PROVIDER_PARTLY;
	}
	*reason =
		"this kernel has no user probes: use one with CONFIG_UPROBE_EVENTS=y";
	return PROVIDER_ABSENT;
}
