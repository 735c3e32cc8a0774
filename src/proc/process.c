/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of addresses in processes: what is mapped there (space.c), and what
 * the object file or, for code made at run time, the process itself says it
 * is.
 *
 * What is known of a process stays known when it is gone, if anybody has asked
 * for it and may do so again (forget.c); the others are forgotten a while after
 * their end.
 */
#include "proc/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "proc/demangle.h"
#include "proc/foreign.h"
#include "proc/map_watch.h"
#include "proc/symbols.h"

enum { STALE_NS = 1000000000 };
static const uint64_t FORGET_NS = 10 * 1000000000ull;

uint64_t processes_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}

struct process *process_known(const struct processes *processes, uint32_t pid)
{
	struct process *process = processes->by_pid[pid % PROCESS_BUCKETS];

	while (process && process->pid != pid)
		process = process->next;
	return process;
}

/* Those that ended long ago, and that nobody asked for. */
static void forget(struct process **at)
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
		process_free(process);
	}
}

struct process *process_of(struct processes *processes, uint32_t pid)
{
	struct process **bucket = &processes->by_pid[pid % PROCESS_BUCKETS];
	struct process *process = process_known(processes, pid);

	if (process)
		return process;
	forget(bucket);
	process = must_alloc(sizeof(*process));
	*process = (struct process){
		.pid = pid, .user = (uid_t)FOREIGN_NOBODY, .next = *bucket,
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
	const struct mapping *mapping = process ?
		space_find(process->space, address) : NULL;

	return mapping && !mapping->object;
}

static const struct elf_symbols *elf_of(const struct processes *processes,
					const struct process *process,
					const struct mapping *mapping)
{
	struct object *object = mapping->object;

	if (object->elf || object->is_tried)
		return object->elf;
	if (!object->inode) {
		object->is_tried = true;
		object->elf = elf_symbols_vdso();
		return object->elf;
	}
	int fd = process_open(process, mapping);

	/* Another process may have the same file and still be there. */
	if (fd < 0)
		return NULL;
	char root[32];

	snprintf(root, sizeof(root), "/proc/%u/root", process->pid);
	object->is_tried = true;
	object->elf = elf_symbols_read(fd, root, object->path,
				       processes->budget);
	close(fd);
	return object->elf;
}

/* As the programmer wrote it; it lives as long as the object's names. */
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

/* Where the object starts that is mapped around there. */
static uint64_t object_start(const struct process *process,
			     const struct mapping *mapping)
{
	for (const struct space *space = process->space; space;
	     space = space->older)
		for (size_t i = 0; i < space->count; i++)
			if (mapping >= space->mappings &&
			    mapping < space->mappings + space->count &&
			    space->mappings[i].object == mapping->object)
				return space->mappings[i].start;
	return mapping->start;
}

/* Code that the process made, and told the names of. */
static bool find_jit(struct processes *processes, struct process *process,
		     uint64_t address, struct symbol *symbol)
{
	uint64_t start;
	const char *name = jit_names_find(processes, process, address, &start);

	if (!name)
		return false;
	*symbol = (struct symbol){
		.module = "[jit]", .name = name, .start = start,
		.offset = address - start, .module_start = 1,
		.is_script = true,
	};
	return true;
}

bool processes_find(struct processes *processes, uint32_t pid,
		    uint64_t address, struct symbol *symbol)
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
	if (!mapping->object)
		return find_jit(processes, process, address, symbol);
	const struct elf_symbols *elf = elf_of(processes, process, mapping);
	uint64_t linked, start, base = object_start(process, mapping);

	*symbol = (struct symbol){
		.module = mapping->object->name, .start = base,
		.module_start = base, .offset = address - base,
	};
	if (!elf ||
	    !elf_symbols_address(elf, address - mapping->start +
				 mapping->offset, &linked) ||
	    !elf_symbols_find(elf, linked, &symbol->name, &start)) {
		find_jit(processes, process, address, symbol);
		return true;
	}
	symbol->name = readable(processes, symbol->name);
	symbol->offset = linked - start;
	symbol->start = address - symbol->offset;
	return true;
}

struct processes *processes_new(struct budget *budget)
{
	struct processes *processes = must_alloc(sizeof(*processes));

	memset(processes, 0, sizeof(*processes));
	processes->budget = budget;
	return processes;
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
		struct object *object, *next_object;

		for (process = processes->by_pid[i]; process;
		     process = next_process) {
			next_process = process->next;
			process_free(process);
		}
		for (object = processes->objects[i]; object;
		     object = next_object) {
			next_object = object->next;
			object_free(object);
		}
	}
	for (uint32_t i = 0; i < processes->readable.count; i++)
		free(processes->readable.entries[i].value);
	table_free(&processes->readable);
	map_watch_close(processes->watch);
	free(processes);
}
