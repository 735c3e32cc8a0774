/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of args[] for probes of the pid provider.
 *
 * They are the types in the function's source, from the DWARF of its object or
 * of its debug file, or from BTF.  None of these is opened before an argument
 * is used.  The calling convention says where a parameter is at entry, whatever
 * DWARF says about locations later in the function: registers are read before
 * any instruction of the function has run.
 *
 * At return args[0] is the offset and args[1] the return value, as with arg0
 * and arg1.
 *
 * Several static functions of one name are one probe; it has typed arguments if
 * their types agree.
 */
#include "provider/pid.h"

#include <stdlib.h>
#include <string.h>

#include "btf/dwarf.h"
#include "proc/debug_info.h"
#include "provider/call_convention.h"

/* Bytes of an object that is passed by value, as one can read them. */
enum { LARGEST_OBJECT = 128 };

/* What is known of an image: in pid_state, found by its image. */
struct pid_debug {
	struct image *image;
	struct dwarf *dwarf;
	struct btf_file *btf;
	enum debug_problem problem;
	struct pid_debug *next;
};

/* ---------------------------------------------------------------- opening */

static struct dwarf *read_dwarf(struct types *types, struct debug_info *info,
				const void *key, struct dwarf *shared,
				enum debug_problem *problem)
{
	struct dwarf_sections sections = { 0 };
	struct budget *budget = info->file.budget;

	for (int i = 0; i < DWARF_TYPE_PARTS; i++)
		sections.parts[i].p = debug_info_section(info,
							 dwarf_part_names[i],
							 &sections.parts[i].n,
							 problem);
	sections.memory = info->file.held;
	debug_info_close(info);
	return dwarf_new(types, key, &sections, shared, budget);
}

static void open_dwarf(struct types *types, const char *root, const char *path,
		       struct pid_debug *debug)
{
	struct image *image = debug->image;
	struct debug_info info, more;
	struct dwarf *shared = NULL;

	if (!debug_info_open(&info, &image->file, root, path,
			     dwarf_part_names[DWARF_INFO])) {
		debug->problem = DEBUG_ABSENT;
		return;
	}
	if (debug_info_open_shared(&info, root, &more))
		shared = read_dwarf(types, &more, NULL, NULL, &debug->problem);
	debug->dwarf = read_dwarf(types, &info, image, shared, &debug->problem);
	/* types without names are of no use */
	if (debug->problem == DEBUG_LARGE)
		debug->dwarf = NULL;
}

static void open_btf(struct types *types, const char *root, const char *path,
		     struct pid_debug *debug)
{
	struct image *image = debug->image;
	enum debug_problem problem = DEBUG_GOOD;
	struct debug_info info;
	size_t size;

	if (!debug_info_open(&info, &image->file, root, path, ".BTF"))
		return;
	uint8_t *bytes = debug_info_section(&info, ".BTF", &size, &problem);

	debug_info_close(&info);
	if (bytes)
		debug->btf = types_add_user_btf(types, bytes, size);
	if (debug->btf)
		debug->problem = DEBUG_GOOD;
}

static struct pid_debug *debug_of(struct probe_registry *registry,
				  const struct pid_place *place)
{
	struct pid_state *state = pid_state_of(registry);
	struct pid_debug *debug = state->debugs;
	struct types *types = registry_types(registry);

	while (debug && debug->image != place->image)
		debug = debug->next;
	if (debug)
		return debug;
	debug = arena_new_of(registry_arena(registry), struct pid_debug);
	debug->image = place->image;
	debug->next = state->debugs;
	state->debugs = debug;
	open_dwarf(types, place->process->modules.root, place->module->path,
		   debug);
	if (!debug->dwarf)
		open_btf(types, place->process->modules.root,
			 place->module->path, debug);
	return debug;
}

/* -------------------------------------------------------------- functions */

static const char *say(struct probe_registry *registry, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static const char *say(struct probe_registry *registry, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	const char *text = arena_vprintf(registry_arena(registry), format,
					 arguments);
	va_end(arguments);
	return text;
}

/*
 * foo.isra.0, foo.constprop.0: clones for some callers, with other parameters.
 */
static bool is_clone(const char *name)
{
	static const char *const marks[] = {
		".isra.", ".constprop.", ".part.", ".specialized.",
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

/* The function's type, or NULL and why there is none. */
static struct type *type_of(struct probe_registry *registry,
			    const struct pid_place *place, const char **problem)
{
	const struct pid_debug *debug = debug_of(registry, place);
	const char *object = place->module->path;
	const char *name = place->function->name;
	struct types *types = registry_types(registry);
	struct type *type = NULL;
	enum dwarf_found found = DWARF_UNKNOWN;

	if (is_clone(name))
		found = DWARF_CHANGED;
	else if (debug->dwarf)
		found = dwarf_function(types, debug->dwarf,
				       place->function->start, &type);
	else if (debug->btf)
		type = types_user_function(types, debug->btf, name);
	if (type)
		return type;
	if (found == DWARF_CHANGED)
		*problem = say(
			registry,
			"the compiler passes the arguments of %s in a way of its own (use arg0 ...)",
			name);
	else if (found == DWARF_SPLIT)
		*problem = say(
			registry,
			"the debugging information of %s is in .dwo files, which are not read (compile it without -gsplit-dwarf, or use arg0 ...)",
			object);
	else if (debug->problem == DEBUG_PACKED)
		*problem = say(
			registry,
			"the debugging information of %s is compressed, and the library for that is not here (install libz.so.1 or libzstd.so.1)",
			object);
	else if (debug->problem == DEBUG_LARGE)
		*problem = say(
			registry,
			"the debugging information of %s is more than may be read (raise the limit with -x symsize=SIZE, or use arg0 ...)",
			object);
	else if (debug->problem == DEBUG_ABSENT)
		*problem = say(
			registry,
			"%s has no debugging information, neither DWARF nor BTF (compile it with -g or install its debug symbols, or use arg0 ...)",
			object);
	else
		*problem = say(
			registry,
			"the debugging information of %s says nothing about %s (was its source compiled with -g? use arg0 ...)",
			object, name);
	return NULL;
}

/* ----------------------------------------------------------------- places */

static const char *why_not(struct probe_registry *registry, struct type *type,
			   enum arch_passing how)
{
	const char *name = type_name(registry_types(registry), type);

	return how == PASS_FLOAT
		       ? say(registry,
			     "its type is %s, and floating point is not supported",
			     name)
		       : say(registry,
			     "its type is %s, which is passed in a way that is not supported",
			     name);
}

/* Makes it an argument; one that cannot be read still has a type. */
static int settle(struct probe_registry *registry, struct type *type,
		  struct arch_passed passed, uint32_t slot,
		  struct typed_argument *argument)
{
	argument->type = type;
	argument->mapping = slot;
	if (passed.how == PASS_ADDRESS)
		argument->type = type_user_pointer(registry_types(registry),
						   type);
	if (passed.how == PASS_WORD || passed.how == PASS_ADDRESS)
		return 1;
	if (passed.how == PASS_WORDS &&
	    type_is_sou(registry_types(registry), type) &&
	    type_size(registry_types(registry), type) <= LARGEST_OBJECT)
		return 1;
	argument->problem = why_not(registry, type, passed.how);
	return -1;
}

static int argument_at(struct probe_registry *registry,
		       const struct pid_place *place, uint32_t n,
		       struct typed_argument *argument)
{
	struct types *types = registry_types(registry);

	if (place->kind == PID_OFFSET)
		return 0;
	struct type *function = type_of(registry, place, &argument->problem);

	if (!function)
		return -1;
	if (place->kind == PID_ENTRY) {
		if (n >= function->nparams)
			return 0;
		struct arch_passed passed = call_parameter(types, function, n);

		return settle(registry, function->params[n], passed,
			      passed.slot, argument);
	}
	struct arch_passed result = call_result(types, function);

	if (n > 1 || (n == 1 && type_is_void(types, function->target)))
		return 0;
	if (n == 1)
		return settle(registry, function->target, result,
			      result.how == PASS_WORDS ? PID_RESULT : 1,
			      argument);
	*argument = (struct typed_argument){
		.type = types_base(types, BASE_LONG),
	};
	return 1;
}

int pid_argument(struct probe_registry *registry, const struct probe *probe,
		 uint32_t n, struct typed_argument *argument)
{
	const struct pid_place *place = probe->data;
	struct types *types = registry_types(registry);

	if (place->asked || !types)
		return -1;
	int status = argument_at(registry, place, n, argument);

	while ((place = place->next)) {
		struct typed_argument other = { 0 };

		if (argument_at(registry, place, n, &other) == status &&
		    (status != 1 ||
		     (other.mapping == argument->mapping &&
		      type_same(types, other.type, argument->type))))
			continue;
		argument->problem = say(
			registry,
			"several functions are named %s, and their arguments differ (use arg0 ...)",
			place->function->name);
		return -1;
	}
	return status;
}
