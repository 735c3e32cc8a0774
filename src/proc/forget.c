/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forgetting processes that have ended, and files that are no longer mapped.
 *
 * Names of addresses are needed when something is printed, which may be long
 * after the end of the process: a key of an aggregation is printed at the end
 * of the run.  So only the owner of the keys knows what can be forgotten; it
 * marks what it needs, and the rest is freed.  Checking everything costs time,
 * so that is done when there are twice as many as were needed the last time.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/arena.h"
#include "proc/process.h"
#include "proc/symbols.h"

enum { FEW_PROCESSES = 256, FEW_IMAGES = 1024 };

bool processes_are_many(const struct processes *processes)
{
	return processes->nasked > processes->asked_limit + FEW_PROCESSES ||
	       processes->nimages > processes->images_limit + FEW_IMAGES;
}

void processes_keep(struct processes *processes, uint32_t pid)
{
	struct process *process = process_known(processes, pid);

	if (process)
		process->is_kept = true;
}

/* Without events, the process has to be checked. */
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
		process_free(processes, process);
	}
}

static void mark_images(const struct process *process)
{
	for (; process; process = process->next)
		for (const struct space *space = process->space; space;
		     space = space->older)
			for (size_t i = 0; i < space->count; i++)
				if (space->mappings[i].image)
					space->mappings[i].image->is_used =
						true;
}

/* True: some are gone. */
static bool forget_images(struct processes *processes, struct image **at)
{
	bool is_any = false;

	while (*at) {
		struct image *image = *at;

		if (image->is_used || image->npins) {
			image->is_used = false;
			at = &image->next;
			continue;
		}
		*at = image->next;
		processes->nimages--;
		image_free(image);
		is_any = true;
	}
	return is_any;
}

/* Its keys are names in images. */
static void forget_readable(struct processes *processes)
{
	for (uint32_t i = 0; i < processes->readable.count; i++)
		free(processes->readable.entries[i].value);
	table_free(&processes->readable);
	processes->readable = (struct table){ 0 };
}

void processes_forget(struct processes *processes, uint64_t age)
{
	bool is_any = false;

	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		forget_processes(processes, &processes->by_pid[i], age);
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		mark_images(processes->by_pid[i]);
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		is_any |= forget_images(processes, &processes->images[i]);
	if (is_any)
		forget_readable(processes);
	processes->asked_limit = 2 * processes->nasked;
	processes->images_limit = 2 * processes->nimages;
}
