/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that a process loads while it is traced.
 *
 * The kernel tells when a process maps code (proc/map_watch.h).  Then the
 * process's objects are read again, and descriptions are matched against
 * those that are new.  What a library did before is not seen: that is the
 * time between two looks, some 20 ms.
 *
 * 1. The program itself comes with the process, so a.out waits for nothing.
 * 2. A process that executes another program is not what was asked for any
 *    more: it is left alone.  Its children are processes of their own.
 * 3. With -Z a description may name what is not there yet: a placeholder, a
 *    silent probe without a place, has its clauses, so that they are compiled
 *    before tracing begins.
 */
#include <ctype.h>
#include <string.h>

#include "proc/map_watch.h"
#include "proc/served.h"
#include "provider/pid.h"

bool pid_follows(const struct probe_desc *desc)
{
	return pid_of_provider(desc->provider) > 0 &&
	       strcmp(desc->module, "a.out") != 0 &&
	       strcmp(desc->function, "-") != 0;
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

static bool knows(const struct images *images, const struct map_event *event)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->inode == event->inode &&
		    images->items[i]->device == event->device)
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
		    !knows(&process->images, event))
			process->is_due = true;
}

/* True: it has objects that it had not. */
static bool look_at(struct pid_process *process)
{
	process->nseen = process->images.count;
	if (!process->is_due || process->has_left || !process->nseen)
		return false;
	process->is_due = false;
	if (pid_is_same_program(process) &&
	    !images_read(&process->images, process->pid) &&
	    pid_is_same_program(process)) {
		bool is_new = process->images.count > process->nseen;

		process->looks += is_new;
		return is_new;
	}
	process->has_left = true;
	process->nseen = process->images.count;
	return false;
}

/* The first time all are looked at: something may have come already. */
bool pid_look(struct probe_registry *registry)
{
	struct pid_state *state = *registry_state(registry, &pid_provider);
	bool is_new = false, is_first;

	if (!state || !state->processes)
		return false;
	is_first = !state->is_following;
	if (is_first)
		state->watch = map_watch_open();
	state->is_following = true;
	if (state->watch && !map_watch_read(state->watch, hear, state))
		is_first = true;
	for (struct pid_process *process = state->processes; process;
	     process = process->next) {
		process->is_due |= is_first || !state->watch;
		is_new |= look_at(process);
	}
	return is_new;
}

/* ------------------------------------------------------------ placeholders */

/* No probe that comes may have its name. */
void pid_announce_placeholder(struct probe_registry *registry,
			      const struct probe_desc *desc,
			      struct pid_process *process)
{
	struct arena *arena = registry_arena(registry);
	struct pid_place *place;

	if (!pid_follows(desc))
		return;
	struct probe *probe = registry_add(registry, &pid_provider,
		desc->provider, desc->module, desc->function,
		arena_printf(arena, "%s?", desc->name), PID_ENTRY);

	if (!probe || probe->data)
		return;
	place = arena_new_of(arena, struct pid_place);
	place->process = process;
	place->kind = PID_ENTRY;
	place->asked = arena_strdup(arena, desc->name);
	probe->data = place;
	probe->is_silent = true;
	probe->is_of_process = true;
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
