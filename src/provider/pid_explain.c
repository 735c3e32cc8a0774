/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a description finds nothing in a process.
 *
 * 1. What cannot be right is an error with its own tag: a literal name that
 *    does not exist, a program that cannot be read.
 * 2. What might have been right (a glob, a library that may still be loaded) is
 *    the ordinary "does not match any probes", and the reason is its hint.
 * 3. Most programs and libraries of a distribution are stripped: only what they
 *    export has a name.  The message mentions that only if a name was not
 *    found.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "provider/pid.h"

bool pid_is_glob(const char *text)
{
	return !*text || strpbrk(text, "*?[\\") != NULL;
}

static struct module *program_of(const struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		if (modules->items[i]->is_program)
			return modules->items[i];
	return modules->count ? modules->items[0] : NULL;
}

static bool is_static(const struct module *program)
{
	for (size_t i = 0; i < program->image->file.nsegments; i++)
		if (program->image->file.segments[i].p_type == PT_INTERP)
			return false;
	return true;
}

/*
 * The first matching object that does not name all its functions, or NULL.  A
 * description without an object means the program; it is normal that libraries
 * are stripped.
 */
static struct module *stripped_module(const struct modules *modules,
				      const char *pattern)
{
	for (size_t i = 0; i < modules->count; i++) {
		struct module *module = modules->items[i];
		const struct elf_functions *functions =
			module->image->functions;

		if (module_answers(module, pattern) && functions &&
		    functions->is_partial &&
		    (module->is_program || !pid_is_glob(pattern)))
			return module;
	}
	return NULL;
}

/* "no symbol table (stripped): ..." */
static const char *words_of_stripped(struct arena *arena, struct image *image)
{
	char path[PATH_MAX];
	const char *rest =
		image->functions->count
			? "only what it exports has a name"
			: "an address of the program can be named with the function '-'";

	if (!elf_file_debug_path(&image->file, "", path, sizeof(path)))
		return arena_printf(
			arena,
			"no symbol table (stripped, and without a build id): %s",
			rest);
	return arena_printf(
		arena,
		"no symbol table (stripped): %s; its debug symbols would be in %s",
		rest, path);
}

struct probe_error pid_fault_of_search(struct arena *arena,
				       const struct probe_desc *desc,
				       struct pid_process *process,
				       uint32_t nmodules, uint32_t nfunctions)
{
	const struct modules *modules = &process->modules;
	struct module *program = program_of(modules);
	bool is_open = module_open_file(modules, program);

	if (program->error == -EACCES || program->error == -EPERM)
		return pid_grab_error(arena, process->pid, program->error);
	if (program->problem == ELF_OTHER_MACHINE)
		return pid_error(
			arena, D_PROC_GRAB,
			"failed to grab process %d: %s is a 32-bit program, of which only system calls can be traced",
			(int)process->pid, program->name);
	if (!is_open && module_answers(program, desc->module))
		return pid_error(
			arena, D_PROC_GRAB,
			"failed to grab process %d: cannot read its program %s",
			(int)process->pid, program->path);
	if (!nmodules && is_open && is_static(program) &&
	    !pid_is_glob(desc->module))
		return pid_error(
			arena, D_PROC_DYN,
			"process %d is not a dynamically-linked executable: %s has all its libraries inside, where they are called a.out",
			(int)process->pid, program->name);
	bool is_plain = !pid_is_glob(desc->function) &&
			!pid_is_glob(desc->module);

	if (!nmodules || (nfunctions && !is_plain))
		return (struct probe_error){ 0 };
	struct module *stripped = stripped_module(modules, desc->module);

	return pid_error(arena, D_PROC_FUNC,
			 "failed to lookup '%s' in module '%s'%s%s",
			 desc->function, desc->module,
			 stripped ? ": it has " : "",
			 stripped ? words_of_stripped(arena, stripped->image)
				  : "");
}

/* ------------------------------------------------------------------ hints */

/* The C library of a process that has musl's, which is its linker as well. */
static const struct module *musl_of(const struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		if (!strncmp(modules->items[i]->name, "ld-musl-", 8))
			return modules->items[i];
	return NULL;
}

static const char *explain_module(struct arena *arena,
				  const struct probe_desc *desc,
				  const struct pid_process *process)
{
	const struct module *musl = musl_of(&process->modules);

	if (musl && !strncmp(desc->module, "libc", 4) &&
	    (!desc->module[4] || desc->module[4] == '.'))
		return arena_printf(
			arena, "process %d uses musl, whose C library is %s",
			(int)process->pid, musl->name);
	return arena_printf(
		arena,
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
	pid_t pid = glob_is_plain(desc->provider)
			    ? pid_of_provider(desc->provider)
			    : 0;
	struct module *stripped;

	while (process && process->pid != pid)
		process = process->next;
	if (!process || !process->modules.count)
		return NULL;
	for (size_t i = 0; i < process->modules.count; i++) {
		if (!module_answers(process->modules.items[i], desc->module))
			continue;
		stripped = stripped_module(&process->modules, desc->module);
		return stripped ? arena_printf(arena, "%s has %s",
					       stripped->name,
					       words_of_stripped(
						       arena, stripped->image))
				: NULL;
	}
	return explain_module(arena, desc, process);
}
