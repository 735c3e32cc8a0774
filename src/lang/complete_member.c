/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members: what can follow a . or an ->.
 *
 * The expression before it is compiled alone, as part of the clause around it.  If
 * that fails, because a variable is unknown, the rest of the program is compiled
 * first: each of its elements by itself, so that an error in one leaves the others;
 * and of the clause at the cursor the statements before the current one.
 */
#include <string.h>

#include "lang/check.h"
#include "lang/complete.h"
#include "lang/parser.h"

/* ------------------------------------------------------ the rest of it */

/* Options of the text are not set: completion changes nothing. */
static void drop_control_lines(char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length;) {
		size_t end = cursor_skip(text, length, i);

		if (text[i] == '#')
			memset(text + i, ' ', end - i);
		i = end > i ? end : i + 1;
	}
}

static struct program *enter_text(struct completer *completer, char *text)
{
	struct language *language = completer->language;
	struct source *source = arena_new_of(language->arena, struct source);
	struct program *program = arena_new_of(language->arena, struct program);

	*source = (struct source){ .name = "",
				   .text = text,
				   .length = strlen(text) };
	program->source = source;
	drop_control_lines(text);
	bool is_right = parse_program(language, source, completer->kind,
				      program);

	diag_clear(&language->diag);
	return is_right ? program : NULL;
}

/* The clause around the cursor, with another statement for the one there. */
static char *text_before(const struct completer *completer,
			 const char *statement)
{
	const struct cursor *cursor = &completer->cursor;
	struct arena *arena = completer->language->arena;
	char *braces = arena_alloc(arena, cursor->braces + 1);

	memset(braces, '}', cursor->braces);
	return arena_printf(arena, "%.*s%s%s",
			    (int)(cursor->statement - cursor->start),
			    cursor->text + cursor->start, statement, braces);
}

void complete_enter(struct completer *completer)
{
	const struct cursor *cursor = &completer->cursor;
	struct arena *arena = completer->language->arena;

	if (completer->is_entered)
		return;
	completer->is_entered = true;
	library_load_directories(completer->language);
	for (size_t i = 0; i < cursor->nothers; i++)
		enter_text(completer,
			   arena_strndup(arena,
					 cursor->text + cursor->others[i].start,
					 cursor->others[i].end -
						 cursor->others[i].start));
	if (cursor->place == CURSOR_STATEMENTS)
		enter_text(completer, text_before(completer, ""));
}

/* ----------------------------------------------------------- the object */

static bool keep_probe(void *data, const struct probe_info *probe)
{
	struct checker *checker = data;

	checker->first_probe = *probe;
	checker->nprobes = 1;
	return false;
}

static void find_probe(struct completer *completer, struct checker *checker)
{
	const struct cursor *cursor = &completer->cursor;
	struct language *language = completer->language;
	const struct probe_oracle *oracle = language->config.oracle;
	struct source *source = arena_new_of(language->arena, struct source);
	struct parser parser = { .language = language,
				 .kind = completer->kind };
	struct probe_error error = { 0 };

	source->name = "";
	source->text = arena_strndup(language->arena,
				     cursor->text + cursor->start,
				     cursor->head - cursor->start);
	source->length = strlen(source->text);
	lexer_init(&parser.lexer, language, source);
	if (oracle && parse_clause_head(&parser, checker->clause))
		for (const struct probe_desc *desc = checker->clause->descs;
		     desc && !checker->nprobes; desc = desc->next)
			oracle->match(oracle->context, desc, keep_probe,
				      checker, &error);
	diag_clear(&language->diag);
}

static struct node *check_object(struct completer *completer, const char *text)
{
	struct language *language = completer->language;
	struct checker checker = {
		.language = language,
		.clause = arena_new_of(language->arena, struct clause),
		.desc_text = "",
	};
	struct source *source = arena_new_of(language->arena, struct source);
	struct parser parser = { .language = language };

	find_probe(completer, &checker);
	*source = (struct source){ .name = "",
				   .text = text,
				   .length = strlen(text) };
	lexer_init(&parser.lexer, language, source);
	parser.lexer.context = CONTEXT_ACTIONS;
	struct node *node = parse_expression(&parser);

	if (node)
		node = check_operand(&checker, node);
	if (node)
		node = translation_kept(&checker, node);
	diag_clear(&language->diag);
	return node;
}

/* The statement that was checked last, which is the last in its blocks. */
static struct node *last_statement(struct node *list)
{
	while (list && list->next)
		list = list->next;
	if (!list)
		return NULL;
	switch (list->kind) {
	case NODE_IF:
		return last_statement(list->ternary.otherwise
					      ? list->ternary.otherwise
					      : list->ternary.then);
	case NODE_LOOP:
		return last_statement(list->loop.body);
	case NODE_BLOCK:
		return last_statement(list->block.statements);
	default:
		return list;
	}
}

/* In its block, where local names are known: as the last statement. */
static struct node *check_in_block(struct completer *completer,
				   const char *text)
{
	struct arena *arena = completer->language->arena;

	if (completer->cursor.place != CURSOR_STATEMENTS)
		return NULL;
	struct program *program = enter_text(
		completer,
		text_before(completer, arena_printf(arena, " %s;", text)));

	return program && program->last_clause
		       ? last_statement(program->last_clause->statements)
		       : NULL;
}

/* -------------------------------------------------------------- members */

static void offer_member(struct completer *completer, const char *name,
			 struct type *type)
{
	complete_offer(completer, name, COMPLETE_MEMBER,
		       type_name(completer->language->types, type), "");
}

/* Anonymous members are looked into. */
static void offer_members(struct completer *completer, struct type *sou)
{
	struct types *types = completer->language->types;

	sou = type_strip(types, sou);
	if (!type_is_sou(types, sou) || !type_complete(types, sou))
		return;
	for (uint32_t i = 0; i < sou->nmembers; i++) {
		const struct member *member = &sou->members[i];

		if (!member->name || !*member->name)
			offer_members(completer, member->type);
		else if (!strncmp(member->name, completer->typed.p,
				  completer->typed.n))
			offer_member(completer, member->name, member->type);
	}
}

static void offer_translated(struct completer *completer,
			     const struct node *translation)
{
	for (const struct translator_member *member =
		     translation->cast.translator->members;
	     member; member = member->next)
		if (!strncmp(member->name, completer->typed.p,
			     completer->typed.n))
			offer_member(completer, member->name,
				     member->member.type);
}

void complete_members(struct completer *completer, size_t end, bool is_arrow)
{
	const struct cursor *cursor = &completer->cursor;
	struct language *language = completer->language;
	size_t start = cursor_object(cursor, end);
	const char *text = arena_strndup(language->arena, cursor->text + start,
					 end - start);

	if (start == end)
		return;
	struct node *object = check_object(completer, text);

	if (!object) {
		complete_enter(completer);
		object = check_object(completer, text);
	}
	if (!object)
		object = check_in_block(completer, text);
	if (!object || !object->type)
		return;
	if (node_is_translation(object)) {
		offer_translated(completer, translation_of(object));
		return;
	}
	struct type *type = object->type;

	if (is_arrow) {
		type = type_strip(language->types, type);
		if (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY)
			return;
		type = type->target;
	}
	offer_members(completer, type);
}
