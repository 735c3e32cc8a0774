/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forgetting processes that have ended, and files that nobody maps any more.
 *
 * Names of addresses are asked for when something is printed, which may be long
 * after the end of the process: a key of an aggregation is printed at the end
 * of the run.  So only who owns the keys knows what can be forgotten; it marks
 * what it needs, and the rest goes.  Looking at everything costs time, so that
 * is done when twice as many have come as were needed the last time.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/arena.h"
#include "proc/process.h"
#include "proc/symbols.h"

enum { FEW_PROCESSES = 256, FEW_OBJECTS = 1024 };

bool processes_are_many(const struct processes *processes)
{
	return processes->nasked > processes->asked_limit + FEW_PROCESSES ||
	       processes->nobjects > processes->objects_limit + FEW_OBJECTS;
}

void processes_keep(struct processes *processes, uint32_t pid)
{
	struct process *process = process_known(processes, pid);

	if (process)
		process->is_kept = true;
}

/* Where nobody tells, somebody has to look. */
static bool has_ended(struct process *process, uint64_t time)
{
	if (!process->exited_at && !process->is_tracked &&
	    kill((pid_t)process->pid, 0) && errno == ESRCH)
		process->exited_at = time;
	return process->exited_at != 0;
}

static void forget_processes(struct processes *processes, struct process **at,
			     uint64_t age)
{
	uint64_t time = processes_now();

	while (*at) {
		struct process *process = *at;
		bool is_kept = process->is_kept;

		process->is_kept = false;
		if (is_kept || !has_ended(process, time) ||
		    process->exited_at > time ||
		    time - process->exited_at < age) {
			at = &process->next;
			continue;
		}
		*at = process->next;
		processes->nasked -= process->is_asked;
		process_free(process);
	}
}

static void mark_objects(const struct process *process)
{
	for (; process; process = process->next)
		for (const struct space *space = process->space; space;
		     space = space->older)
			for (size_t i = 0; i < space->count; i++)
				if (space->mappings[i].object)
					space->mappings[i].object->is_used =
						true;
}

void object_free(struct object *object)
{
	elf_symbols_free(object->elf);
	free(object->path);
	free(object);
}

/* True: some are gone. */
static bool forget_objects(struct processes *processes, struct object **at)
{
	bool is_any = false;

	while (*at) {
		struct object *object = *at;

		if (object->is_used) {
			object->is_used = false;
			at = &object->next;
			continue;
		}
		*at = object->next;
		processes->nobjects--;
		object_free(object);
		is_any = true;
	}
	return is_any;
}

/* Its keys are names in objects. */
static void forget_readable(struct processes *processes)
{
	for (uint32_t i = 0; i < processes->readable.count; i++)
		free(processes->readable.entries[i].value);
	table_free(&processes->readable);
	processes->readable = (struct table){0};
}

void processes_forget(struct processes *processes, uint64_t age)
{
	bool is_any = false;

	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		forget_processes(processes, &processes->by_pid[i], age);
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		mark_objects(processes->by_pid[i]);
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		is_any |= forget_objects(processes, &processes->objects[i]);
	if (is_any)
		forget_readable(processes);
	processes->asked_limit = 2 * processes->nasked;
	processes->objects_limit = 2 * processes->nobjects;
}
