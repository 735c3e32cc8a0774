/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as editors want to know them: complaints, and what a word means. */
#include <string.h>

#include "api/internal.h"
#include "base/arena.h"
#include "lang/inspect.h"

static dtrace_place_ext_t to_public(const struct place *place)
{
	dtrace_place_ext_t public = { 0 };

	if (!place->source)
		return public;
	public.dtpl_file = place->file ? place->file : place->source->name;
	public.dtpl_line = place->line;
	public.dtpl_column = place_column(place);
	public.dtpl_length = place->length;
	return public;
}

static dtrace_complaint_ext_t complaint_of(const struct diag *diag)
{
	return (dtrace_complaint_ext_t){
		.dtcm_tag = tag_name(diag->tag),
		.dtcm_message = diag->message,
		.dtcm_hint = diag->hint,
		.dtcm_place = to_public(&diag->place),
	};
}

int dtrace_errplace_ext(dtrace_hdl_t *dtp, dtrace_complaint_ext_t *complaint)
{
	const struct diag *diag =
		dtp->error == EDT_COMPILER && dtp->session
			? language_diag(session_language(dtp->session))
			: NULL;

	if (!diag || !diag->failed)
		return -1;
	*complaint = complaint_of(diag);
	return 0;
}

/* ----------------------------------------------------------- inspection */

struct inspecting {
	const dtrace_inspect_ext_t *what;
	struct language *language;
	const struct inspection *inspection;
};

static void complain(void *context, const struct diag *diag, bool is_doubt)
{
	const struct inspecting *inspecting = context;
	const dtrace_inspect_ext_t *what = inspecting->what;
	dtrace_complaint_ext_t complaint = complaint_of(diag);

	complaint.dtcm_is_doubt = is_doubt;
	what->dtin_complain(what->dtin_arg, &complaint);
}

static dtrace_namekind_ext_t kind_of(const struct ident *ident)
{
	switch (ident->kind) {
	case IDENT_BUILTIN:
	case IDENT_BUILTIN_ARRAY:
		return DTRACE_NAME_BUILTIN;
	case IDENT_AGGREGATION:
		return DTRACE_NAME_AGGREGATION;
	case IDENT_FUNCTION:
		return ident->definition ? DTRACE_NAME_DEFINED
					 : DTRACE_NAME_FUNCTION;
	case IDENT_ENUMERATOR:
		return DTRACE_NAME_CONSTANT;
	case IDENT_INLINE:
		return DTRACE_NAME_INLINE;
	default:
		return DTRACE_NAME_VARIABLE;
	}
}

static dtrace_name_ext_t name_of(const struct inspecting *inspecting,
				 const struct ident *ident)
{
	dtrace_name_ext_t name = {
		.dtnm_kind = kind_of(ident),
		.dtnm_name = ident_display_name(
			language_arena(inspecting->language), ident),
		.dtnm_declaration =
			ident_declaration(inspecting->language, ident),
	};

	if (ident->place.source == inspecting->inspection->source)
		name.dtnm_defined = to_public(&ident->place);
	return name;
}

static void define(void *data, const struct ident *ident)
{
	const struct inspecting *inspecting = data;
	const dtrace_inspect_ext_t *what = inspecting->what;
	dtrace_name_ext_t name = name_of(inspecting, ident);

	name.dtnm_place = name.dtnm_defined;
	what->dtin_define(what->dtin_arg, &name);
}

/* On one line. */
static const char *head_of(struct arena *arena, const struct place *place)
{
	char *head = arena_strndup(arena, place->source->text + place->offset,
				   place->length);

	for (char *p = head; *p; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	return head;
}

static void define_clauses(const struct inspecting *inspecting)
{
	const dtrace_inspect_ext_t *what = inspecting->what;
	struct arena *arena = language_arena(inspecting->language);

	for (const struct inspected_part *part = inspecting->inspection->parts;
	     part; part = part->next) {
		if (!part->is_clause)
			continue;
		dtrace_name_ext_t name = {
			.dtnm_kind = DTRACE_NAME_CLAUSE,
			.dtnm_place = to_public(&part->place),
			.dtnm_last_line = part->last_line,
			.dtnm_name = head_of(arena, &part->place),
		};

		name.dtnm_declaration = name.dtnm_name;
		name.dtnm_defined = name.dtnm_place;
		what->dtin_define(what->dtin_arg, &name);
	}
}

static void find(const struct inspecting *inspecting)
{
	static const dtrace_namekind_ext_t kinds[] = {
		[SIGHT_ARGUMENT] = DTRACE_NAME_BUILTIN,
		[SIGHT_MEMBER] = DTRACE_NAME_MEMBER,
		[SIGHT_SYMBOL] = DTRACE_NAME_SYMBOL,
		[SIGHT_DESC] = DTRACE_NAME_PROBE,
	};
	const dtrace_inspect_ext_t *what = inspecting->what;
	const struct sighting *seen = &inspecting->inspection->seen;
	struct language *language = inspecting->language;
	dtrace_name_ext_t name = { 0 };

	if (seen->kind == SIGHT_NONE)
		return;
	if (seen->kind == SIGHT_IDENT) {
		name = name_of(inspecting, seen->ident);
	} else {
		name.dtnm_kind = kinds[seen->kind];
		name.dtnm_name = seen->name;
		name.dtnm_declaration = sighting_declaration(language, seen);
	}
	if (seen->of)
		name.dtnm_of = type_name(language_types(language), seen->of);
	name.dtnm_place = to_public(&seen->place);
	what->dtin_find(what->dtin_arg, &name);
}

int dtrace_inspect_ext(dtrace_hdl_t *dtp, const dtrace_inspect_ext_t *what)
{
	if (dtp->programs || dtp->args || dtp->is_running || dtp->is_stopped)
		return handle_fail_text(
			dtp, EDT_ORDER,
			"An inspection takes a handle of its own");
	char *const args[] = { (char *)(uintptr_t)what->dtin_name };
	struct inspection inspection = {
		.line = what->dtin_line,
		.column = what->dtin_column,
		.complain = what->dtin_complain ? complain : NULL,
	};

	handle_set_args(dtp, 1, args);
	struct language *language = session_language(dtp->session);
	struct arena *arena = language_arena(language);
	struct source *source = arena_new_of(arena, struct source);
	struct inspecting inspecting = { what, language, &inspection };

	source->name = dtp->args[0] = arena_strdup(arena, what->dtin_name);
	source->text = arena_strdup(arena, what->dtin_text);
	source->length = strlen(what->dtin_text);
	source->is_file = true;
	inspection.context = &inspecting;
	language_inspect(language, source, &inspection);
	if (what->dtin_define) {
		define_clauses(&inspecting);
		language_own_names(language, &inspection, define, &inspecting);
	}
	if (what->dtin_find)
		find(&inspecting);
	return 0;
}
