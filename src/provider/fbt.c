/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fbt:MODULE:FUNCTION:entry and return; rawfbt.
 *
 * Every function that the kernel allows to be traced has two probes.  At entry
 * arg0 ... are its arguments, and args[] has their types; at return arg1 is the
 * return value; arg0 would be the offset of the return, and is 0.
 * fbt::FUNCTION:0x1c is the instruction at that offset; its arg0 ... arg5 are
 * the registers that arguments are passed in.
 *
 * Globs leave out the functions that our own programs use (BPF helpers, the
 * tracer): their probes would fire inside those programs and be lost.  They can
 * still be traced by name.
 *
 * rawfbt has the same functions and also the clones that compilers create
 * (foo.isra.0, foo.part.0).  Their arguments differ from the source, so rawfbt
 * has no types.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "btf/type.h"
#include "provider/classic.h"
#include "provider/kernel_function.h"
#include "provider/provider.h"

/* Two of each function, and there is room for as many again in modules. */
enum { IDS = 1 << 18 };

static const char *const names[] = {
	[FUNCTION_ENTRY] = "entry", [FUNCTION_RETURN] = "return",
};

struct search {
	struct probe_registry *registry;
	const struct probe_desc *desc;
	const struct provider *provider;
	bool is_offset;
	uint64_t offset;
};

/* foo.isra.0, foo.cold: not what the source calls foo. */
static bool is_part(const char *name)
{
	return strchr(name, '.') != NULL;
}

static bool is_named(const struct probe_desc *desc)
{
	return desc && *desc->function && glob_is_plain(desc->function);
}

static bool is_our_ground(const char *name)
{
	static const char *const beginnings[] = {
		"bpf_", "__bpf_", "fprobe_", "kprobe_", "rethook_", "ftrace_",
		"bsearch", "ktime_get_mono_fast", "copy_from_kernel_nofault",
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

static void announce_point(const struct search *search,
			   struct kernel_function *function,
			   enum function_where where, const char *name)
{
	struct probe *probe =
		registry_add(search->registry, search->provider,
			     search->provider->name, function->module,
			     function->name, name,
			     (uint64_t)function->index * 2 + where);

	if (!probe)
		return;
	struct function_point *point = probe->data;

	if (!point) {
		point = function_point_new(search->registry, function, where);
		point->offset = search->offset;
		probe->data = point;
	}
	if (is_named(search->desc) && search->provider == &fbt_provider)
		function_point_prefer_typed(search->registry, point);
}

static void announce(void *data, struct kernel_function *function)
{
	const struct search *search = data;

	if (search->provider == &fbt_provider && is_part(function->name))
		return;
	if (!is_named(search->desc) && is_our_ground(function->name))
		return;
	if (search->is_offset) {
		announce_point(search, function, FUNCTION_OFFSET,
			       search->desc->name);
		return;
	}
	for (enum function_where where = FUNCTION_ENTRY;
	     where <= FUNCTION_RETURN; where++)
		if (!search->desc ||
		    glob_match(search->desc->name, names[where]))
			announce_point(search, function, where, names[where]);
}

/* "0x1c", for a function that is named. */
static bool is_offset(const struct probe_desc *desc, uint64_t *offset)
{
	char *end;

	if (strncmp(desc->name, "0x", 2) || !desc->name[2] ||
	    !*desc->function || !glob_is_plain(desc->function))
		return false;
	*offset = strtoull(desc->name, &end, 16);
	return !*end;
}

static int list(struct probe_registry *registry, const struct probe_desc *desc,
		const struct provider *provider)
{
	struct search search = {
		.registry = registry, .desc = desc, .provider = provider,
	};

	if (desc && !glob_match(desc->provider, provider->name))
		return 0;
	if (desc && !glob_match(desc->name, names[FUNCTION_ENTRY]) &&
	    !glob_match(desc->name, names[FUNCTION_RETURN])) {
		search.is_offset = is_offset(desc, &search.offset);
		if (!search.is_offset)
			return 0;
	}
	struct kernel_functions *functions = kernel_functions_of(registry);

	if (!functions || (search.is_offset &&
			   !kernel_functions_can(functions, FUNCTION_KPROBE)))
		return 0;
	kernel_functions_match(functions, desc ? desc->module : "",
			       desc ? desc->function : "", announce, &search);
	return 0;
}

static int fbt_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return list(registry, desc, &fbt_provider);
}

static int rawfbt_list(struct probe_registry *registry,
		       const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	/* -l shows them when asked to: they belong to fbt again */
	if (!desc || !*desc->provider)
		return 0;
	return list(registry, desc, &rawfbt_provider);
}

static int fbt_argument(struct probe_registry *registry,
			const struct probe *probe, uint32_t n,
			const char **native, const char **translated)
{
	const struct function_point *point = probe->data;
	struct types *types = registry_types(registry);
	struct type *type;

	if (point->where == FUNCTION_OFFSET)
		return -1;
	type = kernel_function_type(registry, point->function);
	if (!type)
		return -1;
	if (point->where == FUNCTION_ENTRY) {
		if (n >= type->nparams)
			return 0;
		*native = type_name(types, type->params[n]);
	} else {
		if (n > 1 || (n == 1 && type_is_void(types, type->target)))
			return 0;
		*native = n ? type_name(types, type->target) : "long";
	}
	*translated = *native;
	return 1;
}

static int rawfbt_argument(struct probe_registry *registry,
			   const struct probe *probe, uint32_t n,
			   const char **native, const char **translated)
{
	const struct function_point *point = probe->data;

	(void)registry;
	*native = *translated = "uint64_t";
	return n < (point->where == FUNCTION_RETURN ? 2 : 10);
}

/* ------------------------------------------------------------- programs */

static uint32_t shape(const struct probe *probe)
{
	return function_point_shape(probe->data);
}

static ir_reg argument_of_entry(struct lower *lower, uint32_t n)
{
	return function_argument(lower, lower->group->provider_data, n);
}

static ir_reg argument_of_return(struct lower *lower, uint32_t n)
{
	return n == 1 ? function_result(lower, lower->group->provider_data)
		      : ir_const(&lower->b, 0);
}

static int context(struct arena *arena, struct probe_group *group)
{
	struct function_point **points =
		arena_array_of(arena, struct function_point *, group->nprobes);

	for (uint32_t i = 0; i < group->nprobes; i++)
		points[i] = group->probes[i]->data;
	group->provider_data = function_group_new(arena, group, points);
	group->lower.provider_data = group->provider_data;
	group->lower.argument = points[0]->where == FUNCTION_RETURN
					? argument_of_return
					: argument_of_entry;
	return 0;
}

static int attach(struct attach_context *attaching, struct probe_group *group)
{
	return function_group_attach(attaching, group, group->provider_data);
}

static uint32_t fbt_id(const struct probe *probe)
{
	return probe->name[0] != '0' && probe->number < IDS
		       ? (uint32_t)probe->number
		       : ID_ON_DEMAND;
}

static void forget(void *state)
{
	kernel_functions_free(state);
}

/* Other systems have a separate provider for what is an offset here. */
static const char *explain(struct probe_registry *registry,
			   const struct provider *provider,
			   const struct probe_desc *desc)
{
	(void)registry;
	(void)provider;
	return strcmp(desc->provider, "kinst")
		       ? NULL
		       : classic_absence(desc->provider, desc->name);
}

static enum provider_status check(struct probe_registry *registry,
				  const struct provider *provider,
				  const char **reason)
{
	struct kernel_functions *functions = kernel_functions_of(registry);

	if (!functions) {
		*reason =
			provider == &fbt_provider
				? kernel_functions_problem(registry)
				: "the kernel's functions cannot be traced: see fbt";
		return PROVIDER_ABSENT;
	}
	if (provider == &rawfbt_provider)
		return PROVIDER_WORKS;
	if (!kernel_functions_can(functions, FUNCTION_MULTI)) {
		*reason =
			"functions are armed one by one, and globs of thousands take long: use a kernel with CONFIG_FPROBE=y";
		return PROVIDER_PARTLY;
	}
	if (!kernel_functions_can(functions, FUNCTION_KPROBE)) {
		*reason =
			"no probes at offsets: the kernel has no kprobe events (CONFIG_KPROBE_EVENTS=y)";
		return PROVIDER_PARTLY;
	}
	return PROVIDER_WORKS;
}

const struct provider fbt_provider = {
	.name = "fbt",
	.about = "entry to and return from functions of the kernel",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(PRIVATE, CLASS_ISA)),
	.program_type = BPF_PROG_TYPE_KPROBE,
	.list = fbt_list,
	.has_entries = true,
	.argument = fbt_argument,
	.shape = shape,
	.context = context,
	.attach = attach,
	.detach = function_group_detach,
	.nids = IDS,
	.fixed_id = fbt_id,
	.explain = explain,
	.check = check,
	.forget = forget,
};

const struct provider rawfbt_provider = {
	.name = "rawfbt",
	.about = "the same as fbt with compilers' parts of functions, without types",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(PRIVATE, CLASS_ISA)),
	.program_type = BPF_PROG_TYPE_KPROBE,
	.list = rawfbt_list,
	.has_entries = true,
	.argument = rawfbt_argument,
	.shape = shape,
	.context = context,
	.attach = attach,
	.detach = function_group_detach,
	.check = check,
};
