/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is at the cursor, in the words of a declaration.
 *
 * A clause may be checked several times, in several orders: the last sighting
 * counts.  A variable's type is asked for at the end, because an assignment
 * further down may have made it wider.
 */
#include "lang/check.h"
#include "lang/inspect.h"

uint32_t place_column(const struct place *place)
{
	const char *text = place->source ? place->source->text : NULL;
	size_t at = text ? place->offset : 0, start = at;

	while (start && text[start - 1] != '\n')
		start--;
	return (uint32_t)(at - start);
}

/* The place to fill in if the cursor is there, or NULL. */
static struct sighting *seen_at(struct language *language,
				const struct place *place)
{
	struct inspection *inspection = language->inspection;

	if (!inspection || place->line != inspection->line || place->file ||
	    place->source != inspection->source)
		return NULL;
	uint32_t column = place_column(place);

	return inspection->column >= column &&
			       inspection->column - column <= place->length
		       ? &inspection->seen
		       : NULL;
}

void sight_ident(struct language *language, const struct place *place,
		 const struct ident *ident)
{
	struct sighting *seen = seen_at(language, place);

	if (seen)
		*seen = (struct sighting){ .kind = SIGHT_IDENT,
					   .name = ident->name,
					   .place = *place,
					   .ident = ident };
}

void sight_argument(struct language *language, const struct node *node,
		    int64_t index, struct type *type)
{
	struct sighting *seen = seen_at(language, &node->place);

	if (seen)
		*seen = (struct sighting){
			.kind = SIGHT_ARGUMENT,
			.name = arena_printf(language->arena, "args[%lld]",
					     (long long)index),
			.place = node->place,
			.type = type,
		};
}

void sight_member(struct language *language, const struct node *member,
		  struct type *of, struct type *type)
{
	struct sighting *seen = seen_at(language, &member->place);
	struct type *stripped = type_strip(language->types, of);

	if (stripped->kind == TYPE_POINTER)
		of = stripped->target;
	if (seen)
		*seen = (struct sighting){ .kind = SIGHT_MEMBER,
					   .name = member->member.name,
					   .place = member->place,
					   .type = type,
					   .of = of };
}

void sight_symbol(struct language *language, const struct node *symbol)
{
	struct sighting *seen = seen_at(language, &symbol->place);

	if (seen)
		*seen = (struct sighting){ .kind = SIGHT_SYMBOL,
					   .name = symbol->symbol.name,
					   .place = symbol->place,
					   .type = symbol->type };
}

void sight_desc(struct language *language, const struct probe_desc *desc)
{
	struct sighting *seen = seen_at(language, &desc->place);

	if (seen)
		*seen = (struct sighting){
			.kind = SIGHT_DESC,
			.name = probe_desc_print(language->arena, desc),
			.place = desc->place,
		};
}

/* --------------------------------------------------------- declarations */

/* "int x", "char *p", "char a[16]", "int (*f)()": the name inside the type. */
static const char *declare(struct language *language, struct type *type,
			   const char *name)
{
	struct arena *arena = language->arena;
	const char *text = type_name(language->types, type);
	const char *hole = strstr(text, "(*)");
	size_t n = hole ? (size_t)(hole + 2 - text) : strcspn(text, "[");

	while (!hole && n && text[n - 1] == ' ')
		n--;
	bool needs_blank = n && text[n - 1] != '*';

	return arena_printf(arena, "%.*s%s%s%s", (int)n, text,
			    needs_blank ? " " : "", name,
			    text + n + strspn(text + n, " "));
}

static void add_types(struct language *language, struct type **types,
		      uint32_t count, const char *const *names,
		      struct text *out)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			text_puts(out, ", ");
		if (names && names[i])
			text_puts(out, declare(language, types[i], names[i]));
		else
			text_puts(out, type_name(language->types, types[i]));
	}
}

static const char *finish(struct language *language, struct text *text)
{
	const char *copy = arena_strdup(language->arena, text_str(text));

	text_free(text);
	return copy;
}

/* "void (@, [...])" and a name. */
static const char *declare_builtin(struct language *language,
				   const struct function *function)
{
	const char *prototype = function->prototype ? function->prototype
						    : "void (...)";
	size_t n = strcspn(prototype, "(");
	bool is_pointer = n >= 2 && prototype[n - 1] == ' ' &&
			  prototype[n - 2] == '*';

	return arena_printf(language->arena, "%.*s%s%s",
			    (int)(is_pointer ? n - 1 : n), prototype,
			    function->name, prototype + n);
}

static const char *declare_function(
	struct language *language, const struct function_definition *definition)
{
	struct type *type = definition->type;
	struct text out = { 0 }, name = { 0 };

	text_puts(&name, definition->name);
	text_puts(&name, "(");
	add_types(language, type->params, definition->nparams,
		  definition->param_names, &name);
	text_puts(&name, definition->nparams ? ")" : "void)");
	text_puts(&out, declare(language, type->target, text_str(&name)));
	text_free(&name);
	return finish(language, &out);
}

static const char *declare_aggregation(struct language *language,
				       const struct ident *ident)
{
	struct text out = { 0 };

	text_printf(&out, "@%s", strcmp(ident->name, "_") ? ident->name : "");
	if (ident->signature && ident->signature->count) {
		text_puts(&out, "[");
		add_types(language, ident->signature->types,
			  ident->signature->count, NULL, &out);
		text_puts(&out, "]");
	}
	if (ident->function)
		text_printf(&out, " = %s()", ident->function->name);
	return finish(language, &out);
}

static struct type *type_of(struct language *language,
			    const struct ident *ident)
{
	if (ident->translation)
		return ident->translation->cast.to;
	if (!ident->type && ident->builtin && ident->builtin->type)
		return language_parse_type(language, ident->builtin->type);
	return ident->type;
}

static const char *declare_variable(struct language *language,
				    const struct ident *ident)
{
	static const char *const scopes[] = { "", "self ", "this " };
	struct type *type = type_of(language, ident);
	struct text out = { 0 }, name = { 0 };

	text_puts(&name, ident->name);
	if (ident->kind == IDENT_BUILTIN_ARRAY) {
		text_puts(&name, "[]");
	} else if (ident->signature) {
		text_puts(&name, "[");
		add_types(language, ident->signature->types,
			  ident->signature->count, NULL, &name);
		text_puts(&name, "]");
	}
	if (ident->kind == IDENT_INLINE)
		text_puts(&out, "inline ");
	else if (!ident->is_local)
		text_puts(&out, scopes[ident->scope]);
	if (type && !type_is_dynamic(language->types, type))
		text_puts(&out, declare(language, type, text_str(&name)));
	else
		text_puts(&out, text_str(&name));
	text_free(&name);
	return finish(language, &out);
}

const char *ident_declaration(struct language *language,
			      const struct ident *ident)
{
	switch (ident->kind) {
	case IDENT_FUNCTION:
		return ident->definition
			       ? declare_function(language, ident->definition)
			       : declare_builtin(language, ident->function);
	case IDENT_AGGREGATION:
		return declare_aggregation(language, ident);
	case IDENT_ENUMERATOR:
		return arena_printf(language->arena, "%s = %lld", ident->name,
				    (long long)ident->value);
	default:
		return declare_variable(language, ident);
	}
}

const char *sighting_declaration(struct language *language,
				 const struct sighting *sighting)
{
	switch (sighting->kind) {
	case SIGHT_NONE:
		return NULL;
	case SIGHT_IDENT:
		return ident_declaration(language, sighting->ident);
	case SIGHT_DESC:
		return sighting->name;
	default:
		return sighting->type ? declare(language, sighting->type,
						sighting->name)
				      : sighting->name;
	}
}

/* ------------------------------------------------------- the program's own */

static bool is_own(const struct inspection *inspection,
		   const struct ident *ident)
{
	return !ident->is_from_library && !ident->is_local &&
	       ident->place.source == inspection->source && !ident->place.file;
}

static void visit_table(const struct inspection *inspection,
			const struct table *table,
			void (*visit)(void *data, const struct ident *ident),
			void *data)
{
	for (uint32_t i = 0; i < table->count; i++) {
		const struct ident *ident = table->entries[i].value;

		if (ident && is_own(inspection, ident))
			visit(data, ident);
	}
}

void language_own_names(struct language *language,
			const struct inspection *inspection,
			void (*visit)(void *data, const struct ident *ident),
			void *data)
{
	visit_table(inspection, &language->globals, visit, data);
	visit_table(inspection, &language->selfs, visit, data);
	visit_table(inspection, &language->thiss, visit, data);
	visit_table(inspection, &language->aggregations, visit, data);
}
