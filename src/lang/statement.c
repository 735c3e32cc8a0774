/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parser: statements, which are C's: expressions, if, loops, blocks and
 * declarations of local names.
 *
 * A word that starts a statement may be a type or a variable.  It is taken for
 * a type where an expression could not go on as the text does (`foo_t x`), or
 * would have no effect (`foo_t *x;`), and only then is asked whether it is one,
 * because that may mean opening the kernel's type information.
 *
 * Names are entered into scopes to tell them from types; what they mean is the
 * checker's business (check_statement.c).
 */
#include "lang/check.h"
#include "lang/parser.h"

static bool parse_statement(struct parser *parser, struct node **statement);

static struct node *new_statement(struct parser *parser, enum node_kind kind)
{
	struct node *node = arena_new_of(parser->language->arena, struct node);

	node->kind = kind;
	node->place = token_peek(parser)->place;
	node->height = 1;
	return node;
}

/* The node is taller than everything in the list. */
static void grow_over(struct node *node, const struct node *list)
{
	for (; list; list = list->next)
		if (list->height >= node->height)
			node->height = list->height + 1;
}

/* The last statement of a block needs no semicolon. */
static bool end_statement(struct parser *parser)
{
	if (token_is(parser, TOKEN_RIGHT_BRACE) ||
	    token_accept(parser, TOKEN_SEMICOLON))
		return true;
	bool is_word = token_is_word(token_peek(parser));

	token_refuse(parser);
	if (is_word)
		diag_hint(&parser->language->diag, "a ; is missing before it");
	return false;
}

/* A name before another word was perhaps meant as a type. */
static bool end_expression(struct parser *parser, const struct node *node)
{
	if (node->kind != NODE_NAME || node->name.has_keys ||
	    !token_is_word(token_peek(parser)))
		return end_statement(parser);
	token_refuse(parser);
	if (!hint_unknown_type(parser->language, str_of(node->name.name)))
		diag_hint(&parser->language->diag, "a ; is missing before it");
	return false;
}

/* -------------------------------------------------------- declarations */

/* At a name: does it look like a type that declares another name? */
static bool could_declare(const struct parser *parser)
{
	struct parser ahead = *parser;
	bool after_star = false;

	ahead.lexer.is_quiet = true;
	token_skip(&ahead);
	for (;;) {
		const struct token *token = token_peek(&ahead);

		if (token->kind == TOKEN_STAR)
			after_star = true;
		else if (token->kind != TOKEN_CONST &&
			 token->kind != TOKEN_VOLATILE &&
			 token->kind != TOKEN_RESTRICT &&
			 token->kind != TOKEN_USERLAND)
			break;
		token_skip(&ahead);
	}
	const struct token *name = token_peek(&ahead);

	if ((name->kind != TOKEN_NAME || name->scope) &&
	    !(keyword_flags(name->kind) & KEYWORD_SOFT))
		return false;
	if (!after_star)
		return true;
	token_skip(&ahead);
	return token_is(&ahead, TOKEN_SEMICOLON) ||
	       token_is(&ahead, TOKEN_ASSIGN) ||
	       token_is(&ahead, TOKEN_COMMA) ||
	       token_is(&ahead, TOKEN_LEFT_BRACKET) ||
	       token_is(&ahead, TOKEN_RIGHT_BRACE);
}

static bool starts_declaration(struct parser *parser)
{
	switch (token_peek(parser)->kind) {
	case TOKEN_AUTO:
	case TOKEN_REGISTER:
	case TOKEN_STATIC:
	case TOKEN_EXTERN:
	case TOKEN_TYPEDEF:
		return true;
	case TOKEN_NAME:
		return could_declare(parser) && type_starts(parser);
	default:
		return type_starts(parser);
	}
}

static struct ident *new_local(struct parser *parser,
			       const struct declarator *declarator)
{
	struct ident *ident = arena_new_of(parser->language->arena,
					   struct ident);

	ident->name = declarator->name;
	ident->kind = IDENT_VARIABLE;
	ident->scope = SCOPE_THIS;
	ident->type = type_unqualified(declarator->type);
	ident->attr = ATTR_STABLE;
	ident->place = declarator->place;
	ident->is_declared = true;
	ident->is_local = true;
	return ident;
}

static bool redeclared(struct parser *parser, const struct ident *ident)
{
	struct types *types = parser->language->types;
	const struct ident *previous = scope_find(parser->scope,
						  str_of(ident->name));

	return parse_error(
		parser, &ident->place, D_DECL_IDRED,
		"identifier redeclared: %s\n\t current: %s\n\tprevious: %s",
		ident->name, type_name(types, ident->type),
		type_name(types, previous->type));
}

/* One name of a declaration, from its declarator on. */
static struct node *parse_local(struct parser *parser,
				const struct specifiers *specifiers)
{
	struct declarator declarator;

	if (!parse_declarator(parser, specifiers, DECLARATOR_NAMED,
			      &declarator))
		return NULL;
	if (declarator.scope) {
		parse_error(
			parser, &declarator.place, D_DECL_SCOPE,
			"D scoping operator may not be used in a declaration name (%s`%s)",
			declarator.scope, declarator.name);
		return NULL;
	}
	if (type_strip(parser->language->types, declarator.type)->kind ==
	    TYPE_FUNCTION) {
		parse_error(parser, &declarator.place, D_DECL_LOCFUNC,
			    "functions may not be declared in a clause: %s",
			    declarator.name);
		return NULL;
	}
	if (!declarator_check_object(parser, specifiers, &declarator))
		return NULL;
	struct node *node = new_statement(parser, NODE_DECLARE);
	struct ident *ident = new_local(parser, &declarator);

	node->place = declarator.place;
	node->declare.ident = ident;
	if (!scope_declare(parser->scope, parser->language->arena, ident)) {
		redeclared(parser, ident);
		return NULL;
	}
	if (!token_is(parser, TOKEN_ASSIGN))
		return node;
	node->declare.assignment = parse_initial_value(parser, ident->name,
						       &ident->place);
	grow_over(node, node->declare.assignment);
	return node->declare.assignment ? node : NULL;
}

/* int i = 0, *p; without its semicolon.  No name: struct s { ... }; */
static bool parse_locals(struct parser *parser, struct node **list)
{
	struct specifiers specifiers;

	if (!parse_specifiers(parser, &specifiers))
		return false;
	if (specifiers.storage != STORAGE_NONE || specifiers.is_c_inline)
		return parse_error(
			parser, &specifiers.place, D_DECL_BADCLASS,
			"specified storage class not appropriate in D");
	if (token_is(parser, TOKEN_SEMICOLON))
		return specifiers.declares_tag ||
		       parse_error(parser, &specifiers.place, D_DECL_USELESS,
				   "useless declaration");
	specifiers.storage = STORAGE_THIS;
	do {
		*list = parse_local(parser, &specifiers);
		if (!*list)
			return false;
		list = &(*list)->next;
	} while (token_accept(parser, TOKEN_COMMA));
	return true;
}

/* -------------------------------------------------------- blocks, if */

bool parse_statements(struct parser *parser, struct node **list)
{
	struct node **tail = list;

	*list = NULL;
	for (;;) {
		if (token_accept(parser, TOKEN_SEMICOLON))
			continue;
		if (token_accept(parser, TOKEN_RIGHT_BRACE))
			return true;
		if (!parse_statement(parser, tail))
			return false;
		while (*tail)
			tail = &(*tail)->next;
	}
}

bool parse_block(struct parser *parser, struct node **list)
{
	struct scope scope = { 0 };

	scope_enter(&parser->scope, &scope);

	bool is_fine = parse_statements(parser, list);

	scope_leave(&parser->scope);
	return is_fine;
}

/* What if or a loop governs: one statement, or several in braces. */
static bool parse_branch(struct parser *parser, struct node **list)
{
	*list = NULL;
	if (token_accept(parser, TOKEN_LEFT_BRACE))
		return parse_block(parser, list);
	if (token_accept(parser, TOKEN_SEMICOLON))
		return true;
	if (starts_declaration(parser))
		return token_refuse(parser);
	return parse_statement(parser, list);
}

static bool parse_condition(struct parser *parser, struct node **condition)
{
	if (!token_expect(parser, TOKEN_LEFT_PAREN))
		return false;
	*condition = parse_expression(parser);
	return *condition && token_expect(parser, TOKEN_RIGHT_PAREN);
}

static bool parse_if(struct parser *parser, struct node *node)
{
	if (!parse_condition(parser, &node->ternary.condition) ||
	    !parse_branch(parser, &node->ternary.then))
		return false;
	if (token_accept(parser, TOKEN_ELSE) &&
	    !parse_branch(parser, &node->ternary.otherwise))
		return false;
	grow_over(node, node->ternary.condition);
	grow_over(node, node->ternary.then);
	grow_over(node, node->ternary.otherwise);
	return true;
}

/* --------------------------------------------------------------- loops */

/* An expression that may be missing, and what ends it. */
static bool parse_optional(struct parser *parser, struct node **node,
			   enum token_kind end)
{
	if (token_accept(parser, end))
		return true;
	*node = parse_expression(parser);
	return *node && token_expect(parser, end);
}

static bool parse_for_head(struct parser *parser, struct node *node)
{
	if (!token_expect(parser, TOKEN_LEFT_PAREN))
		return false;
	if (starts_declaration(parser)
		    ? !parse_locals(parser, &node->loop.init) ||
			      !token_expect(parser, TOKEN_SEMICOLON)
		    : !parse_optional(parser, &node->loop.init,
				      TOKEN_SEMICOLON))
		return false;
	return parse_optional(parser, &node->loop.condition, TOKEN_SEMICOLON) &&
	       parse_optional(parser, &node->loop.step, TOKEN_RIGHT_PAREN);
}

/* Its names are known in all of it, and not after it. */
static bool parse_for(struct parser *parser, struct node *node)
{
	struct scope scope = { 0 };

	scope_enter(&parser->scope, &scope);

	bool is_fine = parse_for_head(parser, node) &&
		       parse_branch(parser, &node->loop.body);

	scope_leave(&parser->scope);
	return is_fine;
}

static bool parse_while(struct parser *parser, struct node *node)
{
	return parse_condition(parser, &node->loop.condition) &&
	       parse_branch(parser, &node->loop.body);
}

static bool parse_do(struct parser *parser, struct node *node)
{
	node->loop.tests_last = true;
	return parse_branch(parser, &node->loop.body) &&
	       token_expect(parser, TOKEN_WHILE) &&
	       parse_condition(parser, &node->loop.condition) &&
	       end_statement(parser);
}

static bool parse_loop(struct parser *parser, struct node *node,
		       bool (*parse)(struct parser *parser, struct node *node))
{
	if (!parse(parser, node))
		return false;
	grow_over(node, node->loop.init);
	grow_over(node, node->loop.condition);
	grow_over(node, node->loop.step);
	grow_over(node, node->loop.body);
	return true;
}

/* ---------------------------------------------------------- statements */

static bool parse_return(struct parser *parser, struct node *node)
{
	if (!token_is(parser, TOKEN_SEMICOLON) &&
	    !token_is(parser, TOKEN_RIGHT_BRACE)) {
		node->leave.value = parse_expression(parser);
		if (!node->leave.value)
			return false;
		grow_over(node, node->leave.value);
	}
	return end_statement(parser);
}

static enum node_kind statement_kind(struct parser *parser)
{
	switch (token_peek(parser)->kind) {
	case TOKEN_IF:
		return NODE_IF;
	case TOKEN_FOR:
	case TOKEN_WHILE:
	case TOKEN_DO:
		return NODE_LOOP;
	case TOKEN_BREAK:
		return NODE_BREAK;
	case TOKEN_CONTINUE:
		return NODE_CONTINUE;
	case TOKEN_LEFT_BRACE:
		return NODE_BLOCK;
	case TOKEN_RETURN:
		if (parser->in_function)
			return NODE_RETURN;
		break;
	default:
		break;
	}
	return starts_declaration(parser) ? NODE_DECLARE : NODE_NAME;
}

static bool parse_block_statement(struct parser *parser, struct node *node)
{
	if (!parse_block(parser, &node->block.statements))
		return false;
	grow_over(node, node->block.statements);
	return true;
}

/* After the word that it starts with. */
static bool parse_rest(struct parser *parser, struct node *node,
		       enum token_kind word)
{
	switch (word) {
	case TOKEN_IF:
		return parse_if(parser, node);
	case TOKEN_FOR:
		return parse_loop(parser, node, parse_for);
	case TOKEN_WHILE:
		return parse_loop(parser, node, parse_while);
	case TOKEN_DO:
		return parse_loop(parser, node, parse_do);
	case TOKEN_LEFT_BRACE:
		return parse_block_statement(parser, node);
	case TOKEN_RETURN:
		return parse_return(parser, node);
	default:
		return end_statement(parser);
	}
}

static bool parse_statement_inner(struct parser *parser,
				  struct node **statement)
{
	enum node_kind kind = statement_kind(parser);
	enum token_kind word = token_peek(parser)->kind;

	if (kind == NODE_DECLARE)
		return parse_locals(parser, statement) && end_statement(parser);
	if (kind == NODE_NAME) {
		*statement = parse_expression(parser);
		return *statement && end_expression(parser, *statement);
	}
	*statement = new_statement(parser, kind);
	token_skip(parser);
	return parse_rest(parser, *statement, word);
}

static bool parse_statement(struct parser *parser, struct node **statement)
{
	if (++parser->nstatements > MAX_STATEMENTS)
		return parse_error(parser, &token_peek(parser)->place, D_SYNTAX,
				   "clause is too long: more than %d statements",
				   MAX_STATEMENTS);
	if (!nesting_enter(parser))
		return false;
	bool is_fine = parse_statement_inner(parser, statement);

	nesting_leave(parser);
	return is_fine;
}
