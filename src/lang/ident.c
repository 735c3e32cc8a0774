/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identifiers: four tables, and what is in them.
 *
 * Functions, built-in variables and NULL are entered when a language is
 * created, without reading their types: a type such as "struct task_struct *"
 * is read when the name is first used.  The user's variables are added as they
 * are declared or first assigned; the four lists keep that order, and the index
 * in its list is a variable's id.
 *
 * A global that is not in the table may be defined by a D library;
 * language_find() asks, ident_known() does not.
 */
#include <strings.h>

#include "lang/check.h"

/* Ids are 16 bits in the classic encoding, the first 0x500 are built-in. */
enum { VARIABLES_MAX = 0x10000 - 0x500, HINT_DISTANCE = 2 };

const char *ident_kind_name(const struct ident *ident)
{
	static const char *const names[] = {
		[IDENT_VARIABLE] = "scalar",
		[IDENT_ARRAY] = "associative array",
		[IDENT_BUILTIN] = "scalar",
		[IDENT_BUILTIN_ARRAY] = "associative array",
		[IDENT_AGGREGATION] = "aggregation",
		[IDENT_FUNCTION] = "function",
		[IDENT_ENUMERATOR] = "enumerator",
		[IDENT_INLINE] = "scalar",
		[IDENT_PARAMETER] = "scalar",
	};
	static const char *const functions[] = {
		[FUNCTION_SUBROUTINE] = "function",
		[FUNCTION_ACTION] = "action",
		[FUNCTION_AGGREGATE] = "aggregating function",
	};

	if (ident->kind == IDENT_FUNCTION && ident->function)
		return functions[ident->function->kind];
	if (ident->kind == IDENT_INLINE && ident->signature)
		return "associative array";
	return names[ident->kind];
}

const char *ident_display_name(struct arena *arena, const struct ident *ident)
{
	static const char *const prefixes[] = {
		[SCOPE_GLOBAL] = "", [SCOPE_SELF] = "self->",
		[SCOPE_THIS] = "this->",
	};
	const char *prefix = ident->kind == IDENT_AGGREGATION ? "@"
			     : ident->is_local		      ? ""
					       : prefixes[ident->scope];

	return arena_printf(arena, "%s%s", prefix, ident->name);
}

/* ---------------------------------------------------- tables and lists */

struct scope_store {
	struct table *table;
	struct vec_idents *list;
	const char *name;
};

static struct scope_store store_of(struct language *language,
				   enum ident_kind kind, enum ident_scope scope)
{
	if (kind == IDENT_AGGREGATION)
		return (struct scope_store){ &language->aggregations,
					     &language->aggregation_list,
					     "aggregation" };
	switch (scope) {
	case SCOPE_SELF:
		return (struct scope_store){ &language->selfs,
					     &language->self_list,
					     "thread-local" };
	case SCOPE_THIS:
		return (struct scope_store){ &language->thiss,
					     &language->this_list,
					     "clause-local" };
	case SCOPE_GLOBAL:
		break;
	}
	return (struct scope_store){ &language->globals, &language->global_list,
				     "global" };
}

static void list_add(struct vec_idents *list, struct ident *ident)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 16;
		list->items = must_realloc(list->items,
					   checked_mul(list->capacity,
						       sizeof(*list->items)));
	}
	ident->id = list->count;
	list->items[list->count++] = ident;
}

static bool is_listed(enum ident_kind kind)
{
	return kind == IDENT_VARIABLE || kind == IDENT_ARRAY ||
	       kind == IDENT_AGGREGATION;
}

struct ident *ident_known(struct language *language, enum ident_scope scope,
			  const char *name)
{
	struct scope_store store = store_of(language, IDENT_VARIABLE, scope);

	struct ident *ident = table_get(store.table, str_of(name));

	return ident && version_hides(language, ident) ? NULL : ident;
}

bool ident_gives_way(const struct ident *ident)
{
	return ident->is_from_library && ident->place.source &&
	       !ident->builtin &&
	       (ident->kind == IDENT_INLINE ||
		ident->kind == IDENT_ENUMERATOR || ident->definition);
}

struct ident *language_find(struct language *language, enum ident_scope scope,
			    const char *name)
{
	struct ident *ident = ident_known(language, scope, name);

	/* A library may define what is built in only by name: curpsinfo. */
	if (scope == SCOPE_GLOBAL &&
	    (!ident || (ident->builtin && !ident->builtin->lower)) &&
	    library_load_name(language, name))
		ident = ident_known(language, scope, name);
	return ident;
}

struct ident *language_find_aggregation(struct language *language,
					const char *name)
{
	return table_get(&language->aggregations, str_of(name));
}

static bool has_room(struct language *language, const struct scope_store *store,
		     const char *name, const struct place *place)
{
	if (store->list->count < VARIABLES_MAX)
		return true;
	return diag_error(
		&language->diag, place, D_ID_OFLOW,
		"cannot create %s: limit on number of %s variables exceeded",
		name, store->name);
}

bool ident_add_local(struct language *language, struct ident *ident)
{
	struct scope_store store = store_of(language, ident->kind,
					    ident->scope);

	if (!has_room(language, &store, ident->name, &ident->place))
		return false;
	list_add(store.list, ident);
	return true;
}

struct ident *ident_new(struct language *language, enum ident_kind kind,
			enum ident_scope scope, const char *name,
			const struct place *place)
{
	struct scope_store store = store_of(language, kind, scope);
	struct ident *ident;

	if (is_listed(kind) && !has_room(language, &store, name, place))
		return NULL;
	ident = arena_new_of(language->arena, struct ident);
	ident->name = arena_strdup(language->arena, name);
	ident->kind = kind;
	ident->scope = scope;
	ident->attr = ATTR_STABLE;
	ident->is_from_library = language->in_library;
	if (place)
		ident->place = *place;
	if (is_listed(kind))
		list_add(store.list, ident);
	if (kind != IDENT_PARAMETER)
		table_put(store.table, str_of(ident->name), ident);
	return ident;
}

struct ident *language_make_ident(struct language *language,
				  enum ident_kind kind, enum ident_scope scope,
				  const char *name, const struct place *place)
{
	struct scope_store store = store_of(language, kind, scope);
	struct ident *ident = table_get(store.table, str_of(name));

	return ident ? ident : ident_new(language, kind, scope, name, place);
}

struct ident_mark ident_mark(const struct language *language)
{
	return (struct ident_mark){ language->global_list.count,
				    language->self_list.count,
				    language->this_list.count,
				    language->aggregation_list.count,
				    language->ninstances };
}

static void forget(struct table *table, struct vec_idents *list, uint32_t count)
{
	for (uint32_t i = count; i < list->count; i++)
		if (!list->items[i]->is_local)
			table_put(table, str_of(list->items[i]->name), NULL);
	list->count = count;
}

void ident_rollback(struct language *language, struct ident_mark mark)
{
	forget(&language->globals, &language->global_list, mark.globals);
	forget(&language->selfs, &language->self_list, mark.selfs);
	forget(&language->thiss, &language->this_list, mark.thiss);
	forget(&language->aggregations, &language->aggregation_list,
	       mark.aggregations);
	functions_forget(language, mark.functions);
}

/* As if by  inline long NULL = 0;  an integer, which fits pointers as 0 does. */
static void register_null(struct language *language)
{
	struct type *type = types_base(language->types, BASE_LONG);
	struct ident *ident = ident_new(language, IDENT_INLINE, SCOPE_GLOBAL,
					"NULL", NULL);

	ident->type = type;
	ident->body = node_make_integer(language->arena, 0, type, NULL);
	ident->is_from_library = true;
}

void ident_register(struct language *language)
{
	const struct language_registry *registry = language->config.registry;

	register_null(language);
	for (const struct function *const *f = registry->functions; *f; f++) {
		struct ident *ident = ident_new(language, IDENT_FUNCTION,
						SCOPE_GLOBAL, (*f)->name, NULL);

		ident->function = *f;
		ident->attr = (*f)->attr;
		ident->is_from_library = true;
	}
	for (const struct builtin_variable *const *v = registry->variables; *v;
	     v++) {
		struct ident *ident = ident_new(language,
						(*v)->is_array
							? IDENT_BUILTIN_ARRAY
							: IDENT_BUILTIN,
						SCOPE_GLOBAL, (*v)->name, NULL);

		ident->builtin = *v;
		ident->attr = (*v)->attr;
		ident->is_from_library = true;
	}
}

/* --------------------------------------------------------- did you mean */

struct nearest {
	const char *wanted, *best;
	unsigned distance;
};

static void nearer(struct nearest *nearest, const char *candidate)
{
	/* Two letters are close to everything: only case may differ. */
	if (strlen(nearest->wanted) < 3 &&
	    strcasecmp(nearest->wanted, candidate) != 0)
		return;
	unsigned limit = strlen(nearest->wanted) < 4 ? 1 : HINT_DISTANCE;
	unsigned distance = str_distance(nearest->wanted, candidate, limit);

	if (distance > limit || distance > nearest->distance)
		return;
	/* Prefer a word of the same length: swapped letters. */
	if (distance == nearest->distance &&
	    strlen(candidate) != strlen(nearest->wanted))
		return;
	nearest->best = candidate;
	nearest->distance = distance;
}

static void nearer_name(void *nearest, const char *candidate)
{
	nearer(nearest, candidate);
}

static struct nearest nearest_to(const char *wanted)
{
	return (struct nearest){ wanted, NULL, HINT_DISTANCE + 1 };
}

static bool hint_version(struct language *language, const char *name)
{
	struct scope_store store = store_of(language, IDENT_VARIABLE,
					    SCOPE_GLOBAL);
	const struct ident *ident = table_get(store.table, str_of(name));

	if (!ident || !version_hides(language, ident))
		return false;
	diag_hint(&language->diag,
		  "%s came later than the version that -x version asks for",
		  name);
	return true;
}

void hint_ident(struct language *language, enum ident_scope scope,
		const char *name)
{
	if (scope == SCOPE_GLOBAL && hint_version(language, name))
		return;
	static const char *const prefixes[] = { "", "self->", "this->" };
	static const char *const declared[] = { "", "self ", "this " };
	struct scope_store store = store_of(language, IDENT_VARIABLE, scope);
	struct nearest nearest = nearest_to(name);

	for (uint32_t i = 0; i < store.table->count; i++) {
		struct ident *ident = store.table->entries[i].value;

		if (!ident || ident->kind == IDENT_FUNCTION)
			continue;
		if (!strcmp(ident->name, name)) { /* x = x + 1 */
			diag_hint(
				&language->diag,
				"its first assignment gives it a type; it can also be declared, as in  %sint %s;",
				declared[scope], name);
			return;
		}
		nearer(&nearest, ident->name);
	}
	if (scope == SCOPE_GLOBAL)
		library_names(language, nearer_name, &nearest);
	const char *failure = library_failure(language, name);

	if (failure)
		diag_hint(&language->diag, "%s", failure);
	else if (nearest.best)
		diag_hint(&language->diag, "did you mean %s%s?",
			  prefixes[scope], nearest.best);
	else if (scope == SCOPE_GLOBAL)
		hint_unknown_type(language, str_of(name));
}

void hint_function(struct language *language, const char *name)
{
	if (hint_version(language, name))
		return;
	struct nearest nearest = nearest_to(name);

	for (uint32_t i = 0; i < language->globals.count; i++) {
		struct ident *ident = language->globals.entries[i].value;

		if (ident && ident->kind == IDENT_FUNCTION)
			nearer(&nearest, ident->name);
	}
	if (nearest.best)
		diag_hint(&language->diag, "did you mean %s()?", nearest.best);
}

static void nearer_member(struct language *language, struct type *sou,
			  struct nearest *nearest)
{
	sou = type_strip(language->types, sou);
	if (!type_is_sou(language->types, sou) ||
	    !type_complete(language->types, sou))
		return;
	for (uint32_t i = 0; i < sou->nmembers; i++) {
		if (sou->members[i].name && *sou->members[i].name)
			nearer(nearest, sou->members[i].name);
		else
			nearer_member(language, sou->members[i].type, nearest);
	}
}

void hint_member(struct language *language, struct type *sou, const char *name)
{
	struct nearest nearest = nearest_to(name);

	nearer_member(language, sou, &nearest);
	if (nearest.best)
		diag_hint(&language->diag, "did you mean %s?", nearest.best);
}
