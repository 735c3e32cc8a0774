/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rawtp: every tracepoint of the kernel, with the arguments that the kernel's
 * own code passes to it.
 *
 * A program is attached by name as a raw tracepoint: cheap to place, cheap to
 * remove, and nothing is written into a trace record.  Argument types are
 * those of the typedef btf_trace_NAME in the BTF of kernel and modules.
 *
 * 1. Names and groups come from the directory `events` of tracefs.  Without it,
 *    and for the tracepoints that have no event there, a tracepoint that BTF
 *    knows can still be named; it is then in the module vmlinux.
 * 2. Every tracepoint has a program of its own: kernels before 6.10 do not tell
 *    a program which of two tracepoints called it.
 * 3. A program that reads beyond the last argument could not be attached, so
 *    arguments that are not there are 0.
 */
#include "provider/tracepoint.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/type.h"
#include "ir/abi.h"

/* Not tracepoints, or probes that another provider offers better. */
static const char *const other_groups[] = {
	"syscalls", "ftrace", "kprobes", "uprobes", "eprobes", "fprobes",
	"synthetic",
};

static bool is_group(const char *name)
{
	if (name[0] == '.' || !strncmp(name, "dtrace", 6))
		return false;
	for (size_t i = 0; i < sizeof(other_groups) / sizeof(char *); i++)
		if (!strcmp(name, other_groups[i]))
			return false;
	return true;
}

/*
 * Could any tracepoint have this name?  BEGIN, tick-1s and the like are
 * requested in every run, and need no search.
 */
static bool is_possible(const char *pattern)
{
	bool has_lower = false;

	if (!*pattern || !glob_is_plain(pattern))
		return true;
	for (const char *p = pattern; *p; p++) {
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
		has_lower |= islower((unsigned char)*p) != 0;
	}
	return has_lower;
}

/* --------------------------------------------------------------- tracefs */

char *tracepoint_read(struct probe_registry *registry, const char *group,
		      const char *event, const char *name)
{
	char path[512];
	int root = registry_tracefs(registry);
	int n = snprintf(path, sizeof(path), "events/%s/%s/%s", group, event,
			 name);

	if (root < 0 || n < 0 || (size_t)n >= sizeof(path))
		return NULL;
	int fd = openat(root, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	size_t size = 0, room = 64;
	char *text = must_alloc(room);
	ssize_t got;

	while ((got = read(fd, text + size, room - size - 1)) > 0) {
		size += (size_t)got;
		if (size + 1 == room)
			text = must_realloc(text, room *= 2);
	}
	close(fd);
	text[size] = '\0';
	return text;
}

/* All events with their ids: reading them costs more than all the rest. */
struct event {
	const char *group, *name;
	uint64_t id;
};

struct events {
	struct event *items;
	size_t count, room;
	bool is_complete;
};

static uint64_t known_id(const struct events *events, const char *group,
			 const char *name)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		if (!strcmp(event->name, name) && !strcmp(event->group, group))
			return event->id;
	}
	return 0;
}

static uint64_t read_id(struct probe_registry *registry, const char *group,
			const char *event)
{
	const struct events *events = *registry_state(registry,
						      &rawtp_provider);

	uint64_t id = events && events->is_complete
			      ? known_id(events, group, event)
			      : 0;

	if (id)
		return id;
	char *text = tracepoint_read(registry, group, event, "id");

	if (text)
		id = strtoull(text, NULL, 10);
	free(text);
	return id;
}

static bool announce(struct probe_registry *registry,
		     const struct provider *provider, const char *group,
		     const char *event, uint64_t id)
{
	struct probe *probe = id ? registry_add(registry, provider,
						provider->name, group, "",
						event, id)
				 : NULL;

	if (probe && !probe->data) {
		struct tracepoint *tracepoint =
			arena_new_of(registry_arena(registry),
				     struct tracepoint);

		tracepoint->registry = registry;
		probe->data = tracepoint;
	}
	return probe;
}

static void forget_events(void *state)
{
	struct events *events = state;

	free(events->items);
	free(events);
}

static void add_event(struct events *events, const struct event *event)
{
	if (events->count == events->room) {
		events->room = events->room ? 2 * events->room : 256;
		events->items = must_realloc(events->items,
					     checked_mul(events->room,
							 sizeof(*event)));
	}
	events->items[events->count++] = *event;
}

static DIR *open_directory(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory && fd >= 0)
		close(fd);
	return directory;
}

static void read_group(struct probe_registry *registry, struct events *events,
		       DIR *parent, const char *name)
{
	struct arena *arena = registry_arena(registry);
	DIR *directory = open_directory(dirfd(parent), name);
	struct event event = { .group = arena_strdup(arena, name) };
	struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		event.name = arena_strdup(arena, entry->d_name);
		event.id = read_id(registry, name, entry->d_name);
		add_event(events, &event);
	}
	closedir(directory);
}

static const struct events *all_events(struct probe_registry *registry)
{
	void **state = registry_state(registry, &rawtp_provider);
	int root = registry_tracefs(registry);

	if (*state)
		return *state;
	struct events *events = *state = must_alloc(sizeof(*events));
	DIR *directory = root < 0 ? NULL : open_directory(root, "events");
	struct dirent *entry;

	*events = (struct events){ 0 };
	if (!directory)
		return events;
	while ((entry = readdir(directory)))
		if (entry->d_type == DT_DIR && is_group(entry->d_name))
			read_group(registry, events, directory, entry->d_name);
	closedir(directory);
	events->is_complete = true;
	return events;
}

/* One event in any group: a look into each, unless all have been read. */
static bool list_named(struct probe_registry *registry,
		       const struct provider *provider, const char *module,
		       const char *name)
{
	int root = registry_tracefs(registry);
	DIR *events = root < 0 ? NULL : open_directory(root, "events");
	struct dirent *entry;
	bool is_found = false;

	if (!events)
		return false;
	while ((entry = readdir(events)))
		if (entry->d_type == DT_DIR && is_group(entry->d_name) &&
		    glob_match(module, entry->d_name))
			is_found |= announce(registry, provider, entry->d_name,
					     name,
					     read_id(registry, entry->d_name,
						     name));
	closedir(events);
	return is_found;
}

static bool announce_events(struct probe_registry *registry,
			    const struct provider *provider,
			    const struct events *events, const char *module,
			    const char *name)
{
	bool is_found = false;

	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];

		if (glob_match(name, event->name) &&
		    glob_match(module, event->group))
			is_found |= announce(registry, provider, event->group,
					     event->name, event->id);
	}
	return is_found;
}

/* The events of one group, without a look at the others. */
static bool list_group(struct probe_registry *registry,
		       const struct provider *provider, const char *module,
		       const char *name)
{
	int root = registry_tracefs(registry);
	DIR *directory = root < 0 || !is_group(module)
				 ? NULL
				 : open_directory(root, "events");
	struct events events = { 0 };

	if (!directory)
		return false;
	read_group(registry, &events, directory, module);
	closedir(directory);
	bool is_found = announce_events(registry, provider, &events, module,
					name);

	free(events.items);
	return is_found;
}

static bool list_events(struct probe_registry *registry,
			const struct provider *provider, const char *module,
			const char *name)
{
	bool has_all = *registry_state(registry, &rawtp_provider);
	bool is_named = *name && glob_is_plain(name);

	if (is_named && *module && glob_is_plain(module))
		return is_group(module) &&
		       announce(registry, provider, module, name,
				read_id(registry, module, name));
	if (is_named && !has_all)
		return list_named(registry, provider, module, name);
	if (*module && glob_is_plain(module) && !has_all)
		return list_group(registry, provider, module, name);
	return announce_events(registry, provider, all_events(registry), module,
			       name);
}

bool tracepoint_list(struct probe_registry *registry,
		     const struct provider *provider,
		     const struct probe_desc *desc)
{
	if (!desc)
		return list_events(registry, provider, "", "");
	if (!glob_match(desc->provider, provider->name) ||
	    !glob_match(desc->function, "") || !is_possible(desc->name))
		return false;
	return list_events(registry, provider, desc->module, desc->name);
}

uint32_t tracepoint_id(const struct probe *probe)
{
	return probe->number && probe->number < TRACEPOINT_LIMIT
		       ? (uint32_t)probe->number
		       : ID_ON_DEMAND;
}

/*
 * Without tracefs a requested probe does not exist, or cannot be distinguished
 * from a misspelling.
 */
const char *tracepoint_explain(struct probe_registry *registry,
			       const struct provider *provider,
			       const struct probe_desc *desc)
{
	return strcmp(desc->provider, provider->name)
		       ? NULL
		       : registry_tracefs_problem(registry);
}

/* ----------------------------------------------------------------- rawtp */

/*
 * Spelled out, and BTF alone knows of it.  Without tracefs it may be in the
 * group that was given as well as in any other.
 */
static void list_bare(struct probe_registry *registry,
		      const struct probe_desc *desc)
{
	struct types *types = registry_types(registry);
	bool is_trusted = registry_tracefs(registry) < 0 && *desc->module &&
			  glob_is_plain(desc->module);
	const char *module = is_trusted ? desc->module : "vmlinux";

	if (types && *desc->provider && *desc->name &&
	    glob_match(desc->provider, rawtp_provider.name) &&
	    glob_match(desc->module, module) &&
	    glob_match(desc->function, "") && glob_is_plain(desc->name) &&
	    types_tracepoint(types, desc->name))
		registry_add(registry, &rawtp_provider, rawtp_provider.name,
			     module, "", desc->name, 0);
}

static int rawtp_list(struct probe_registry *registry,
		      const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	if (!tracepoint_list(registry, &rawtp_provider, desc) && desc)
		list_bare(registry, desc);
	return 0;
}

static enum provider_status rawtp_check(struct probe_registry *registry,
					const struct provider *provider,
					const char **reason)
{
	const char *problem = registry_tracefs_problem(registry);
	struct types *types = registry_types(registry);

	if (!problem && registry_count(registry, provider))
		return PROVIDER_WORKS;
	*reason =
		problem ? problem
			: "this kernel has no tracepoints (CONFIG_TRACEPOINTS)";
	if (!problem || !types || !types_tracepoint(types, "sched_switch"))
		return PROVIDER_ABSENT;
	*reason = arena_printf(
		registry_arena(registry),
		"only probes that are spelled out (rawtp:::sched_switch): %s",
		problem);
	return PROVIDER_PARTLY;
}

static int rawtp_argument(struct probe_registry *registry,
			  const struct probe *probe, uint32_t n,
			  const char **native, const char **translated)
{
	struct types *types = registry_types(registry);
	struct type *type = types ? types_tracepoint(types, probe->name) : NULL;

	if (!type)
		return -1;
	if (n >= type->nparams)
		return 0;
	*native = *translated = type_name(types, type->params[n]);
	return 1;
}

/* Tracepoints do not share programs. */
static uint32_t rawtp_shape(const struct probe *probe)
{
	return probe->id;
}

static ir_reg rawtp_read(struct lower *lower, uint32_t n)
{
	struct type *type = types_tracepoint(lower->types,
					     lower->group->tracepoint);

	if (type && n >= type->nparams)
		return ir_const(&lower->b, 0);
	return context_word(lower, n * 8);
}

static int rawtp_context(struct arena *arena, struct probe_group *group)
{
	(void)arena;
	group->lower.hidden_frames = 2; /* program, bpf_trace_runN() */
	group->lower.tracepoint = group->probes[0]->name;
	group->lower.argument = rawtp_read;
	return 0;
}

static int rawtp_attach(struct attach_context *context,
			struct probe_group *group)
{
	const char *name = group->probes[0]->name;
	int fd = link_raw_tracepoint(context->program_fd, name);

	if (fd >= 0) {
		attachment_add(attachment_of(group), fd);
		return 0;
	}
	context->error = arena_printf(
		context->arena,
		fd == -EINVAL
			? "cannot attach to the tracepoint %s: it does not have all the arguments that are asked for"
			: "cannot attach to the tracepoint %s: %s",
		name, strerror(-fd));
	return fd;
}

const struct provider rawtp_provider = {
	.name = "rawtp",
	.about = "tracepoints of the kernel, with the arguments of their prototypes",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(PRIVATE, CLASS_ISA),
				STABILITY(PRIVATE, CLASS_ISA)),
	.program_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.list = rawtp_list,
	.explain = tracepoint_explain,
	.check = rawtp_check,
	.argument = rawtp_argument,
	.shape = rawtp_shape,
	.context = rawtp_context,
	.attach = rawtp_attach,
	.detach = attachment_close,
	.nids = TRACEPOINT_LIMIT,
	.fixed_id = tracepoint_id,
	.forget = forget_events,
};
