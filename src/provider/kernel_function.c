/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions of the kernel can be traced.
 *
 * The kernel has a list: available_filter_functions of tracefs, with the
 * functions of modules at the end.  What is not in it (notrace, __init,
 * inlined) cannot be traced.  From 6.5 on there is the same with addresses;
 * before, they come from /proc/kallsyms, and only when they are needed.  A
 * kernel without the list but with kprobes has all functions of kallsyms.
 *
 * 1. Reading the list takes some 50 ms: it is read when a description may
 *    match a function, once.
 * 2. Static functions may share a name.  Then there is one probe, placed on all
 *    of them: the first one links to the others.
 * 3. Whether the list is usable is found out by trying: there must be a method
 *    to attach a program.
 */
#include "provider/kernel_function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/table.h"
#include "btf/type.h"
#include "provider/provider.h"

enum { CHUNK = 1 << 16 };

struct kernel_functions {
	struct probe_registry *registry;
	char *text; /* the list; names point into it */
	struct kernel_function *all;
	uint32_t count, capacity;
	struct table names; /* "name" -> the first of that name */
	bool ways[FUNCTION_WAYS];
	bool is_located;
};

/* -------------------------------------------------------------- the ways */

static bool has_kprobe_events(void)
{
	return !access("/sys/bus/event_source/devices/kprobe/type", R_OK);
}

/* Functions that every kernel has: will it take a program on one? */
static bool has_typed_programs(struct types *types)
{
	static const char *const samples[] = { "vfs_read", "do_exit" };

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct type *type = types && !types_kernel_available(types)
					    ? types_function(types, "vmlinux",
							     samples[i])
					    : NULL;

		if (type)
			return !bpf_try_kind(&(struct bpf_kind){
				.type = BPF_PROG_TYPE_TRACING,
				.attach_type = BPF_TRACE_FENTRY,
				.target_btf_id = type->btf_id,
			});
	}
	return false;
}

static void find_ways(struct kernel_functions *functions)
{
	functions->ways[FUNCTION_KPROBE] = has_kprobe_events();
	functions->ways[FUNCTION_MULTI] = bpf_has(FEATURE_KPROBE_MULTI);
	functions->ways[FUNCTION_TYPED] =
		has_typed_programs(registry_types(functions->registry));
}

bool kernel_functions_can(const struct kernel_functions *functions,
			  enum function_way way)
{
	return functions->ways[way];
}

/* -------------------------------------------------------------- the list */

static char *read_file(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
	size_t size = 0, capacity = 0;
	char *text = NULL;
	ssize_t n = 0;

	if (fd < 0)
		return NULL;
	do {
		size += (size_t)n;
		if (capacity - size <= CHUNK) {
			capacity = capacity ? capacity * 2 : CHUNK * 16;
			text = must_realloc(text, capacity);
		}
		n = read(fd, text + size, CHUNK);
	} while (n > 0);
	close(fd);
	text[size] = '\0';
	if (n == 0 && size)
		return text;
	free(text);
	return NULL;
}

static void add(struct kernel_functions *functions, uint64_t address,
		const char *name, const char *module)
{
	if (functions->count == functions->capacity) {
		functions->capacity = functions->capacity
					      ? functions->capacity * 2
					      : 4096;
		functions->all =
			must_realloc(functions->all,
				     checked_mul(functions->capacity,
						 sizeof(*functions->all)));
	}
	functions->all[functions->count] = (struct kernel_function){
		.module = module,
		.name = name,
		.address = address,
		.index = functions->count,
	};
	functions->count++;
}

/* "[address ]name[ [module]]"; split into strings in place. */
static void parse_line(struct kernel_functions *functions, char *line,
		       bool has_address)
{
	static const char invalid[] = "__ftrace_invalid_address_";
	const char *module = "vmlinux";
	uint64_t address = 0;

	if (has_address) {
		address = arch_function_start(strtoull(line, &line, 16));
		functions->is_located &= address != 0;
		if (*line++ != ' ')
			return;
	}
	char *rest = strchr(line, ' ');

	if (rest) {
		*rest++ = '\0';
		if (*rest == '[') {
			module = ++rest;
			rest[strcspn(rest, "]")] = '\0';
		}
	}
	if (*line && strncmp(line, invalid, sizeof(invalid) - 1))
		add(functions, address, line, module);
}

static bool read_list(struct kernel_functions *functions)
{
	int tracefs = registry_tracefs(functions->registry);
	bool has_address = true;

	if (tracefs < 0)
		return false;
	functions->text = read_file(tracefs,
				    "available_filter_functions_addrs");
	if (!functions->text) {
		has_address = false;
		functions->text = read_file(tracefs,
					    "available_filter_functions");
	}
	functions->is_located = has_address;
	for (char *line = functions->text, *end; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		parse_line(functions, line, has_address);
	}
	return functions->count;
}

/* A line of kallsyms: "address type name[\t[module]]". */
struct symbol_line {
	uint64_t address;
	char kind;
	struct str name, module;
};

static const char *read_symbol(const char *at, struct symbol_line *symbol)
{
	char *rest;

	symbol->address = strtoull(at, &rest, 16);
	at = strchr(at, '\n');
	if (!at)
		at = rest + strlen(rest);
	symbol->kind = rest[0] == ' ' ? rest[1] : '\0';
	symbol->name = symbol->module = (struct str){ "", 0 };
	if (symbol->kind && rest[2] == ' ') {
		symbol->name.p = rest + 3;
		symbol->name.n = strcspn(rest + 3, "\t\n");
		rest += 3 + symbol->name.n;
		if (rest[0] == '\t' && rest[1] == '[') {
			symbol->module.p = rest + 2;
			symbol->module.n = strcspn(rest + 2, "]\n");
		}
	}
	return *at ? at + 1 : at;
}

static bool is_code(const struct symbol_line *symbol)
{
	return symbol->kind && strchr("tTwW", symbol->kind) && symbol->name.n;
}

/* Without a list: what kallsyms has, of which kprobes refuse some. */
static bool read_symbols(struct kernel_functions *functions)
{
	struct arena *arena = registry_arena(functions->registry);
	const char *at = registry_symbols(functions->registry);
	struct symbol_line symbol;

	while (at && *at) {
		at = read_symbol(at, &symbol);
		if (is_code(&symbol) && symbol.address)
			add(functions, symbol.address,
			    arena_strndup(arena, symbol.name.p, symbol.name.n),
			    symbol.module.n
				    ? arena_strndup(arena, symbol.module.p,
						    symbol.module.n)
				    : "vmlinux");
	}
	functions->is_located = true;
	return functions->count;
}

/* Names to functions, and those of one name and module to each other. */
static void index_names(struct kernel_functions *functions)
{
	for (uint32_t i = 0; i < functions->count; i++) {
		struct kernel_function *function = &functions->all[i];
		struct kernel_function *first =
			table_get(&functions->names, str_of(function->name));

		if (!first) {
			table_put(&functions->names, str_of(function->name),
				  function);
			continue;
		}
		function->is_repeated = !strcmp(first->module,
						function->module);
		while (first->next_named) {
			first = first->next_named;
			function->is_repeated |= !strcmp(first->module,
							 function->module);
		}
		first->next_named = function;
	}
}

struct kernel_function *kernel_function_same(struct kernel_function *function)
{
	struct kernel_function *next = function->next_named;

	while (next && strcmp(next->module, function->module))
		next = next->next_named;
	return next;
}

static struct kernel_functions *functions_read(struct probe_registry *registry)
{
	struct kernel_functions *functions = must_alloc(sizeof(*functions));

	*functions = (struct kernel_functions){ .registry = registry };
	find_ways(functions);
	if (!functions->ways[FUNCTION_TYPED] &&
	    !functions->ways[FUNCTION_MULTI] &&
	    !functions->ways[FUNCTION_KPROBE])
		return functions;
	if (!read_list(functions) && functions->ways[FUNCTION_KPROBE])
		read_symbols(functions);
	index_names(functions);
	return functions;
}

static struct kernel_functions *state_of(struct probe_registry *registry)
{
	void **state = registry_state(registry, &fbt_provider);

	if (!*state)
		*state = functions_read(registry);
	return *state;
}

struct kernel_functions *kernel_functions_of(struct probe_registry *registry)
{
	struct kernel_functions *functions = state_of(registry);

	return functions->count ? functions : NULL;
}

void kernel_functions_free(struct kernel_functions *functions)
{
	if (!functions)
		return;
	table_free(&functions->names);
	free(functions->all);
	free(functions->text);
	free(functions);
}

const char *kernel_functions_problem(struct probe_registry *registry)
{
	const struct kernel_functions *functions = state_of(registry);
	const char *problem = bpf_privilege_problem();

	if (functions->count)
		return NULL;
	if (problem)
		return problem;
	if (functions->ways[FUNCTION_TYPED] || functions->ways[FUNCTION_MULTI])
		return registry_tracefs(registry) >= 0
			       ? "the kernel's list of functions cannot be read: available_filter_functions of tracefs needs CONFIG_DYNAMIC_FTRACE=y"
			       : registry_tracefs_problem(registry);
	if (bpf_is_locked_down())
		return "the kernel is locked down (confidentiality): its functions may not be traced; boot without lockdown=confidentiality";
	return "this kernel's functions cannot be traced: it has no kprobes (CONFIG_KPROBE_EVENTS) and no fprobes (CONFIG_FPROBE), and takes no fentry programs (CONFIG_FUNCTION_TRACER, CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS); use a kernel with one of these, or probes of syscall, sdt, rawtp, proc, sched and io";
}

/* ------------------------------------------------------------- searching */

void kernel_functions_match(struct kernel_functions *functions,
			    const char *module, const char *name,
			    void (*visit)(void *data,
					  struct kernel_function *function),
			    void *data)
{
	struct kernel_function *function = functions->all;
	struct kernel_function *end = function + functions->count;

	if (*name && glob_is_plain(name)) {
		function = table_get(&functions->names, str_of(name));
		for (; function; function = function->next_named)
			if (!function->is_repeated &&
			    glob_match(module, function->module))
				visit(data, function);
		return;
	}
	for (; function < end; function++)
		if (!function->is_repeated &&
		    glob_match(name, function->name) &&
		    glob_match(module, function->module))
			visit(data, function);
}

/* The first function of that name and module that has no address yet. */
static struct kernel_function *without_address(
	const struct kernel_functions *functions,
	const struct symbol_line *symbol)
{
	struct str module = symbol->module.n ? symbol->module : STR("vmlinux");
	struct kernel_function *function = table_get(&functions->names,
						     symbol->name);

	while (function &&
	       (function->address || !str_is(module, function->module)))
		function = function->next_named;
	return function;
}

void kernel_functions_locate(struct kernel_functions *functions)
{
	const char *at = functions->is_located
				 ? NULL
				 : registry_symbols(functions->registry);
	struct symbol_line symbol;

	functions->is_located = true;
	while (at && *at) {
		at = read_symbol(at, &symbol);
		struct kernel_function *function =
			is_code(&symbol) ? without_address(functions, &symbol)
					 : NULL;

		if (function)
			function->address = symbol.address;
	}
}

uint64_t kernel_function_size(const struct kernel_functions *functions,
			      const struct kernel_function *function)
{
	uint64_t address, size;

	return registry_symbol(functions->registry, function->module,
			       function->name, &address, &size)
		       ? size
		       : 0;
}

/* A module's function may be named like one of the kernel proper. */
struct type *kernel_function_type(struct probe_registry *registry,
				  const struct kernel_function *function)
{
	struct types *types = registry_types(registry);

	if (!types || types_kernel_available(types) ||
	    kernel_function_same((struct kernel_function *)(uintptr_t)function))
		return NULL;
	return types_function(types, function->module, function->name);
}
