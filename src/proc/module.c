/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules of a process, from /proc/PID/maps.  Nothing is opened before the
 * module is used.
 */
#include "proc/module.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proc/process.h"
#include "proc/served.h"

static struct module *module_of(struct modules *modules,
				const struct maps_line *line)
{
	for (size_t i = 0; i < modules->count; i++) {
		struct module *module = modules->items[i];

		if (module->image->inode == line->inode &&
		    module->image->device == line->device &&
		    !strcmp(module->path, line->path))
			return module;
	}
	struct module *module = must_alloc(sizeof(*module));
	const char *slash = strrchr(line->path, '/');

	*module = (struct module){
		.image = image_of(modules->processes, line->device, line->inode,
				  line->path),
		.path = must_strdup(line->path),
		.start = line->start,
		.start_offset = line->offset,
	};
	image_pin(module->image);
	module->name = module->path + (slash - line->path) + 1;
	modules->items = must_realloc(modules->items,
				      checked_mul(modules->count + 1,
						  sizeof(module)));
	modules->items[modules->count++] = module;
	return module;
}

static void module_free(struct module *module)
{
	image_unpin(module->image);
	free(module->path);
	free(module);
}

/* Data files that are mapped have no code. */
static void keep_code(struct modules *modules)
{
	size_t kept = 0;

	for (size_t i = 0; i < modules->count; i++) {
		if (modules->items[i]->map_end)
			modules->items[kept++] = modules->items[i];
		else
			module_free(modules->items[i]);
	}
	modules->count = kept;
}

static void find_program(struct modules *modules)
{
	uint64_t device, inode;

	if (!served_program(modules->pid, &device, &inode))
		return;
	for (size_t i = 0; i < modules->count; i++) {
		if (modules->items[i]->image->inode != inode)
			continue;
		modules->items[i]->is_program = true;
		return;
	}
}

int modules_read(struct modules *modules, pid_t pid)
{
	struct maps *maps = &modules->processes->maps;
	struct maps_line line;

	modules->pid = pid;
	snprintf(modules->root, sizeof(modules->root), "/proc/%d/root",
		 (int)pid);
	int error = maps_read(maps, pid);

	if (error)
		return error;
	while (maps_next(maps, &line, false)) {
		if (line.path[0] != '/')
			continue;
		struct module *module = module_of(modules, &line);

		if (line.is_code && !module->map_end) {
			module->map_start = line.start;
			module->map_end = line.end;
		}
	}
	keep_code(modules);
	find_program(modules);
	return 0;
}

void modules_free(struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		module_free(modules->items[i]);
	free(modules->items);
	*modules = (struct modules){ 0 };
}

/* ---------------------------------------------------------------- opening */

static struct image_place place_of(const struct modules *modules,
				   const struct module *module)
{
	return (struct image_place){
		.is_exact = true,
		.pid = modules->pid,
		.start = module->map_start,
		.end = module->map_end,
		.path = module->path,
	};
}

/* Of a segment at the file byte where the first mapping starts. */
static void find_bias(struct module *module)
{
	const struct elf_file *file = &module->image->file;

	for (size_t i = 0; i < file->nsegments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t page = segment->p_offset & ~0xfffull;

		if (segment->p_type != PT_LOAD || module->start_offset < page ||
		    module->start_offset >=
			    segment->p_offset + segment->p_filesz)
			continue;
		module->bias = module->start - module->start_offset +
			       segment->p_offset - segment->p_vaddr;
		return;
	}
}

bool module_open_file(const struct modules *modules, struct module *module)
{
	if (!module->is_tried) {
		struct image_place place = place_of(modules, module);

		module->is_tried = true;
		module->problem = image_open_file(modules->processes,
						  module->image, &place,
						  &module->error);
		if (module->problem == ELF_GOOD)
			find_bias(module);
	}
	return module->problem == ELF_GOOD;
}

bool module_open(const struct modules *modules, struct module *module)
{
	struct image_place place = place_of(modules, module);

	return module_open_file(modules, module) &&
	       image_functions(module->image, &place);
}

/* ------------------------------------------------------------------ names */

/* LM0`libc: the first link map, the only one that is distinguished. */
static const char *without_link_map(const char *pattern)
{
	return strncmp(pattern, "LM0`", 4) ? pattern : pattern + 4;
}

bool module_answers(const struct module *module, const char *pattern)
{
	pattern = without_link_map(pattern);

	const char *name = module->name;
	size_t length = strlen(pattern);

	if (!*pattern || !strcmp(pattern, name))
		return true;
	if (module->is_program && !strcmp(pattern, "a.out"))
		return true;
	if (strpbrk(pattern, "*?[\\"))
		return !fnmatch(pattern, name, 0);
	if (pattern[0] == '/')
		return !strcmp(pattern, module->path);
	/* libc and libc.so mean libc.so.6; libfoo means libfoo-1.2.so */
	if (strncmp(name, pattern, length))
		return false;
	const char *rest = name + length;

	if (!strncmp(rest, ".so", 3))
		return rest[3] == '\0' || rest[3] == '.';
	if (length > 3 && !strcmp(pattern + length - 3, ".so"))
		return *rest == '.';
	/* libz.so.1, the name that programs link to, means libz.so.1.2.13 */
	if (strstr(pattern, ".so."))
		return *rest == '.';
	if (*rest != '-')
		return false;
	rest += 1 + strspn(rest + 1, "0123456789.");
	return !strncmp(rest, "so", 2) || !strcmp(rest, ".so");
}

/* libc.so.6 or another version. */
static bool is_c_library(const char *name)
{
	return !strncmp(name, "libc.so.", 8) &&
	       !name[8 + strspn(name + 8, "0123456789.")];
}

bool modules_answer(const struct modules *modules, const struct module *module,
		    const char *pattern, bool *is_other_version)
{
	*is_other_version = false;
	if (module_answers(module, pattern))
		return true;
	if (!is_c_library(without_link_map(pattern)) ||
	    !is_c_library(module->name))
		return false;
	for (size_t i = 0; i < modules->count; i++)
		if (module_answers(modules->items[i], pattern))
			return false;
	*is_other_version = true;
	return true;
}
