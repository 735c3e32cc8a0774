/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a description finds nothing in a process.
 *
 * 1. What cannot be right is an error with a tag of its own: a name that is
 *    spelled out and is not there, a program that cannot be read.
 * 2. What might have been right (a glob, a library that may still come) is
 *    the ordinary "does not match any probes", and the reason is its hint.
 * 3. Most programs and libraries of a distribution are stripped: what they
 *    export is all that has a name.  That is worth a word where a name was
 *    looked for in vain, and nowhere else.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "provider/pid.h"

bool pid_is_glob(const char *text)
{
	return !*text || strpbrk(text, "*?[\\") != NULL;
}

static struct image *program_of(const struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->is_program)
			return images->items[i];
	return images->count ? images->items[0] : NULL;
}

static bool is_static(const struct image *program)
{
	for (size_t i = 0; i < program->file.nsegments; i++)
		if (program->file.segments[i].p_type == PT_INTERP)
			return false;
	return true;
}

/*
 * The first that is meant and does not tell all its functions, or NULL.  Who
 * names no object means the program; that libraries are stripped is usual.
 */
static struct image *stripped_image(const struct images *images,
				    const char *pattern)
{
	for (size_t i = 0; i < images->count; i++) {
		struct image *image = images->items[i];

		if (image_answers(image, pattern) && image->functions &&
		    image->functions->is_partial &&
		    (image->is_program || !pid_is_glob(pattern)))
			return image;
	}
	return NULL;
}

/* "no symbol table (stripped): ..." */
static const char *words_of_stripped(struct arena *arena,
				     struct image *image)
{
	char path[PATH_MAX];
	const char *rest = image->functions->count ?
		"only what it exports has a name" :
		"an address of the program can be named with the function '-'";

	if (!elf_file_debug_path(&image->file, "", path, sizeof(path)))
		return arena_printf(arena,
				    "no symbol table (stripped, and without a build id): %s",
				    rest);
	return arena_printf(arena,
			    "no symbol table (stripped): %s; its debug symbols would be in %s",
			    rest, path);
}

const char *pid_fault_of_search(struct arena *arena,
				const struct probe_desc *desc,
				struct pid_process *process, uint32_t nimages,
				uint32_t nfunctions)
{
	const struct images *images = &process->images;
	struct image *program = program_of(images);
	bool is_open = image_open_file(images, program);

	if (program->fd == -EACCES || program->fd == -EPERM)
		return pid_grab_error(arena, process->pid, program->fd);
	if (program->problem == ELF_OTHER_MACHINE)
		return arena_printf(arena,
				    "[D_PROC_GRAB] failed to grab process %d: %s is a 32-bit program, of which only system calls can be traced",
				    (int)process->pid, program->name);
	if (!is_open && image_answers(program, desc->module))
		return arena_printf(arena,
				    "[D_PROC_GRAB] failed to grab process %d: cannot read its program %s",
				    (int)process->pid, program->path);
	if (!nimages && is_open && is_static(program) &&
	    !pid_is_glob(desc->module))
		return arena_printf(arena,
				    "[D_PROC_DYN] process %s is not a dynamically-linked executable: %s has all its libraries inside, where they are called a.out",
				    desc->provider + 3, program->name);
	bool is_plain = !pid_is_glob(desc->function) &&
			!pid_is_glob(desc->module);

	if (!nimages || (nfunctions && !is_plain))
		return NULL;
	struct image *stripped = stripped_image(images, desc->module);

	return arena_printf(arena,
			    "[D_PROC_FUNC] failed to lookup '%s' in module '%s'%s%s",
			    desc->function, desc->module,
			    stripped ? ": it has " : "",
			    stripped ? words_of_stripped(arena, stripped) : "");
}

/* ------------------------------------------------------------------ hints */

/* The C library of a process that has musl's, which is its linker as well. */
static const struct image *musl_of(const struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		if (!strncmp(images->items[i]->name, "ld-musl-", 8))
			return images->items[i];
	return NULL;
}

static const char *explain_module(struct arena *arena,
				  const struct probe_desc *desc,
				  const struct pid_process *process)
{
	const struct image *musl = musl_of(&process->images);

	if (musl && !strncmp(desc->module, "libc", 4) &&
	    (!desc->module[4] || desc->module[4] == '.'))
		return arena_printf(arena,
				    "process %d uses musl, whose C library is %s",
				    (int)process->pid, musl->name);
	return arena_printf(arena,
			    "process %d has not mapped '%s'; with -Z it may do so later",
			    (int)process->pid, desc->module);
}

const char *pid_explain(struct probe_registry *registry,
			const struct provider *provider,
			const struct probe_desc *desc)
{
	const struct pid_state *state = *registry_state(registry, provider);
	const struct pid_process *process = state ? state->processes : NULL;
	struct arena *arena = registry_arena(registry);
	struct image *stripped;

	if (strncmp(desc->provider, "pid", 3) ||
	    !isdigit((unsigned char)desc->provider[3]))
		return NULL;
	while (process && process->pid != (pid_t)atoi(desc->provider + 3))
		process = process->next;
	if (!process || !process->images.count)
		return NULL;
	for (size_t i = 0; i < process->images.count; i++) {
		if (!image_answers(process->images.items[i], desc->module))
			continue;
		stripped = stripped_image(&process->images, desc->module);
		return stripped ? arena_printf(arena, "%s has %s",
					       stripped->name,
					       words_of_stripped(arena,
								 stripped))
				: NULL;
	}
	return explain_module(arena, desc, process);
}
