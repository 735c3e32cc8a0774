/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which process has which runtime, and the names of frames that were seen.
 *
 * A process is looked at when its mappings are, for the walk of its stacks.  One
 * that was forked has what its parent had, and no look of its own: it is looked
 * at when the first of its frames is to be named.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/table.h"
#include "bpf/unwind.h"
#include "proc/process.h"
#include "runtime/memory.h"
#include "runtime/runtime.h"

#define RUNTIME(name) extern const struct runtime runtime_##name;
#include "runtime/runtimes.def"
#undef RUNTIME

static const struct runtime *const all[] = {
#define RUNTIME(name) &runtime_##name,
#include "runtime/runtimes.def"
#undef RUNTIME
};
enum { NRUNTIMES = sizeof(all) / sizeof(*all) };

struct runtimes {
	struct processes *processes;
	void (*explain)(void *context, const char *message);
	void *context;
	uint64_t nkeys; /* of all processes: a process may have two runtimes */
	unsigned nopen, open_limit; /* files of processes' memory */
};

/* What a word means. */
struct named {
	uint64_t key; /* the word that stands for all with these names */
	unsigned count;
	struct runtime_frame frames[];
};

static void say(const struct runtimes *runtimes,
		struct runtime_process *process, const char *what,
		const char *why)
{
	char message[256];
	struct str reason = str_of(why ? why : "");

	if (!why || !runtimes->explain ||
	    table_get(&process->memory->told, reason))
		return;
	table_put(&process->memory->told, reason, process);
	snprintf(message, sizeof(message), "process %u: %s: %s: %s",
		 process->pid, process->runtime->name, what, why);
	runtimes->explain(runtimes->context, message);
}

/* --------------------------------------------------------------- processes */

static void free_process(struct runtime_process *process)
{
	while (process) {
		struct runtime_process *older = process->older;

		if (process->runtime->free)
			process->runtime->free(process);
		runtime_memory_free(process->memory);
		free(process);
		process = older;
	}
}

/*
 * Processes that have ended stay known for their names, which may be needed for
 * long; but their files are not.
 */
static void close_some(struct runtimes *runtimes)
{
	enum { FEW = 64 };
	struct process *const *bucket = runtimes->processes->by_pid;

	if (++runtimes->nopen <= runtimes->open_limit + FEW)
		return;
	runtimes->nopen = 0;
	for (unsigned i = 0; i < PROCESS_BUCKETS; i++)
		for (struct process *process = bucket[i]; process;
		     process = process->next)
			for (struct runtime_process *known = process->runtime;
			     known; known = known->older)
				runtimes->nopen +=
					!runtime_memory_is_over(known->memory);
	runtimes->open_limit = 2 * runtimes->nopen;
}

/* What must be added to addresses of the file; false: it cannot be told. */
bool runtime_bias(const struct mapping *mapping, uint64_t *bias)
{
	const struct elf_file *file = &mapping->image->file;
	uint64_t end = mapping->offset + (mapping->end - mapping->start);

	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    segment->p_offset + segment->p_filesz <= mapping->offset ||
		    segment->p_offset >= end)
			continue;
		*bias = mapping->start - mapping->offset + segment->p_offset -
			segment->p_vaddr;
		return true;
	}
	return false;
}

/* The runtime that a file brings, if it can be read there. */
static struct runtime_process *prepare(struct runtimes *runtimes,
				       struct process *process,
				       const struct mapping *mapping,
				       const struct runtime *runtime)
{
	struct image_place place = process_place(process, mapping);
	struct runtime_image image = { .image = mapping->image };
	const char *why = "its file cannot be read";
	int error;

	close_some(runtimes);
	struct runtime_process *made = must_alloc(sizeof(*made));

	*made = (struct runtime_process){
		.runtime = runtime,
		.runtimes = runtimes,
		.pid = process->pid,
		.memory = runtime_memory_new(process->pid,
					     runtimes->processes->budget),
		.older = process->runtime,
	};
	if (image_open_file(runtimes->processes, mapping->image, &place,
			    &error) == ELF_GOOD &&
	    runtime_bias(mapping, &image.bias) &&
	    runtime->prepare(made, &image, &why)) {
		made->block[RUNTIME_IS_THERE] = 1;
		process->runtime = made;
		return made;
	}
	/* Nothing of it could be read. */
	char byte;
	if (why && !runtime_read(made, mapping->start, &byte, 1))
		why = "the process has ended";
	/* It stays, so that it is not tried again. */
	say(runtimes, made, "its frames stay addresses", why);
	process->runtime = made;
	return made;
}

/* By what is in the file. */
static const struct runtime *look_into(struct processes *processes,
				       const struct process *process,
				       const struct mapping *mapping)
{
	struct image *image = mapping->image;
	struct image_place place = process_place(process, mapping);
	bool is_so;

	for (unsigned i = 0; i < NRUNTIMES && !image->is_looked_at; i++) {
		if (!all[i]->is_file)
			continue;
		if (!image_is(processes, image, &place, all[i]->is_file,
			      &is_so))
			return NULL;
		if (is_so)
			image->brings = all[i];
	}
	image->is_looked_at = true;
	return image->brings;
}

static const struct runtime *runtime_in(struct runtimes *runtimes,
					struct process *process,
					const struct mapping *mapping)
{
	if (!mapping->is_code || !mapping->image)
		return NULL;
	for (unsigned i = 0; i < NRUNTIMES; i++)
		if (all[i]->is_in && all[i]->is_in(mapping->image->name))
			return all[i];
	return look_into(runtimes->processes, process, mapping);
}

static struct runtime_process *known_from(const struct process *process,
					  const struct mapping *mapping,
					  const struct runtime *runtime)
{
	struct runtime_process *known = process->runtime;

	while (known && (known->runtime != runtime ||
			 known->memory->image_start != mapping->start ||
			 known->memory->image != mapping->image))
		known = known->older;
	return known;
}

/* Of the process with these mappings; NULL: it has none. */
static struct runtime_process *runtime_of(struct runtimes *runtimes,
					  struct process *process,
					  const struct space *space)
{
	for (size_t i = 0; i < space->count; i++) {
		const struct mapping *mapping = &space->mappings[i];
		const struct runtime *runtime = runtime_in(runtimes, process,
							   mapping);

		if (!runtime)
			continue;
		struct runtime_process *known = known_from(process, mapping,
							   runtime);

		if (!known) {
			known = prepare(runtimes, process, mapping, runtime);
			known->memory->image_start = mapping->start;
			known->memory->image = mapping->image;
		}
		/* python3.11 may have it all in libpython3.11.so.1.0. */
		if (known->block[RUNTIME_IS_THERE])
			return known;
	}
	return NULL;
}

unsigned runtimes_prepare(void *context, struct process *process,
			  const struct space *space, uint64_t *block)
{
	struct runtimes *runtimes = context;
	struct runtime_process *found = runtime_of(runtimes, process, space);

	if (!found || !found->block[RUNTIME_IS_THERE])
		return 0;
	found->space = space;
	if (found->runtime->renew)
		found->runtime->renew(found);
	found->space = NULL;
	memcpy(block, found->block, sizeof(found->block));
	return RUNTIME_WORDS;
}

static struct runtime_process *runtime_known(struct runtimes *runtimes,
					     uint32_t pid)
{
	struct process *process = process_asked(runtimes->processes, pid);

	if (!process->runtime) {
		if (!process->space)
			process_read(runtimes->processes, process);
		if (process->space)
			runtime_of(runtimes, process, process->space);
	}
	return process->runtime;
}

/* ------------------------------------------------------------------- names */

/* The names of a word, as of an object in its place. */
struct memo {
	uint64_t word;
	struct named *named;
	uint64_t generation;
};

static struct named *names_like(struct runtimes *runtimes,
				struct runtime_memory *memory,
				const struct runtime_frame *frames,
				unsigned count)
{
	/* Texts are kept once, so this tells names apart. */
	struct str content = { (const char *)frames, count * sizeof(*frames) };
	struct named *named = table_get(&memory->by_names, content);

	if (named)
		return named;
	named = runtime_memory_alloc(memory, sizeof(*named) + content.n);
	if (!named)
		return NULL;
	/* Another object may take its place: this is no word of the process. */
	named->key = RUNTIME_FRAME(++runtimes->nkeys << 3, RUNTIME_DETAIL_MOST);
	named->count = count;
	memcpy(named->frames, frames, content.n);
	content.p = (const char *)named->frames;
	table_put(&memory->by_names, content, named);
	table_put(&memory->keys,
		  (struct str){ (const char *)&named->key, sizeof(named->key) },
		  named);
	return named;
}

static struct runtime_copy *copy_for(const struct runtime_memory *memory,
				     uint64_t word)
{
	uint64_t object = RUNTIME_POINTER(word);

	return RUNTIME_IS_FRAME(word)
		       ? table_get(&memory->objects,
				   (struct str){ (const char *)&object,
						 sizeof(object) })
		       : NULL;
}

static struct named *name(struct runtimes *runtimes,
			  struct runtime_process *process, uint64_t word)
{
	struct runtime_frame frames[RUNTIME_INLINED];
	const struct runtime *runtime = process->runtime;
	const char *why = "the process does not tell";
	unsigned count = 0;

	/* What is not used is 0: frames are compared as bytes. */
	memset(frames, 0, sizeof(frames));
	process->memory->copy = copy_for(process->memory, word);
	if (RUNTIME_IS_FRAME(word))
		count = runtime->name_frame(process, RUNTIME_POINTER(word),
					    RUNTIME_DETAIL(word), frames, &why);
	else if (runtime->name_code)
		count = runtime->name_code(process, word, frames, &why);
	process->memory->copy = NULL;
	if (!count && RUNTIME_IS_FRAME(word))
		say(runtimes, process, "a frame has no name", why);
	return count ? names_like(runtimes, process->memory, frames, count)
		     : NULL;
}

/* What it was called before, if the same object is in its place. */
static struct named *known_name(const struct runtime_memory *memory,
				uint64_t word, struct memo **memo)
{
	struct str key = { (const char *)&word, sizeof(word) };
	struct named *named = table_get(&memory->keys, key);
	const struct runtime_copy *copy = copy_for(memory, word);

	*memo = table_get(&memory->words, key);
	if (!named && *memo &&
	    (*memo)->generation == (copy ? copy->generation : 0))
		return (*memo)->named;
	return named;
}

static struct named *find_name(struct runtimes *runtimes,
			       struct runtime_process *process, uint64_t word)
{
	struct runtime_memory *memory = process->memory;
	struct memo *memo;
	struct named *named = known_name(memory, word, &memo);
	const struct runtime_copy *copy = copy_for(memory, word);

	if (named || !process->block[RUNTIME_IS_THERE])
		return named;
	named = name(runtimes, process, word);
	if (!named)
		return NULL;
	if (!memo) {
		memo = runtime_memory_alloc(memory, sizeof(*memo));
		if (!memo)
			return named;
		memo->word = word;
		table_put(&memory->words,
			  (struct str){ (const char *)&memo->word,
					sizeof(memo->word) },
			  memo);
	}
	memo->named = named;
	memo->generation = copy ? copy->generation : 0;
	return named;
}

bool runtimes_have_symbols(struct runtimes *runtimes, uint32_t pid)
{
	const struct runtime_process *process = runtime_known(runtimes, pid);

	return process && process->runtime->has_symbols;
}

static struct named *find(struct runtimes *runtimes, uint32_t pid,
			  uint64_t word)
{
	struct runtime_process *process = runtime_known(runtimes, pid);
	struct named *named = NULL;
	struct memo *memo;

	if (!process)
		return NULL;
	if (!RUNTIME_IS_FRAME(word) && !process->runtime->name_code)
		return NULL;
	/* Before it executed another program it may have had such a frame. */
	for (struct runtime_process *any = process; any && !named;
	     any = any->older)
		named = known_name(any->memory, word, &memo);
	for (; process && !named; process = process->older)
		named = find_name(runtimes, process, word);
	return named;
}

unsigned runtimes_name(struct runtimes *runtimes, uint32_t pid, uint64_t word,
		       const struct runtime_frame **frames)
{
	const struct named *named = find(runtimes, pid, word);

	*frames = named ? named->frames : NULL;
	return named ? named->count : 0;
}

uint64_t runtimes_key(struct runtimes *runtimes, uint32_t pid, uint64_t word)
{
	const struct named *named = find(runtimes, pid, word);

	return named ? named->key : word;
}

/* What the object was when the walk met it: the newest counts. */
static void keep_copy(struct runtime_process *process, const uint64_t *question)
{
	struct runtime_memory *memory = process->memory;
	uint64_t object = RUNTIME_POINTER(question[QUESTION_FRAME]);
	struct str key = { (const char *)&object, sizeof(object) };
	struct runtime_copy *copy = table_get(&memory->objects, key);

	if (!copy) {
		copy = runtime_memory_alloc(memory, sizeof(*copy));
		if (!copy)
			return;
		copy->object = object;
		copy->generation = 0;
		key.p = (const char *)&copy->object;
		table_put(&memory->objects, key, copy);
	}
	copy->generation++;
	copy->pieces = NULL;
	memcpy(copy->question, question, sizeof(copy->question));
}

void runtimes_ask(void *context, uint32_t pid, uint64_t frame,
		  const uint64_t *question)
{
	struct runtime_process *process = runtime_known(context, pid);

	while (process && !process->block[RUNTIME_IS_THERE])
		process = process->older;
	if (process && question && RUNTIME_IS_FRAME(frame))
		keep_copy(process, question);
	/* It is the newest program's, whatever an older one had there. */
	if (process)
		find_name(context, process, frame);
	else
		find(context, pid, frame);
}

bool runtimes_read(void *context, uint32_t pid, uint64_t from, void *to,
		   uint32_t size)
{
	struct runtime_process *process = runtime_known(context, pid);

	return process && runtime_memory_read(process, from, to, size);
}

bool runtime_image_is_go(struct processes *processes,
			 const struct process *process,
			 const struct mapping *mapping)
{
	struct image_place place;
	int error;

	if (!mapping->is_code || !mapping->image)
		return false;
	place = process_place(process, mapping);
	return look_into(processes, process, mapping) == &runtime_go &&
	       image_open_file(processes, mapping->image, &place, &error) ==
		       ELF_GOOD;
}

/* -------------------------------------------------------------------- life */

struct runtimes *runtimes_new(struct processes *processes,
			      void (*explain)(void *context,
					      const char *message),
			      void *context)
{
	struct runtimes *runtimes = must_alloc(sizeof(*runtimes));

	*runtimes = (struct runtimes){
		.processes = processes,
		.explain = explain,
		.context = context,
	};
	processes->free_runtime = free_process;
	return runtimes;
}

void runtimes_free(struct runtimes *runtimes)
{
	free(runtimes);
}
