/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that a process loads while it is traced.
 *
 * The kernel reports when a process maps code (proc/map_watch.h).  Then the
 * process's objects are read again, and descriptions are matched against the
 * new ones.  What a library did before that is not seen: the time between two
 * checks, some 20 ms.
 *
 * 1. The program itself is there from the start, so a.out never has to wait.
 * 2. A process that executes another program is no longer the one that was
 *    requested: it is left alone.  Its children are separate processes.
 * 3. With -Z a description may name something that does not exist yet: a
 *    placeholder, a silent probe without a location, holds its clauses, so that
 *    they are compiled before tracing begins.
 */
#include <ctype.h>
#include <string.h>

#include "proc/served.h"
#include "proc/symbols.h"
#include "provider/pid.h"

bool pid_follows(const struct probe_desc *desc)
{
	return pid_of_provider(desc->provider) > 0 &&
	       strcmp(desc->module, "a.out") != 0 &&
	       strcmp(desc->function, "-") != 0;
}

pid_t pid_process_of(const struct probe_desc *desc)
{
	return pid_follows(desc) ? pid_of_provider(desc->provider) : 0;
}

bool pid_is_same_program(struct pid_process *process)
{
	uint64_t device, inode;

	if (!served_program(process->pid, &device, &inode))
		return false;
	if (!process->inode) {
		process->device = device;
		process->inode = inode;
	}
	return process->device == device && process->inode == inode;
}

static bool knows(const struct modules *modules, const struct map_event *event)
{
	for (size_t i = 0; i < modules->count; i++)
		if (modules->items[i]->image->inode == event->inode &&
		    modules->items[i]->image->device == event->device)
			return true;
	return false;
}

static void hear(void *context, const struct map_event *event)
{
	const struct pid_state *state = context;

	if (event->kind != MAP_EVENT_MAP || !event->inode)
		return;
	for (struct pid_process *process = state->processes; process;
	     process = process->next)
		if (process->pid == (pid_t)event->pid &&
		    !knows(&process->modules, event))
			process->is_due = true;
}

/* True: it has objects that it had not. */
static bool look_at(struct pid_process *process)
{
	process->nseen = process->modules.count;
	if (!process->is_due || process->has_left || !process->nseen)
		return false;
	process->is_due = false;
	if (pid_is_same_program(process) &&
	    !modules_read(&process->modules, process->pid) &&
	    pid_is_same_program(process)) {
		bool is_new = process->modules.count > process->nseen;

		process->looks += is_new;
		return is_new;
	}
	process->has_left = true;
	process->nseen = process->modules.count;
	return false;
}

/* All are checked the first time: something may have been loaded already. */
bool pid_look(struct probe_registry *registry)
{
	struct pid_state *state = *registry_state(registry, &pid_provider);
	bool is_new = false, is_first;

	if (!state || !state->processes)
		return false;
	is_first = !state->is_following;
	if (is_first) {
		state->listener.hear = hear;
		state->listener.context = state;
		state->is_told = processes_listen(state->all, &state->listener);
	}
	state->is_following = true;
	processes_poll(state->all);
	is_first |= state->listener.has_lost;
	state->listener.has_lost = false;
	for (struct pid_process *process = state->processes; process;
	     process = process->next) {
		process->is_due |= is_first || !state->is_told;
		is_new |= look_at(process);
	}
	return is_new;
}

/* ------------------------------------------------------------ placeholders */

/* No later probe may have its name. */
const struct probe *pid_announce_placeholder(struct probe_registry *registry,
					     const struct probe_desc *desc,
					     struct pid_process *process)
{
	struct arena *arena = registry_arena(registry);
	struct pid_place *place;

	if (!pid_follows(desc))
		return NULL;
	struct probe *probe =
		registry_add(registry, &pid_provider, desc->provider,
			     desc->module, desc->function,
			     arena_printf(arena, "%s?", desc->name), PID_ENTRY);

	if (!probe || probe->data)
		return probe;
	place = arena_new_of(arena, struct pid_place);
	place->process = process;
	place->kind = PID_ENTRY;
	place->asked = arena_strdup(arena, desc->name);
	probe->data = place;
	probe->is_silent = true;
	probe->pid = process->pid;
	return probe;
}

bool pid_placeholder_matches(const struct probe *probe,
			     const struct probe_desc *desc)
{
	const struct pid_place *place = probe->data;

	return !strcmp(desc->provider, probe->provider_name) &&
	       !strcmp(desc->module, probe->module) &&
	       !strcmp(desc->function, probe->function) &&
	       !strcmp(desc->name, place->asked);
}
