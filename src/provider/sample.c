/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that run when a perf event overflows, on the CPUs where it counts.
 *
 * Each CPU has its own event, and the program is attached to it by a link whose
 * cookie identifies the probe in its group.  The program's context shows what
 * was interrupted: the saved registers say whether that was the kernel or user
 * code.
 */
#include "provider/sample.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static ir_reg select_probe(struct lower *lower)
{
	return ir_intrinsic(&lower->b, IR_ATTACH_COOKIE, 0, 0);
}

static ir_reg is_mode(struct lower *lower, bool is_user)
{
	struct ir_builder *b = &lower->b;
	ir_reg mode = ir_binary_imm(b, IR_AND, context_word(lower, ARCH_MODE),
				    ARCH_MODE_BITS);

	return ir_binary_imm(b, is_user == ARCH_USER_MODE_IS_0 ? IR_EQ : IR_NE,
			     mode, 0);
}

static ir_reg in_kernel(struct lower *lower)
{
	return is_mode(lower, false);
}

/* The interrupted address if it was in user mode (or kernel mode), else 0. */
static ir_reg interrupted(struct lower *lower, bool in_user_mode)
{
	struct ir_builder *b = &lower->b;
	ir_reg address = context_word(lower, ARCH_PC);

	/* -1 or 0 as a mask needs no branch */
	return ir_binary(b, IR_AND, address,
			 ir_unary(b, IR_NEG, is_mode(lower, in_user_mode)));
}

static ir_reg argument(struct lower *lower, uint32_t n)
{
	if (n > 1)
		return ir_const(&lower->b, 0);
	return interrupted(lower, n == 1);
}

void sample_context(struct probe_group *group)
{
	group->lower.is_periodic = true;
	group->lower.select = group->nprobes > 1 ? select_probe : NULL;
	group->lower.argument = argument;
	group->lower.in_kernel = in_kernel;
}

int sample_open(const struct perf_event_attr *attr, int cpu)
{
	struct perf_event_attr copy = *attr;
	int fd = (int)syscall(SYS_perf_event_open, &copy, -1, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int attach_cpu(struct attachment *attachment, int program_fd,
		      const struct perf_event_attr *attr, uint32_t index,
		      int cpu)
{
	int event = sample_open(attr, cpu);

	if (event < 0)
		return event;
	attachment_add(attachment, event);
	int link = link_perf_event(program_fd, event, index);

	if (link < 0)
		return link;
	attachment_add(attachment, link);
	return ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0 ? -errno : 0;
}

/* "0-3,5": the next CPU of the list at *at, or -1. */
static int next_cpu(const char **at, int *last)
{
	if (*last >= 0) {
		char *end;
		long high = **at == '-' ? strtol(*at + 1, &end, 10) : *last;

		if (*last < high)
			return ++*last;
		if (**at == '-')
			*at = end;
		if (**at == ',')
			++*at;
	}
	if (!isdigit((unsigned char)**at))
		return -1;
	char *end;

	*last = (int)strtol(*at, &end, 10);
	*at = end;
	return *last;
}

static void read_online(char *list, size_t size)
{
	int fd = open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, list, size - 1);

	if (fd >= 0)
		close(fd);
	if (n > 0)
		list[n] = '\0';
	else
		strcpy(list, "0");
}

static int attach_probe(struct attach_context *context,
			struct probe_group *group, uint32_t index,
			const struct perf_event_attr *attr, bool on_one_cpu)
{
	struct attachment *attachment = attachment_of(group);
	int64_t wanted = context->options
				 ? option_number(context->options, OPTION_CPU)
				 : -1;
	int cpu, last = -1, err = 0;
	bool is_found = false;
	char list[4096];
	const char *at = list;

	read_online(list, sizeof(list));
	while (!err && (cpu = next_cpu(&at, &last)) >= 0) {
		if (wanted >= 0 && cpu != wanted)
			continue;
		is_found = true;
		err = attach_cpu(attachment, context->program_fd, attr, index,
				 cpu);
		if (on_one_cpu)
			break;
	}
	if (!is_found)
		return -ENODEV;
	return err;
}

static const char *explain(struct arena *arena, const char *what,
			   const struct probe *probe, int err)
{
	const char *remedy = "";

	if (err == -EACCES || err == -EPERM)
		remedy =
			" (needs CAP_PERFMON, or CAP_SYS_ADMIN where kernel.perf_event_paranoid is above 2)";
	else if (err == -ENODEV)
		remedy = " (that CPU is not online)";
	else if (err == -ENOSPC || err == -EBUSY)
		remedy = " (the processor cannot count so many events at once)";
	return arena_printf(arena, "%s %s: %s%s", what, probe->name,
			    strerror(-err), remedy);
}

int sample_attach(struct attach_context *context, struct probe_group *group,
		  sample_describe *describe, const char *what)
{
	for (uint32_t i = 0; i < group->nprobes; i++) {
		const struct probe *probe = group->probes[i];
		struct perf_event_attr attr;
		bool on_one_cpu = false;
		int err = describe(probe, &attr, &on_one_cpu);

		if (!err)
			err = attach_probe(context, group, i, &attr,
					   on_one_cpu);
		if (err) {
			context->error = explain(context->arena, what, probe,
						 err);
			attachment_close(group);
			return err;
		}
	}
	return 0;
}
