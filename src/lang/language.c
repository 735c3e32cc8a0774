/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A language: one command line's worth of D, and how a program is compiled.
 *
 * text -> preprocess.c -> parse.c -> (enter_*) -> struct program.  There is
 * no separate checking pass: each element of the program is checked as soon
 * as it is read.
 */
#include "lang/check.h"

#include <ctype.h>
#include <stdlib.h>

struct language *language_new(const struct language_config *config)
{
	struct arena *arena = arena_new();
	struct language *language = arena_new_of(arena, struct language);
	int64_t strsize = option_number(config->options, OPTION_STRSIZE);

	language->arena = arena;
	language->config = *config;
	language->target = config->target;
	language->types = types_new(arena, strsize > 0 ? (uint64_t)strsize :
							 256);
	language->diag.arena = arena;
	language->arg_used = arena_array_of(arena, bool, config->nargs + 1);
	library_init(language);
	ident_register(language);
	return language;
}

void language_free(struct language *language)
{
	if (!language)
		return;

	struct arena *arena = language->arena;

	library_free(language);
	types_free(language->types);
	table_free(&language->globals);
	table_free(&language->selfs);
	table_free(&language->thiss);
	table_free(&language->aggregations);
	table_free(&language->translators);
	free(language->global_list.items);
	free(language->self_list.items);
	free(language->this_list.items);
	free(language->aggregation_list.items);
	arena_free(arena);
}

struct arena *language_arena(struct language *language)
{
	return language->arena;
}

struct types *language_types(struct language *language)
{
	return language->types;
}

struct diag *language_diag(struct language *language)
{
	return &language->diag;
}

bool language_symbol(const struct language *language, const char *module,
		     const char *name, uint64_t *address)
{
	const struct probe_oracle *oracle = language->config.oracle;
	uint64_t size = 0;

	return oracle && oracle->symbol &&
	       oracle->symbol(oracle->context, module, name, address,
			      &size) > 0;
}

struct options *language_options(struct language *language)
{
	return language->config.options;
}

void language_set_target(struct language *language, int64_t pid)
{
	language->target = pid;
	language->config.target = pid;
}

void language_set_building(struct language *language)
{
	language->is_building = true;
	types_without_kernel(language->types);
}

static struct ident_list list_of(const struct vec_idents *list)
{
	return (struct ident_list){ list->items, list->count };
}

struct ident_list language_globals(struct language *language)
{
	return list_of(&language->global_list);
}

struct ident_list language_selfs(struct language *language)
{
	return list_of(&language->self_list);
}

struct ident_list language_thiss(struct language *language)
{
	return list_of(&language->this_list);
}

struct ident_list language_aggregations(struct language *language)
{
	return list_of(&language->aggregation_list);
}

/* ---------------------------------------------------------- compilation */

struct program *language_compile(struct language *language,
				 const struct source *source,
				 enum spec_kind kind)
{
	struct program *program = arena_new_of(language->arena,
					       struct program);

	diag_clear(&language->diag);
	language->has_widened = false;
	if (!library_load_directories(language))
		return NULL;
	if (source->is_file && option_on(language->config.options, OPTION_CPP))
		source = preprocess(language, source);
	if (!source)
		return NULL;
	program->source = source;
	program->probe_attr = ATTR_MAX;
	program->statement_attr = ATTR_STABLE;
	struct ident_mark before = ident_mark(language);

	if (!parse_program(language, source, kind, program) ||
	    !infer_again(language, program, before) ||
	    !pragma_check_unused(language))
		return NULL;
	return program;
}

/*
 * A type may be defined by a D library that nobody has asked for yet: then
 * its words are names that libraries know.
 */
struct type *language_parse_type(struct language *language, const char *text)
{
	for (const char *p = text; *p;) {
		const char *start = p;

		while (isalnum((unsigned char)*p) || *p == '_')
			p++;
		if (p > start)
			library_load_name(language,
					  arena_strndup(language->arena, start,
							(size_t)(p - start)));
		else
			p++;
	}
	return types_parse(language->types, text);
}
