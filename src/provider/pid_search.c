/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From descriptions to places in processes.
 *
 * Probes are created on demand, and none is listed before it is requested.  A
 * description names exactly one process (pid_name.c).  Each kind of mistake has
 * its own tag.  A glob without a number (pid*, p*) means the probes that exist
 * already; it creates none.
 *
 * 1. The module of a probe is the file name of the object.  A description may
 *    say libc, libc.so or a.out for it, and a function's source name instead of
 *    its mangled one: see pid_matches().
 * 2. If an address has several names, the probe has the best one, whichever of
 *    them was requested: __libc_malloc is malloc.
 * 3. One name may have several locations: static functions of that name.
 * 4. A process is taken as it is.  A description of a child of -c waits until
 *    the session has let it run until its libraries are loaded
 *    (session_settle); before that only the program itself is there.
 * 5. Only locations where the kernel allows a probe are announced.
 * 6. While tracing, only objects that a process newly maps are searched
 *    (pid_follow.c).
 */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/budget.h"
#include "proc/demangle.h"
#include "proc/symbols.h"
#include "provider/pid.h"
#include "provider/uprobe.h"

enum { CODE_BYTES = 48 };

/* ------------------------------------------------------------- processes */

struct pid_state *pid_state_of(struct probe_registry *registry)
{
	void **state = registry_state(registry, &pid_provider);

	if (!*state) {
		*state = must_alloc(sizeof(struct pid_state));
		*(struct pid_state *)*state = (struct pid_state){
			.all = registry_processes(registry),
		};
	}
	return *state;
}

void pid_forget(void *data)
{
	struct pid_state *state = data;

	while (state->processes) {
		struct pid_process *next = state->processes->next;

		modules_free(&state->processes->modules);
		free(state->processes);
		state->processes = next;
	}
	processes_unlisten(state->all, &state->listener);
	free(state);
}

static struct pid_process *process_of(struct probe_registry *registry,
				      pid_t pid)
{
	struct pid_state *state = pid_state_of(registry);
	struct pid_process *process = state->processes;

	while (process && process->pid != pid)
		process = process->next;
	if (process)
		return process;
	process = must_alloc(sizeof(*process));
	*process = (struct pid_process){
		.pid = pid,
		.modules.processes = registry_processes(registry),
		.next = state->processes,
	};
	state->processes = process;
	return process;
}

const struct probe *pid_nowhere(struct probe_registry *registry,
				const struct probe_desc *desc)
{
	struct probe_desc own = *desc;

	own.provider = arena_printf(registry_arena(registry), "pid%d",
				    (int)getpid());
	return pid_announce_placeholder(registry, &own,
					process_of(registry, getpid()));
}

/* --------------------------------------------------------------- announce */

struct search {
	struct probe_registry *registry;
	const struct probe_desc *desc;
	struct pid_process *process;
	struct module *module;
	struct image *image;  /* of that */
	bool has_few_offsets; /* all instructions of the image are wanted */
	size_t first;	      /* module to begin with */
	uint32_t nmodules;    /* that the description means */
	uint32_t nfunctions, nnamed; /* in those; that it names */
	struct probe_error error;
};

/* False: it has the place already, or too many. */
static bool add_place(struct search *search, struct probe *probe,
		      const struct pid_place *place)
{
	enum { COST = 16 }; /* of a step */
	struct pid_place **end = (struct pid_place **)&probe->data;
	uint64_t nsteps = 0;

	for (; *end; end = &(*end)->next, nsteps++)
		if ((*end)->module == place->module &&
		    (*end)->function->start == place->function->start &&
		    (*end)->offset == place->offset)
			return false;
	/* without its first location there is no probe */
	if (nsteps &&
	    !budget_work(registry_budget(search->registry), nsteps * COST)) {
		budget_refuse(registry_budget(search->registry), -1);
		return false;
	}
	*end = arena_new_of(registry_arena(search->registry), struct pid_place);
	**end = *place;
	probe->growth++;
	return true;
}

/*
 * Not for users: the ends of a function and of those that it jumps to instead
 * of a call.  It fires for all callers of those.
 */
static bool is_done(const struct probe_desc *desc)
{
	return !strcmp(desc->name, "done");
}

static void announce_place(struct search *search, struct pid_place *place)
{
	const struct elf_function *function = place->function;
	char name[24];

	place->process = search->process;
	place->module = search->module;
	place->image = search->image;
	place->look = search->process->looks;
	if (!registry_afford(search->registry))
		return;
	if (place->kind == PID_OFFSET)
		snprintf(name, sizeof(name), "%llx",
			 (unsigned long long)place->offset);
	struct probe *probe = registry_add(search->registry, &pid_provider,
					   search->desc->provider,
					   search->module->name, function->name,
					   place->kind == PID_ENTRY    ? "entry"
					   : place->kind == PID_OFFSET ? name
					   : is_done(search->desc)     ? "done"
								   : "return",
					   place->kind);

	if (probe && !probe->pid)
		probe->pid = search->process->pid;
	if (!probe || !add_place(search, probe, place))
		registry_refund(search->registry);
}

static void announce(struct search *search, const struct elf_function *function,
		     enum pid_kind kind, uint64_t offset)
{
	struct pid_place place = {
		.function = function, .kind = kind, .offset = offset,
	};

	announce_place(search, &place);
}

/*
 * At the start of these, the word in place of the return address must not be
 * replaced.
 */
static bool can_return(const struct elf_function *function)
{
	static const char *const names[] = {
		"_start", "_dl_start_user", "__restore_rt",
		"_dl_runtime_resolve*", "_dl_runtime_profile*",
	};

	if (function->name[0] != '_')
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (glob_match(names[i], function->name))
			return false;
	return true;
}

static void fail(struct search *search, enum tag tag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void fail(struct search *search, enum tag tag, const char *format, ...)
{
	va_list arguments;
	char text[512];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	search->error = pid_error(registry_arena(search->registry), tag, "%s",
				  text);
}

/* Bytes to step over at the start of a function; UINT32_MAX: no place. */
static uint32_t skip_of(const struct search *search,
			const struct elf_function *function)
{
	size_t size = function->size && function->size < CODE_BYTES
			      ? function->size
			      : CODE_BYTES;
	const uint8_t *code = image_code(search->image, function->offset,
					 &size);

	return size ? uprobe_skip_entry(code, (uint32_t)size) : UINT32_MAX;
}

static void announce_end(struct search *search,
			 const struct elf_function *function,
			 const struct pid_returns *ends,
			 const struct pid_end *end)
{
	struct pid_place place = {
		.function = function, .kind = PID_END, .offset = end->offset,
		.end = *end, .range = { ends->range[0], ends->range[1] },
	};

	announce_place(search, &place);
}

/* On the instructions that end it. */
static void announce_returns(struct search *search,
			     const struct elf_function *function)
{
	bool is_plain = !pid_is_glob(search->desc->function) &&
			!pid_is_glob(search->desc->name);
	struct pid_returns ends;
	size_t nsites = 0;

	if (!pid_find_returns(search->image, function, is_done(search->desc),
			      &ends) &&
	    is_plain)
		fail(search, D_PROC_CREATEFAIL,
		     "failed to create return probe for '%s': its instructions cannot be read (-x uretprobe does without, but see dtrace_pid(4) for its dangers)",
		     function->name);
	for (size_t i = 0; i < ends.count && !search->error.text; i++) {
		size_t size = CODE_BYTES;
		const uint8_t *code = image_code(search->image,
						 function->offset +
							 ends.items[i].offset,
						 &size);

		if (arch_is_unsafe(code, size))
			continue;
		announce_end(search, function, &ends, &ends.items[i]);
		nsites++;
	}
	if (!nsites && is_plain && !search->error.text)
		fail(search, D_PROC_CREATEFAIL,
		     "failed to create return probe for '%s': it never returns",
		     function->name);
	pid_returns_free(&ends);
}

static bool uses_kernels_way(const struct search *search)
{
	const struct options *options = registry_options(search->registry);

	return options && option_number(options, OPTION_URETPROBE);
}

static void announce_ends(struct search *search,
			  const struct elf_function *function)
{
	const char *name = search->desc->name;
	bool at_entry = glob_match(name, "entry");
	bool at_return = glob_match(name, "return") || is_done(search->desc);
	bool is_kernels = at_return && !is_done(search->desc) &&
			  uses_kernels_way(search);

	if (at_return && !is_kernels)
		announce_returns(search, function);
	is_kernels = is_kernels && can_return(function);
	uint32_t skip = at_entry || is_kernels ? skip_of(search, function) : 0;

	if (skip == UINT32_MAX) {
		if (!pid_is_glob(search->desc->function) && !pid_is_glob(name))
			fail(search, D_PROC_CREATEFAIL,
			     "failed to create %s probe for '%s': the kernel allows none on its first instruction",
			     name, function->name);
		return;
	}
	if (at_entry)
		announce(search, function, PID_ENTRY, skip);
	if (is_kernels)
		announce(search, function, PID_RETURN, skip);
}

static void announce_offset(struct search *search,
			    const struct elf_function *function,
			    const uint8_t *code, const uint8_t *starts,
			    uint64_t offset)
{
	bool is_plain = !pid_is_glob(search->desc->function);

	if (offset >= function->size) {
		if (is_plain)
			fail(search, D_PROC_OFF,
			     "offset 0x%llx outside of function '%s'",
			     (unsigned long long)offset, function->name);
	} else if (!starts[offset]) {
		if (is_plain)
			fail(search, D_PROC_ALIGN,
			     "offset 0x%llx is not aligned on an instruction",
			     (unsigned long long)offset);
	} else if (arch_is_unsafe(code + offset, function->size - offset)) {
		if (is_plain)
			fail(search, D_PROC_CREATEFAIL,
			     "failed to create probe at offset 0x%llx of '%s': %s",
			     (unsigned long long)offset, function->name,
			     arch_is_syscall(code + offset,
					     function->size - offset)
				     ? "children of a probed system call would not survive"
				     : "the kernel allows none on this instruction");
	} else {
		announce(search, function, PID_OFFSET, offset);
	}
}

static bool names_functions(const struct probe_desc *desc)
{
	return *desc->function && strcmp(desc->function, "*") != 0;
}

/*
 * Of an object that is named, and has not too many.  Without links for many
 * places, tens of thousands take a minute, and a program that verifiers refuse.
 */
static bool has_few_offsets(const struct search *search)
{
	enum { MOST = 100000, MOST_ONE_BY_ONE = 5000 };
	const struct probe_desc *desc = search->desc;

	if (pid_is_glob(desc->module) || !pid_is_glob(desc->name) ||
	    names_functions(desc))
		return false;
	size_t most = bpf_has(FEATURE_UPROBE_MULTI) ? MOST : MOST_ONE_BY_ONE;

	if (pid_count_instructions(search->image, most) <= most)
		return true;
	registry_note(
		search->registry,
		"%s:%s:%s:%s is entries and returns only: %s has more than %zu instructions (name a function for its instructions)",
		desc->provider, desc->module, desc->function, desc->name,
		search->module->name, most);
	return false;
}

static void announce_all_offsets(struct search *search,
				 const struct elf_function *function,
				 const uint8_t *code, const uint8_t *starts)
{
	uint64_t size = function->size;
	char name[24];

	for (uint64_t at = 0; at < size; at++) {
		if (!starts[at])
			continue;
		snprintf(name, sizeof(name), "%llx", (unsigned long long)at);
		if (glob_match(search->desc->name, name) &&
		    !arch_is_unsafe(code + at, size - at))
			announce(search, function, PID_OFFSET, at);
	}
}

/*
 * Without an object, all instructions of all functions are surely not wanted: a
 * C library has 300,000, and the kernel takes minutes to arm them and cannot be
 * interrupted meanwhile.
 */
static bool wants_offsets(const struct search *search)
{
	const struct probe_desc *desc = search->desc;

	if (pid_is_end_name(desc->name))
		return false;
	return !pid_is_glob(desc->name) || names_functions(desc) ||
	       search->has_few_offsets;
}

static void announce_function(struct search *search,
			      const struct elf_function *function)
{
	uint64_t offset;

	const struct probe_desc *desc = search->desc;

	announce_ends(search, function);
	if (!wants_offsets(search))
		return;
	size_t size = function->size;
	const uint8_t *code = image_code(search->image, function->offset,
					 &size);

	uint8_t *starts = size < function->size
				  ? NULL
				  : pid_find_instructions(search->image,
							  function);

	if (!starts)
		return;
	if (pid_is_glob(desc->name))
		announce_all_offsets(search, function, code, starts);
	else if (pid_parse_offset(desc->name, &offset))
		announce_offset(search, function, code, starts, offset);
	free(starts);
}

/* The source name; some names take long, and there may be many of them. */
static bool demangled_answers(struct budget *budget, const char *pattern,
			      char *name)
{
	enum { COST = 16 };
	bool is_paid = budget_work(budget, COST * (name ? strlen(name)
							: DEMANGLED_LONGEST));
	bool matches = is_paid && name && glob_match(pattern, name);

	free(name);
	return matches;
}

/* A name without scopes, patterns or types is in its mangled form as it is. */
static bool is_identifier(const char *text)
{
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return !*text;
}

/* By the mangled name, or by the source name in two forms. */
static bool answers(const struct pid_process *process, const char *pattern,
		    const struct elf_function *function)
{
	struct budget *budget = processes_budget(process->modules.processes);

	if (glob_match(pattern, function->name))
		return true;
	/* what was written is not mangled, so it cannot look like it */
	if (!is_mangled(function->name) || is_mangled(pattern))
		return false;
	if (is_identifier(pattern) && !strstr(function->name, pattern))
		return false;
	if (!budget_work(budget, strlen(function->name))) {
		budget_refuse(budget, -1);
		return false;
	}
	return demangled_answers(budget, pattern,
				 demangle_short(function->name)) ||
	       (strpbrk(pattern, "()*?") &&
		demangled_answers(budget, pattern, demangle(function->name)));
}

static void search_image(struct search *search)
{
	const struct elf_functions *functions = search->image->functions;
	const char *pattern = search->desc->function;
	const struct elf_function *best = NULL, *last = NULL;

	search->nfunctions += (uint32_t)functions->count;
	search->has_few_offsets = has_few_offsets(search);
	for (size_t i = 0; i < functions->count && !search->error.text; i++) {
		const struct elf_function *function = &functions->items[i];

		if (!best || best->start != function->start)
			best = function;
		if (best == last ||
		    !answers(search->process, pattern, function))
			continue;
		search->nnamed++;
		announce_function(search, best);
		last = best;
	}
}

/* An address of the program as it was linked, or as it is in the process. */
static uint64_t linked_address(const struct module *module, uint64_t address)
{
	return module->bias && address >= module->bias ? address - module->bias
						       : address;
}

/* pid123:a.out:-:401136 */
static void search_address(struct search *search)
{
	struct image *image = search->image;
	struct elf_function *function;
	size_t size = CODE_BYTES;
	uint64_t address, offset;

	if (!search->module->is_program ||
	    !pid_parse_offset(search->desc->name, &address))
		return;
	address = linked_address(search->module, address);
	search->nfunctions++;
	if (!elf_file_is_code(&image->file, address) ||
	    !elf_file_offset(&image->file, address, &offset) ||
	    arch_is_unsafe(image_code(image, offset, &size), size)) {
		fail(search, D_PROC_CREATEFAIL,
		     "failed to create probe at address 0x%llx: no instruction that can be probed",
		     (unsigned long long)address);
		return;
	}
	search->nnamed++;
	function = arena_new_of(registry_arena(search->registry),
				struct elf_function);
	*function = (struct elf_function){ .name = "-" };
	/* the name is the address, which is the offset from 0 */
	function->offset = offset - address;
	announce(search, function, PID_OFFSET, address);
}

/* ----------------------------------------------------------- descriptions */

struct probe_error pid_grab_error(struct arena *arena, pid_t pid, int error)
{
	const char *why = strerror(-error);

	if (error == -EACCES || error == -EPERM)
		why = "permission denied (needs CAP_SYS_PTRACE, or to be its owner)";
	else if (error == -ESRCH)
		why = "it has ended";
	else if (!error)
		why = "it has no program (a kernel thread, or it has ended)";
	return pid_error(arena, D_PROC_GRAB, "failed to grab process %d: %s",
			 (int)pid, why);
}

static void search_process(struct search *search)
{
	struct modules *modules = &search->process->modules;
	const struct probe_desc *desc = search->desc;

	for (size_t i = search->first;
	     i < modules->count && !search->error.text; i++) {
		struct module *module = modules->items[i];
		bool is_other;

		if (!modules_answer(modules, module, desc->module, &is_other) ||
		    !module_open(modules, module))
			continue;
		if (is_other)
			registry_note(search->registry,
				      "process %d has no %s: using %s",
				      (int)search->process->pid, desc->module,
				      module->name);
		search->nmodules++;
		search->module = module;
		search->image = module->image;
		if (!strcmp(desc->function, "-"))
			search_address(search);
		else
			search_image(search);
	}
}

/* While tracing: in newly mapped objects; finding nothing is not an error. */
static int list_new(struct search *search)
{
	search->first = search->process->nseen;
	search_process(search);
	return 0;
}

static int list_process(struct probe_registry *registry,
			const struct probe_desc *desc, pid_t pid,
			struct probe_error *error)
{
	struct arena *arena = registry_arena(registry);
	struct search search = {
		.registry = registry, .desc = desc,
		.process = process_of(registry, pid),
	};

	/* a process that others have found while tracing is read first */
	if (pid_state_of(registry)->is_following &&
	    search.process->modules.count)
		return list_new(&search);
	int status = modules_read(&search.process->modules, pid);

	if (status || !search.process->modules.count) {
		*error = pid_grab_error(arena, pid, status);
		return -ESRCH;
	}
	pid_is_same_program(search.process);
	search_process(&search);
	if (!search.error.text && !search.nnamed) {
		search.error = pid_fault_of_search(arena, desc, search.process,
						   search.nmodules,
						   search.nfunctions);
		pid_announce_placeholder(registry, desc, search.process);
	}
	*error = search.error;
	return search.error.text ? -EINVAL : 0;
}

int pid_list(struct probe_registry *registry, const struct probe_desc *desc,
	     struct probe_error *error)
{
	struct arena *arena = registry_arena(registry);
	struct probe_error ignored;

	if (!desc)
		return 0;
	bool is_glob = pid_is_glob(desc->provider);
	pid_t pid = pid_of_provider(desc->provider);

	if (is_glob ? !pid : !pid_is_our_name(desc->provider))
		return 0;
	struct probe_desc plain = *desc;

	if (is_glob) {
		plain.provider = arena_printf(arena, "pid%d", (int)pid);
		error = &ignored;
	}
	*error = pid_state_of(registry)->is_following
			 ? (struct probe_error){ 0 }
			 : pid_fault_of_desc(arena, &plain, pid);
	int status = error->text ? -EINVAL
				 : list_process(registry, &plain, pid, error);

	return is_glob ? 0 : status;
}

/* Offsets are numbers: 0x4c and 04c are 4c, and an address may be biased. */
static bool name_answers(const struct probe *probe, const char *pattern)
{
	const struct pid_place *place = probe->data;
	uint64_t offset;

	if (!strcmp(probe->name, "done"))
		return !strcmp(pattern, "done");
	if (glob_match(pattern, probe->name))
		return true;
	return place->kind == PID_OFFSET &&
	       pid_parse_offset(pattern, &offset) &&
	       place->offset ==
		       (strcmp(place->function->name, "-")
				? offset
				: linked_address(place->module, offset));
}

/* By any of its names: the place has the first of them. */
static bool names_answer(const struct pid_place *place, const char *pattern)
{
	const struct elf_functions *functions = place->image->functions;
	const struct elf_function *end = functions->items + functions->count;
	const struct elf_function *function = place->function;
	bool is_listed = function >= functions->items && function < end;

	do {
		if (answers(place->process, pattern, function))
			return true;
		function++;
	} while (is_listed && function < end &&
		 function->start == place->function->start);
	return false;
}

bool pid_matches(const struct probe *probe, const struct probe_desc *desc)
{
	const struct pid_place *place = probe->data;
	bool is_other;

	if (place->asked)
		return pid_placeholder_matches(probe, desc);
	return glob_match(desc->provider, probe->provider_name) &&
	       name_answers(probe, desc->name) &&
	       modules_answer(&place->process->modules, place->module,
			      desc->module, &is_other) &&
	       (names_answer(place, desc->function) ||
		!strcmp(desc->function, probe->function));
}
