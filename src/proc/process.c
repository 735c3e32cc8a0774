/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of addresses in processes: what is mapped there (space.c), and what the
 * object file or, for code generated at run time, the process itself says it
 * is.
 *
 * What is known of a process is kept after its end if it was requested and may
 * be again (forget.c); other processes are forgotten a while after their end.
 */
#include "proc/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "proc/demangle.h"
#include "proc/foreign.h"
#include "proc/map_watch.h"
#include "proc/served.h"
#include "proc/symbols.h"
#include "proc/target.h"

enum { STALE_NS = 1000000000 };
static const uint64_t FORGET_NS = 10 * 1000000000ull;

uint64_t processes_now(void)
{
	return clock_monotonic();
}

struct process *process_known(const struct processes *processes, uint32_t pid)
{
	struct process *process = processes->by_pid[pid % PROCESS_BUCKETS];

	while (process && process->pid != pid)
		process = process->next;
	return process;
}

/* Those that ended long ago and were never requested. */
static void forget(struct processes *processes, struct process **at)
{
	uint64_t time = processes_now();

	while (*at) {
		struct process *process = *at;

		if (process->is_asked || !process->exited_at ||
		    time - process->exited_at < FORGET_NS) {
			at = &process->next;
			continue;
		}
		*at = process->next;
		process_free(processes, process);
	}
}

struct process *process_of(struct processes *processes, uint32_t pid)
{
	struct process **bucket = &processes->by_pid[pid % PROCESS_BUCKETS];
	struct process *process = process_known(processes, pid);

	if (process)
		return process;
	forget(processes, bucket);
	process = must_alloc(sizeof(*process));
	*process = (struct process){
		.pid = pid,
		.user = (uid_t)FOREIGN_NOBODY,
		.next = *bucket,
	};
	*bucket = process;
	return process;
}

struct process *process_asked(struct processes *processes, uint32_t pid)
{
	processes_poll(processes);
	struct process *process = process_of(processes, pid);

	processes->nasked += !process->is_asked;
	process->is_asked = true;
	return process;
}

void processes_note(struct processes *processes, uint32_t pid)
{
	struct process *process = process_asked(processes, pid);

	if (!process->read_at || processes_now() - process->read_at > STALE_NS)
		process_read(processes, process);
}

bool processes_is_made(struct processes *processes, uint32_t pid,
		       uint64_t address)
{
	const struct process *process = process_known(processes, pid);
	const struct mapping *mapping = process ? space_find(process->space,
							     address)
						: NULL;

	return mapping && !mapping->image;
}

/* As the programmer wrote it; it lives as long as the image's names. */
static const char *readable(struct processes *processes, const char *name)
{
	if (processes->is_mangled || !is_mangled(name))
		return name;
	char *text = table_get(&processes->readable, str_of(name));

	if (text)
		return text;
	text = demangle(name);
	if (!text)
		text = must_strdup(name);
	table_put(&processes->readable, str_of(name), text);
	return text;
}

/* Where the image starts that is mapped around there. */
static uint64_t image_start(const struct process *process,
			    const struct mapping *mapping)
{
	for (const struct space *space = process->space; space;
	     space = space->older)
		for (size_t i = 0; i < space->count; i++)
			if (mapping >= space->mappings &&
			    mapping < space->mappings + space->count &&
			    space->mappings[i].image == mapping->image)
				return space->mappings[i].start;
	return mapping->start;
}

/* Code that the process generated, with the names it published. */
static bool find_jit(struct processes *processes, struct process *process,
		     uint64_t address, struct symbol *symbol)
{
	uint64_t start;
	const char *name = jit_names_find(processes, process, address, &start);

	if (!name)
		return false;
	*symbol = (struct symbol){
		.module = "[jit]",
		.name = name,
		.start = start,
		.offset = address - start,
		.module_start = 1,
		.is_script = true,
	};
	return true;
}

bool processes_find(struct processes *processes, uint32_t pid, uint64_t address,
		    struct symbol *symbol)
{
	struct process *process = process_asked(processes, pid);

	if (!process->read_at)
		process_read(processes, process);
	const struct mapping *mapping = space_find(process->space, address);

	if (!mapping && processes_now() - process->read_at > STALE_NS / 10) {
		process_read(processes, process);
		mapping = space_find(process->space, address);
	}
	if (!mapping)
		return false;
	if (!mapping->image)
		return find_jit(processes, process, address, symbol);
	struct image_place place = process_place(process, mapping);
	const struct elf_symbols *elf = image_symbols(processes, mapping->image,
						      &place);
	uint64_t linked, start, base = image_start(process, mapping);

	*symbol = (struct symbol){
		.module = mapping->image->name,
		.start = base,
		.module_start = base,
		.offset = address - base,
	};
	bool is_linked = elf && elf_symbols_address(elf,
						    address - mapping->start +
							    mapping->offset,
						    &linked);

	if (!is_linked ||
	    !elf_symbols_find(elf, linked, &symbol->name, &start)) {
		if (is_linked)
			symbol->code = elf_symbols_code_start(elf, linked);
		find_jit(processes, process, address, symbol);
		return true;
	}
	symbol->name = readable(processes, symbol->name);
	symbol->offset = linked - start;
	symbol->start = address - symbol->offset;
	return true;
}

struct processes *processes_new(struct budget *budget,
				const struct served_hooks *hooks)
{
	struct processes *processes = must_alloc(sizeof(*processes));

	memset(processes, 0, sizeof(*processes));
	processes->budget = budget;
	processes->served = served_new(hooks);
	return processes;
}

struct budget *processes_budget(const struct processes *processes)
{
	return processes->budget;
}

struct served *processes_served(const struct processes *processes)
{
	return processes->served;
}

void processes_set_target(struct processes *processes, pid_t pid,
			  struct target *target)
{
	process_of(processes, (uint32_t)pid)->target = target;
}

struct target *processes_target(const struct processes *processes, pid_t pid)
{
	const struct process *process = process_known(processes, (uint32_t)pid);

	return process ? process->target : NULL;
}

bool processes_waits(const struct processes *processes, pid_t pid)
{
	const struct process *process = process_known(processes, (uint32_t)pid);

	return process && process->target && target_waits(process->target);
}

void processes_set_mangled(struct processes *processes, bool is_mangled)
{
	processes->is_mangled = is_mangled;
}

void processes_free(struct processes *processes)
{
	if (!processes)
		return;
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++) {
		struct process *process, *next_process;
		struct image *image, *next_image;

		for (process = processes->by_pid[i]; process;
		     process = next_process) {
			next_process = process->next;
			process_free(processes, process);
		}
		for (image = processes->images[i]; image; image = next_image) {
			next_image = image->next;
			image_free(image);
		}
	}
	for (uint32_t i = 0; i < processes->readable.count; i++)
		free(processes->readable.entries[i].value);
	table_free(&processes->readable);
	map_watch_close(processes->watch);
	maps_free(&processes->maps);
	served_free(processes->served);
	free(processes);
}
