/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose DWARF is read, and what was found in it.
 *
 * A file's DWARF is read when the first of its addresses is asked for, and stays,
 * as far as the budget allows; so do answers, of which most are that nothing was
 * inlined.  Addresses are the file's own, so processes share both.
 */
#include "runtime/inlines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/table.h"
#include "btf/dwarf.h"
#include "proc/debug_info.h"
#include "proc/demangle.h"
#include "proc/image.h"
#include "proc/process.h"
#include "runtime/runtime.h"

struct inlines {
	struct processes *processes;
	bool is_mangled;
	struct arena *arena;
	struct types *types;
	struct table files, answers, texts;
	uint64_t held; /* of the budget */
};

/* Images may be forgotten: a file is known by what the kernel calls it. */
struct file_key {
	uint64_t device, inode;
};

struct file {
	struct file_key key;
	struct dwarf *dwarf; /* NULL: it has none */
};

struct answer {
	struct answer_key {
		const struct file *file;
		uint64_t address;
	} key;
	unsigned count;
	struct runtime_frame frames[];
};

static struct str bytes_of(const void *key, size_t size)
{
	return (struct str){ key, size };
}

/* NULL: the budget has no room for it. */
static void *keep(struct inlines *inlines, size_t size)
{
	enum { ENTRY = 64 }; /* of a table */

	if (!budget_hold(inlines->processes->budget, size + ENTRY))
		return NULL;
	inlines->held += size + ENTRY;
	return arena_alloc(inlines->arena, size);
}

/* ------------------------------------------------------------------ files */

static struct dwarf *read_dwarf(struct inlines *inlines,
				struct debug_info *info, struct dwarf *shared)
{
	struct dwarf_sections sections = { 0 };
	struct budget *budget = info->file.budget;
	enum debug_problem problem = DEBUG_GOOD;

	for (int i = 0; i < DWARF_PARTS; i++)
		sections.parts[i].p = debug_info_section(info,
							 dwarf_part_names[i],
							 &sections.parts[i].n,
							 &problem);
	sections.memory = info->file.held;
	debug_info_close(info);
	return dwarf_new(inlines->types, NULL, &sections, shared, budget);
}

static struct dwarf *open_dwarf(struct inlines *inlines,
				const struct process *process,
				const struct mapping *mapping)
{
	struct image_place place = process_place(process, mapping);
	struct debug_info info, more;
	struct dwarf *shared = NULL;
	char root[32];
	int error;

	snprintf(root, sizeof(root), "/proc/%u/root", process->pid);
	if (image_open_file(inlines->processes, mapping->image, &place,
			    &error) != ELF_GOOD ||
	    !debug_info_open(&info, &mapping->image->file, root, place.path,
			     dwarf_part_names[DWARF_INFO]))
		return NULL;
	if (debug_info_open_shared(&info, root, &more))
		shared = read_dwarf(inlines, &more, NULL);
	return read_dwarf(inlines, &info, shared);
}

static const struct file *file_of(struct inlines *inlines,
				  const struct process *process,
				  const struct mapping *mapping)
{
	struct file_key key = { mapping->image->device, mapping->image->inode };
	struct file *file = table_get(&inlines->files,
				      bytes_of(&key, sizeof(key)));

	if (file)
		return file;
	file = arena_alloc(inlines->arena, sizeof(*file));
	*file = (struct file){ .key = key };
	file->dwarf = open_dwarf(inlines, process, mapping);
	table_put(&inlines->files, bytes_of(&file->key, sizeof(key)), file);
	return file;
}

/* ------------------------------------------------------------------ names */

static const char *text_of(struct inlines *inlines, const char *text)
{
	struct str content = { text, strnlen(text, RUNTIME_TEXT_MOST) };
	const char *known = table_get(&inlines->texts, content);
	char *copy;

	if (known)
		return known;
	copy = keep(inlines, content.n + 1);
	if (!copy)
		return "";
	memcpy(copy, text, content.n);
	copy[content.n] = '\0';
	table_put(&inlines->texts, str_of(copy), copy);
	return copy;
}

static const char *name_of(struct inlines *inlines,
			   const struct dwarf_inlined *inlined)
{
	const char *linkage = inlined->linkage, *name = inlined->name;
	char *readable = NULL;

	if (linkage && !inlines->is_mangled && is_mangled(linkage))
		readable = demangle_short(linkage);
	else if (linkage)
		name = linkage;
	name = text_of(inlines, readable  ? readable
				: name	  ? name
				: linkage ? linkage
					  : "");
	free(readable);
	return name;
}

static struct answer *find(struct inlines *inlines, const struct file *file,
			   uint64_t address)
{
	struct dwarf_inlined found[RUNTIME_INLINED];
	unsigned count = file->dwarf
				 ? dwarf_find_inlined(file->dwarf, address,
						      found, RUNTIME_INLINED)
				 : 0;
	struct answer *answer = keep(inlines,
				     sizeof(*answer) +
					     count * sizeof(*answer->frames));

	if (!answer)
		return NULL;
	answer->key = (struct answer_key){ file, address };
	answer->count = 0;
	for (unsigned i = 0; i < count; i++) {
		struct runtime_frame frame = {
			.function = name_of(inlines, &found[i]),
			.file = text_of(inlines, found[i].file),
			.line = found[i].line,
		};

		if (!frame.file[0])
			frame.line = 0;
		if (frame.function[0])
			answer->frames[answer->count++] = frame;
	}
	table_put(&inlines->answers,
		  bytes_of(&answer->key, sizeof(answer->key)), answer);
	return answer;
}

unsigned inlines_find(struct inlines *inlines, uint32_t pid, uint64_t address,
		      const struct runtime_frame **frames)
{
	struct process *process = process_asked(inlines->processes, pid);
	const struct mapping *mapping;
	uint64_t bias;

	if (!process->space)
		process_read(inlines->processes, process);
	mapping = space_find(process->space, address);
	if (!mapping || !mapping->is_code || !mapping->image ||
	    !mapping->image->inode)
		return 0;
	const struct file *file = file_of(inlines, process, mapping);

	if (!file->dwarf || !runtime_bias(mapping, &bias))
		return 0;
	struct answer_key key = { file, address - bias };
	const struct answer *answer = table_get(&inlines->answers,
						bytes_of(&key, sizeof(key)));

	if (!answer)
		answer = find(inlines, file, address - bias);
	if (!answer)
		return 0;
	*frames = answer->frames;
	return answer->count;
}

/* -------------------------------------------------------------------- life */

struct inlines *inlines_new(struct processes *processes, bool is_mangled)
{
	struct inlines *inlines = must_alloc(sizeof(*inlines));

	*inlines = (struct inlines){
		.processes = processes,
		.is_mangled = is_mangled,
		.arena = arena_new(),
	};
	inlines->types = types_new(inlines->arena, 0);
	types_without_kernel(inlines->types);
	return inlines;
}

void inlines_free(struct inlines *inlines)
{
	if (!inlines)
		return;
	types_free(inlines->types);
	table_free(&inlines->files);
	table_free(&inlines->answers);
	table_free(&inlines->texts);
	budget_release(inlines->processes->budget, inlines->held);
	arena_free(inlines->arena);
	free(inlines);
}
