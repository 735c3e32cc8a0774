/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One D expression that is not the user's: a cell of a provider's table.
 *
 * It is parsed and checked like an expression in a clause of the probe given,
 * so that args[n] has that probe's types, but like a library: tags and typedefs
 * of the program do not hide those that it means, and the stability of what it
 * mentions does not count.
 */
#include "lang/check.h"
#include "lang/parser.h"

static struct node *parse(struct language *language,
			  const struct source *source)
{
	struct parser parser = { .language = language };

	lexer_init(&parser.lexer, language, source);
	parser.lexer.context = CONTEXT_ACTIONS;
	struct node *node = parse_expression(&parser);

	if (node && !token_is(&parser, TOKEN_END)) {
		token_refuse(&parser);
		return NULL;
	}
	return node;
}

static struct node *check(struct language *language, struct node *node,
			  const struct probe_info *probe)
{
	struct clause *clause = arena_new_of(language->arena, struct clause);
	struct checker checker = {
		.language = language,
		.clause = clause,
		.first_probe = *probe,
		.nprobes = 1,
		.desc_text = probe->name,
	};

	node = check_operand(&checker, node);
	return node && check_no_action(&checker) ? node : NULL;
}

struct node *language_expression(struct language *language, const char *name,
				 const char *text,
				 const struct probe_info *probe)
{
	struct source *source = arena_new_of(language->arena, struct source);
	bool was_in_library = language->in_library;

	source->name = name;
	source->text = text;
	source->length = strlen(text);
	diag_clear(&language->diag);
	language->in_library = true;
	types_enter_library(language->types, true);
	struct node *node = parse(language, source);

	if (node)
		node = check(language, node, probe);
	types_enter_library(language->types, was_in_library);
	language->in_library = was_in_library;
	return node;
}
