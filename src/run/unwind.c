/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users' stacks: where programs find what they need of the kernel's
 * structures, and the processes that are known beforehand.  proc/unwind.c
 * does the rest; it is made only for scripts that walk users' stacks.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/unwind.h"
#include "proc/symbols.h"
#include "proc/unwind.h"
#include "run/internal.h"

static const struct {
	enum unwind_word word;
	const char *tag, *member;
} members[] = {
	{ UNWIND_TASK_MM, "task_struct", "mm" },
	{ UNWIND_TASK_UTASK, "task_struct", "utask" },
	{ UNWIND_START_CODE, "mm_struct", "start_code" },
	{ UNWIND_END_CODE, "mm_struct", "end_code" },
	{ UNWIND_START_STACK, "mm_struct", "start_stack" },
	{ UNWIND_EXEC_VM, "mm_struct", "exec_vm" },
	{ UNWIND_INSTANCES, "uprobe_task", "return_instances" },
	{ UNWIND_INSTANCE_STACK, "return_instance", "stack" },
	{ UNWIND_INSTANCE_RETURN, "return_instance", "orig_ret_vaddr" },
	{ UNWIND_INSTANCE_NEXT, "return_instance", "next" },
};

/* What this kernel does not have stays 0. */
static void fill_header(struct session *session, uint64_t *header)
{
	struct types *types = language_types(session->language);

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		struct member member;

		if (types_kernel_member(types, members[i].tag,
					members[i].member, &member))
			header[members[i].word] = member.bit_offset / 8;
	}
}

/* Unless said: less for the processes of -c and -p than for all there are. */
uint64_t session_unwind_size(const struct session *session)
{
	const struct options *options = session->config.options;
	int64_t size = option_number(options, OPTION_UNWINDSIZE);

	if (!options->values[OPTION_UNWINDSIZE].is_set && session->ntargets)
		size /= 2;
	if (size < UNWIND_LEAST)
		size = UNWIND_LEAST;
	if (size > UNWIND_MOST)
		size = UNWIND_MOST;
	return (uint64_t)size & ~7ull;
}

/* The process that the name of a probe's provider ends in, or 0. */
static uint32_t process_of(const struct probe *probe)
{
	const char *name = probe->provider_name;
	size_t length = strlen(name), at = length;

	while (at && isdigit((unsigned char)name[at - 1]))
		at--;
	return !strcmp(name, probe->provider->name) || at == length ||
	       length - at > 9 ? 0 : (uint32_t)atoi(name + at);
}

/* Those that have probes of their own: pid123:::, python123:::. */
static void note_processes(struct session *session)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct probe_group *group = &session->groups[i].probes;

		for (uint32_t n = 0; n < group->nprobes; n++) {
			uint32_t pid = process_of(group->probes[n]);

			if (pid && pid != last)
				unwind_note(session->printer.unwind, pid);
			if (pid)
				last = pid;
		}
	}
}

void session_unwind_start(struct session *session)
{
	if (!session->maps.unwind && !session->lowering.uses_user_addresses)
		return;
	symbols_watch(session->printer.symbols);
	if (!session->maps.unwind)
		return;
	fill_header(session, (uint64_t *)session->maps.unwind);
	session->printer.unwind = unwind_new(session->maps.unwind,
					     session->maps.unwind_size,
					     session->printer.symbols);
	for (uint32_t i = 0; i < session->ntargets; i++)
		unwind_note(session->printer.unwind,
			    (uint32_t)target_pid(session->targets[i].target));
	note_processes(session);
}

void session_unwind_look(struct session *session)
{
	symbols_poll(session->printer.symbols);
	if (session->printer.unwind)
		unwind_look(session->printer.unwind);
}
