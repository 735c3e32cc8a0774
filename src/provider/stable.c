/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The implementation of tables of stable probes (stable.h).
 *
 * A stable probe borrows everything from the probes it is built from: program
 * type, attachment, frames to hide, and the reading of raw arguments.  For each
 * of its sources there is a program; in it the source's own hooks run first,
 * then the condition of the table, and where a clause uses args[1], the table's
 * expression for it is compiled in that place.
 *
 * 1. A probe is listed only if one of its sources exists, so a listed probe can
 *    fire.  The sources are chosen once, when it is announced.
 * 2. Expressions are D, checked by the front end against the types of the
 *    source's arguments, with the library's names in scope.  While one is
 *    compiled, lower->group is the source's, so that args[n] is the source's
 *    n-th; outside it is the probe's own.
 * 3. A fault in a condition means that the probe does not fire.  A fault in an
 *    argument belongs to the clause that uses it.  A condition is evaluated
 *    once for a firing, in the first program if there are several, so it may
 *    assign to variables: that is how a probe keeps state.
 * 4. Two probes never share a program, even with the same clauses: one firing
 *    of a tracepoint may fire both.
 */
#include "provider/stable.h"

#include "provider/classic.h"
#include "provider/kernel_function.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "btf/type.h"
#include "ir/abi.h"
#include "lang/diag.h"

enum { MOST_SOURCES = 64 };

/* A stable probe on this kernel: what probe->data points to. */
struct binding {
	const struct stable_probe *row;
	uint32_t count;
	struct bound {
		const struct stable_source *line;
		const struct probe *probe;
	} * sources;
};

/* One program: the source as if it were traced itself. */
struct feed {
	const struct stable_probe *row;
	const struct stable_source *line;
	const struct probe *probe;
	struct probe_group group;
};

static const struct binding *binding_of(const struct probe *probe)
{
	return probe->data;
}

/* ---------------------------------------------------- finding the sources */

static bool keep_first(void *data, const struct probe *probe)
{
	*(const struct probe **)data = probe;
	return false;
}

/* "a:b:c:d" split at its colons. */
static struct probe_desc desc_of(struct arena *arena, const char *text)
{
	char *part = arena_strdup(arena, text);
	const char *parts[4] = { "", "", "", "" };

	for (int i = 0; part && i < 4; i++) {
		parts[i] = part;
		part = strchr(part, ':');
		if (part)
			*part++ = '\0';
	}
	return (struct probe_desc){ .provider = parts[0],
				    .module = parts[1],
				    .function = parts[2],
				    .name = parts[3] };
}

/* "bool, struct task_struct *": are these the types, and all of them? */
static bool has_prototype(struct probe_registry *registry,
			  const struct probe *probe, const char *prototype)
{
	struct types *types = registry_types(registry);
	struct arena *arena = registry_arena(registry);
	uint32_t n = 0;

	if (!types)
		return false;
	for (const char *p = prototype; *p; n++) {
		size_t length = strcspn(p, ",");
		struct type *native, *translated;
		struct type *wanted = types_parse(types, arena_strndup(arena, p,
								       length));

		if (!wanted ||
		    registry_argument(registry, probe, n, &native,
				      &translated) != 1 ||
		    !type_same(types, native, wanted))
			return false;
		p += length;
		p += strspn(p, ", ");
	}
	struct type *native, *translated;

	return registry_argument(registry, probe, n, &native, &translated) != 1;
}

/* "struct bio", "struct bio.bi_bdev", "REQ_OP_READ": is it here? */
static bool has_type(struct probe_registry *registry, const char *text)
{
	struct types *types = registry_types(registry);
	const char *dot = strchr(text, '.');
	size_t length = dot ? (size_t)(dot - text) : strlen(text);
	struct type *type =
		!types ? NULL
		       : types_parse(types,
				     arena_strndup(registry_arena(registry),
						   text, length));
	struct member member;
	int64_t value;

	if (!type)
		return types && types_enumerator(types, text, &value);
	return !dot ||
	       type_member(types, type_strip(types, type), dot + 1, &member);
}

/*
 * A function that BTF knows has an address; the list of addresses is long, and
 * read only for functions that cannot be found otherwise.
 */
static bool has_symbol(struct probe_registry *registry, const char *name)
{
	struct probe_oracle oracle = registry_oracle(registry);
	struct types *types = registry_types(registry);
	uint64_t address = 0, size;

	if (types && types_function(types, "vmlinux", name) &&
	    registry_symbols_shown(registry))
		return true;

	return oracle.symbol(oracle.context, "", name, &address, &size) > 0 &&
	       address;
}

static const struct probe *find_probe(struct probe_registry *registry,
				      const char *text)
{
	struct probe_desc desc = desc_of(registry_arena(registry), text);
	const struct probe *probe = NULL;

	registry_match(registry, &desc, keep_first, &probe, NULL);
	return probe;
}

static const struct probe *find_source(struct probe_registry *registry,
				       const struct stable_source *line)
{
	if (line->found)
		return line->found;
	/* without types it is unknown whether the line is for this kernel */
	if ((line->needs || line->prototype) && !registry_types(registry))
		return NULL;
	if ((line->needs && !has_type(registry, line->needs)) ||
	    (line->symbol && !has_symbol(registry, line->symbol)) ||
	    (line->without && find_probe(registry, line->without)))
		return NULL;
	const struct probe *probe = find_probe(registry, line->probe);

	if (!probe || (line->prototype &&
		       !has_prototype(registry, probe, line->prototype)))
		return NULL;
	return probe;
}

static const struct binding *bind(struct probe_registry *registry,
				  const struct stable_probe *row)
{
	struct arena *arena = registry_arena(registry);
	struct bound sources[MOST_SOURCES];
	uint32_t count = 0;
	bool is_served = false;

	for (const struct stable_source *line = row->sources;
	     line && line->probe; line++) {
		if (line->also)
			is_served = false;
		if (is_served || count == MOST_SOURCES)
			continue;
		const struct probe *probe = find_source(registry, line);

		if (!probe)
			continue;
		is_served = true;
		sources[count++] = (struct bound){ line, probe };
	}
	if (!count && !row->never)
		return NULL;
	struct binding *binding = arena_new_of(arena, struct binding);

	binding->row = row;
	binding->count = count;
	binding->sources = arena_array_of(arena, struct bound, count);
	memcpy(binding->sources, sources, count * sizeof(*sources));
	return binding;
}

static const char *function_of(const struct stable_probe *row)
{
	return row->function ? row->function : "";
}

static const char *module_of(const struct stable_probe *row)
{
	return row->module ? row->module : "vmlinux";
}

struct probe *stable_add(struct probe_registry *registry,
			 const struct provider *provider,
			 const char *provider_name, const char *module,
			 const struct stable_probe *row, uint64_t number)
{
	const struct binding *binding = bind(registry, row);

	if (!binding)
		return NULL;
	struct probe *probe = registry_add(registry, provider, provider_name,
					   module, function_of(row), row->name,
					   number);

	if (probe && !probe->data)
		probe->data = (void *)(uintptr_t)binding;
	return probe;
}

const struct stable_probe *stable_row(const struct probe *probe)
{
	return binding_of(probe)->row;
}

/* Rows without a source here, for users who request them; registry_state(). */
struct missing {
	const struct stable_probe *row;
	struct missing *next;
};

static void miss(struct probe_registry *registry,
		 const struct provider *provider,
		 const struct stable_probe *row)
{
	void **state = registry_state(registry, provider);
	struct missing *missing = *state;

	while (missing && missing->row != row)
		missing = missing->next;
	if (missing)
		return;
	missing = arena_new_of(registry_arena(registry), struct missing);
	missing->row = row;
	missing->next = *state;
	*state = missing;
}

/* A module that is not loaded and whose functions the row needs, or NULL. */
static const char *module_it_takes(struct probe_registry *registry,
				   const struct stable_probe *row)
{
	struct probe_oracle oracle = registry_oracle(registry);
	const struct stable_source *line = row->sources;

	for (; line->probe; line++) {
		struct probe_desc desc = desc_of(registry_arena(registry),
						 line->probe);

		if (!strcmp(desc.provider, fbt_provider.name) &&
		    !oracle.has_module(oracle.context, desc.module))
			return desc.module;
	}
	return NULL;
}

static const char *explain_module(struct probe_registry *registry,
				  const char *module)
{
	return arena_printf(
		registry_arena(registry),
		"it is made of functions of the module %s, which is not loaded (modprobe %s)%s",
		module, module,
		kernel_functions_problem(registry)
			? "; nor can this kernel's functions be traced (see fbt)"
			: "");
}

const char *stable_explain(struct probe_registry *registry,
			   const struct provider *provider,
			   const struct probe_desc *desc)
{
	const struct missing *missing = *registry_state(registry, provider);
	struct arena *arena = registry_arena(registry);
	const char *words = "";

	if (!glob_match(desc->provider, provider->name))
		return NULL;
	const char *absence = classic_absence(provider->name, desc->name);

	if (absence)
		return absence;
	while (missing &&
	       (strcmp(missing->row->name, desc->name) ||
		!glob_match(desc->function, function_of(missing->row))))
		missing = missing->next;
	if (!missing)
		return NULL;
	const char *module = module_it_takes(registry, missing->row);

	if (module)
		return explain_module(registry, module);
	for (const struct stable_source *line = missing->row->sources;
	     line->probe; line++)
		if (!strstr(words, line->probe))
			words = arena_printf(arena, "%s%s%s", words,
					     *words ? ", " : "", line->probe);
	return arena_printf(arena,
			    "this kernel cannot feed it, which takes one of: %s",
			    words);
}

int stable_list(struct probe_registry *registry,
		const struct provider *provider,
		const struct stable_probe *table, const struct probe_desc *desc)
{
	if (desc && !glob_match(desc->provider, provider->name))
		return 0;
	for (const struct stable_probe *row = table; row->name; row++) {
		if (desc &&
		    !probe_desc_matches(desc, provider->name, module_of(row),
					function_of(row), row->name))
			continue;
		if (!stable_add(registry, provider, provider->name,
				module_of(row), row, (uint64_t)(row - table)))
			miss(registry, provider, row);
	}
	return 0;
}

uint32_t stable_id(const struct probe *probe)
{
	return (uint32_t)probe->number;
}

/* Is the row's probe fed by another row, or has it been counted already? */
static bool is_counted(struct probe_registry *registry,
		       const struct provider *provider,
		       const struct missing *missing)
{
	const struct stable_probe *row = missing->row;
	const char *name = arena_printf(registry_arena(registry), "%s:%s:%s:%s",
					provider->name, module_of(row),
					function_of(row), row->name);

	for (const struct missing *m = missing->next; m; m = m->next)
		if (!strcmp(m->row->name, row->name) &&
		    !strcmp(function_of(m->row), function_of(row)))
			return true;
	return find_probe(registry, name) != NULL;
}

/* Does a missing one have a source that needs a symbol? */
static bool wants_symbol(const struct missing *missing)
{
	for (; missing; missing = missing->next)
		for (const struct stable_source *source = missing->row->sources;
		     source->probe; source++)
			if (source->symbol)
				return true;
	return false;
}

enum provider_status stable_check(struct probe_registry *registry,
				  const struct provider *provider,
				  const char **reason)
{
	uint32_t found = registry_count(registry, provider), all = found;
	const struct missing *missing = *registry_state(registry, provider);

	for (const struct missing *m = missing; m; m = m->next)
		all += !is_counted(registry, provider, m);
	if (all == found)
		return PROVIDER_WORKS;
	const char *module = found || !missing
				     ? NULL
				     : module_it_takes(registry, missing->row);

	if (module) {
		*reason = explain_module(registry, module);
		return PROVIDER_ABSENT;
	}
	*reason = arena_printf(
		registry_arena(registry),
		"this kernel has the events of %u of its %u probes%s%s", found,
		all,
		kernel_functions_problem(registry)
			? "; some of the others need functions of the kernel (see fbt)"
			: "",
		wants_symbol(missing) && !registry_symbols_shown(registry)
			? "; some need addresses of the kernel, which are hidden (CAP_SYSLOG shows them)"
			: "");
	return found ? PROVIDER_PARTLY : PROVIDER_ABSENT;
}

int stable_argument(struct probe_registry *registry, const struct probe *probe,
		    uint32_t n, const char **native, const char **translated)
{
	const struct binding *binding = binding_of(probe);
	const struct stable_type *type = &binding->row->types[n];

	if (n >= STABLE_ARGUMENTS || !type->native)
		return 0;
	*native = type->native;
	if (binding->count && binding->sources[0].line->is_user)
		*native = arena_printf(registry_arena(registry), "userland %s",
				       type->native);
	*translated = type->translated ? type->translated : *native;
	return 1;
}

const char *stable_remark(struct probe_registry *registry,
			  const struct probe *probe)
{
	const char *never = binding_of(probe)->row->never;

	return never ? arena_printf(registry_arena(registry),
				    "it never fires: %s", never)
		     : NULL;
}

/* --------------------------------------------------------------- programs */

uint32_t stable_shape(const struct probe *probe)
{
	return probe->id;
}

uint32_t stable_sources(const struct probe *probe)
{
	return binding_of(probe)->count;
}

/* The expression's value where the source fires; false: session->error. */
static bool evaluate(struct lower *lower, const struct feed *feed,
		     const char *text, ir_reg *reg)
{
	struct language *language = lower->session->language;
	const struct probe_info info = {
		.id = feed->probe->id,
		.provider = feed->probe->provider_name,
		.module = feed->probe->module,
		.function = feed->probe->function,
		.name = feed->probe->name,
		.attr = ATTR_MAX,
		.arg_attr = ATTR_MAX,
		.opaque = (void *)(uintptr_t)feed->probe,
	};
	struct node *node = language_expression(language, feed->row->name, text,
						&info);

	if (!node)
		return lower_fail(lower, NULL,
				  "%s: \"%s\" cannot be had from %s%s%s: %s",
				  feed->row->name, text, feed->probe->function,
				  *feed->probe->function ? ":" : "",
				  feed->probe->name,
				  language_diag(language)->message);

	const struct lower_group *outer = lower->group;
	struct place place = lower->b.place;
	ir_reg arguments[sizeof(lower->arguments) / sizeof(ir_reg)];
	bool untyped = lower->untyped;

	memcpy(arguments, lower->arguments, sizeof(arguments));
	memset(lower->arguments, 0, sizeof(arguments));
	lower->group = &feed->group.lower;
	lower->untyped = false;

	bool good = lower_scalar(lower, node, reg);

	lower->untyped = untyped;
	lower->group = outer;
	lower->b.place = place;
	memcpy(lower->arguments, arguments, sizeof(arguments));
	return good;
}

static ir_reg select_feed(struct lower *lower)
{
	const struct feed *feed = lower->group->provider_data;
	const struct lower_group *outer = lower->group;
	struct ir_builder *b = &lower->b;
	ir_reg holds;

	lower->group = &feed->group.lower;
	if (lower->group->select)
		lower->group->select(lower);
	lower->group = outer;
	if (!feed->line->when || outer->is_continued)
		return ir_const(b, 0);

	struct ir_block *yes = ir_block_new(b, "fires");
	struct ir_block *no = ir_block_new(b, "does not fire");
	struct ir_block *fault = b->fault;

	b->fault = no;
	if (evaluate(lower, feed, feed->line->when, &holds))
		ir_branch(b, holds, yes, no);
	b->fault = fault;
	ir_enter(b, no);
	ir_return(b);
	ir_enter(b, yes);
	return ir_const(b, 0);
}

static ir_reg read_argument(struct lower *lower, uint32_t n)
{
	const struct feed *feed = lower->group->provider_data;
	ir_reg reg;

	if (n >= STABLE_ARGUMENTS || !feed->line->args[n] ||
	    !evaluate(lower, feed, feed->line->args[n], &reg))
		return ir_const(&lower->b, 0);
	return reg;
}

static ir_reg read_error_number(struct lower *lower)
{
	const struct lower_group *outer = lower->group;
	const struct feed *feed = outer->provider_data;

	lower->group = &feed->group.lower;
	ir_reg reg = lower->group->error_number(lower);

	lower->group = outer;
	return reg;
}

int stable_context(struct arena *arena, struct probe_group *group)
{
	const struct binding *binding = binding_of(group->probes[0]);
	struct feed *feed = arena_new_of(arena, struct feed);
	struct probe_group *inner = &feed->group;

	feed->row = binding->row;
	feed->line = binding->sources[group->source].line;
	feed->probe = binding->sources[group->source].probe;
	inner->provider = feed->probe->provider;
	inner->kind.type = inner->provider->program_type;
	inner->probes = &feed->probe;
	inner->nprobes = 1;
	inner->lower = group->lower;
	int error = inner->provider->context
			    ? inner->provider->context(arena, inner)
			    : 0;

	if (error)
		return error;
	group->kind = inner->kind;
	group->provider_data = feed;
	/*
	 * everything the source says about itself, except what is checked here
	 * first
	 */
	group->lower = inner->lower;
	group->lower.select = select_feed;
	group->lower.argument = read_argument;
	group->lower.error_number = inner->lower.error_number
					    ? read_error_number
					    : NULL;
	group->lower.provider_data = feed;
	return 0;
}

/* ------------------------------------------------------------- attachment */

int stable_attach(struct attach_context *context, struct probe_group *group)
{
	struct feed *feed = group->provider_data;
	struct attach_context inner = *context;

	feed->group.program = group->program;
	inner.group = &feed->group;
	inner.ngroups = 0; /* it is attached alone */
	int error = feed->group.provider->attach(&inner, &feed->group);

	context->error = inner.error;
	context->has_other_way = inner.has_other_way;
	return error;
}

void stable_detach(struct probe_group *group)
{
	struct feed *feed = group->provider_data;

	if (feed->group.provider->detach)
		feed->group.provider->detach(&feed->group);
}
