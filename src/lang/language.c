/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A language: one command line's worth of D, and how a program is compiled.
 *
 * text -> preprocess.c -> parse.c -> (enter_*) -> struct program.  There is
 * no separate checking pass: each element of the program is checked as soon
 * as it is read.
 */
#include "lang/check.h"
#include "lang/inspect.h"

#include <ctype.h>
#include <stdlib.h>

void language_set_args(struct language *language, const char *const *args,
		       uint32_t nargs)
{
	language->config.args = args;
	language->config.nargs = nargs;
	language->arg_used = arena_array_of(language->arena, bool, nargs + 1);
}

struct language *language_new(const struct language_config *config)
{
	struct arena *arena = arena_new();
	struct language *language = arena_new_of(arena, struct language);
	int64_t strsize = option_number(config->options, OPTION_STRSIZE);

	language->arena = arena;
	language->config = *config;
	language_set_args(language, config->args, config->nargs);
	language->target = config->target;
	language->types = types_new(arena,
				    strsize > 0 ? (uint64_t)strsize : 256);
	language->diag.arena = arena;
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
	table_free(&language->prototypes);
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
	       oracle->symbol(oracle->context, module, name, address, &size) >
		       0;
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

/* ---------------------------------------------------------- compilation */

/* What there is to do for a program, in one go or in two. */
struct compilation {
	struct program *program;
	struct parser *parser;
	struct ident_mark before;
	bool has_begun;
	struct compilation *next; /* that waits */
};

bool program_waits(const struct program *program)
{
	return program->rest;
}

static bool proceed(struct language *language, struct compilation *rest,
		    bool is_final)
{
	if (!rest->has_begun) {
		rest->before = ident_mark(language);
		language->has_widened = false;
	}
	rest->has_begun = true;
	if (!parser_run(rest->parser, is_final))
		return false;
	if (parser_waits(rest->parser))
		return true;
	while (!functions_check_rest(language))
		if (!inspect_tell(language))
			return false;
	if (!infer_again(language, rest->program, rest->before) &&
	    !inspect_tell(language))
		return false;
	if (!pragma_check_unused(language) && !inspect_tell(language))
		return false;
	rest->program->rest = NULL;
	return true;
}

struct program *language_compile(struct language *language,
				 const struct source *source,
				 enum spec_kind kind)
{
	struct program *program = arena_new_of(language->arena, struct program);

	diag_clear(&language->diag);
	if (!library_load_directories(language))
		return NULL;
	source = language_prepare(language, source);
	if (!source || !script_parameters_check(language))
		return NULL;
	program->source = source;
	if (language->inspection)
		language->inspection->source = source;
	program->probe_attr = ATTR_MAX;
	program->statement_attr = ATTR_STABLE;
	program->rest = arena_new_of(language->arena, struct compilation);
	program->rest->program = program;
	program->rest->parser = parser_new(language, source, kind, program);

	struct compilation **end = &language->waiting;

	if (!*end && !proceed(language, program->rest, false))
		return NULL;
	while (*end)
		end = &(*end)->next;
	*end = program->rest;
	return program;
}

bool language_complete(struct language *language, struct program *program)
{
	if (program->rest && !language->waiting)
		return false; /* that was tried, and said */
	diag_clear(&language->diag);
	while (program->rest) {
		struct compilation *first = language->waiting;

		if (!first)
			return false;
		language->waiting = first->next;
		if (!proceed(language, first, true))
			return false;
	}
	return true;
}

/*
 * A type may be defined by a D library that has not been read yet: then its
 * words are names that libraries know.
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
