/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: precedence climbing over one table of operators.
 *
 * Nothing is resolved here: a name stays a name.  The one question that
 * cannot wait is whether `(x)` is a cast.  It is asked only where a type name
 * would fit the tokens that follow, because the answer may mean opening the
 * kernel's type information, and never for names that D knows as variables.
 *
 * Recursion is bounded by the nesting of the text (nesting_enter), and the
 * trees by their height: a sum of a million terms nests nothing, but its tree
 * would be a million nodes deep for every function that walks it.
 */
#include "lang/check.h"
#include "lang/parser.h"

/* ------------------------------------------------------------ building */

static uint32_t height_of(const struct node *node)
{
	return node ? node->height : 0;
}

/* The tallest of a list, plus one. */
static uint32_t height_over(const struct node *list)
{
	uint32_t height = 0;

	for (; list; list = list->next)
		if (list->height > height)
			height = list->height;
	return height + 1;
}

static uint32_t taller(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static struct node *new_node(struct parser *parser, enum node_kind kind,
			     const struct place *place)
{
	struct node *node = arena_new_of(parser->language->arena, struct node);

	node->kind = kind;
	node->place = *place;
	node->height = 1;
	return node;
}

/* Refuses nodes that have grown too tall. */
static struct node *bounded(struct parser *parser, struct node *node)
{
	if (node->height <= MAX_HEIGHT)
		return node;
	parse_error(parser, &node->place, D_SYNTAX,
		    "expression is too long: more than %d operations deep",
		    MAX_HEIGHT);
	return NULL;
}

static struct node *new_unary(struct parser *parser, enum node_kind kind,
			      enum op op, const struct place *place,
			      struct node *operand)
{
	if (!operand)
		return NULL;
	struct node *node = new_node(parser, kind, place);

	node->op = op;
	node->unary.operand = operand;
	node->height = height_of(operand) + 1;
	return bounded(parser, node);
}

static struct node *new_binary(struct parser *parser, enum op op,
			       const struct place *place, struct node *left,
			       struct node *right)
{
	if (!left || !right)
		return NULL;
	struct node *node = new_node(parser, NODE_BINARY, place);

	node->op = op;
	node->binary.left = left;
	node->binary.right = right;
	node->height = taller(height_of(left) + 1, height_over(right));
	return bounded(parser, node);
}

static struct node *new_cast(struct parser *parser, enum node_kind kind,
			     const struct place *place, struct type *to,
			     struct node *operand)
{
	struct node *node = new_node(parser, kind, place);

	node->cast.to = to;
	node->cast.operand = operand;
	node->height = height_of(operand) + 1;
	return bounded(parser, node);
}

/* ------------------------------------------------------- type or value */

/*
 * After `(`, at a name: could what follows be a type name?  Only `name )`,
 * `name * ... )` and `name ( *` could.
 */
static bool could_be_type(struct parser *parser)
{
	struct lexer ahead = parser->lexer;
	struct token token;
	bool after_star = false;

	ahead.is_quiet = true;
	for (;;) {
		lexer_next(&ahead, &token);
		switch (token.kind) {
		case TOKEN_STAR:
			after_star = true;
			break;
		case TOKEN_CONST:
		case TOKEN_VOLATILE:
		case TOKEN_RESTRICT:
		case TOKEN_USERLAND:
			return true;
		case TOKEN_RIGHT_PAREN:
			return true;
		case TOKEN_LEFT_PAREN:
			if (after_star)
				return false;
			lexer_next(&ahead, &token);
			return token.kind == TOKEN_STAR;
		case TOKEN_LEFT_BRACKET:
			/* (T *[4]) is rare; (p *[... is not an expression */
			return after_star;
		default:
			return false;
		}
	}
}

/* Is the current `(` followed by a type name? */
static bool opens_type(struct parser *parser)
{
	struct parser ahead = *parser;

	ahead.lexer.is_quiet = true;
	token_skip(&ahead);
	const struct token *token = token_peek(&ahead);

	if (token->kind == TOKEN_NAME && !could_be_type(&ahead))
		return false;
	return type_starts(&ahead);
}

/* "( type )", both parentheses consumed. */
static struct type *parse_type_in_parens(struct parser *parser)
{
	if (!token_expect(parser, TOKEN_LEFT_PAREN))
		return NULL;
	struct type *type = parse_type_name(parser);

	return type && token_expect(parser, TOKEN_RIGHT_PAREN) ? type : NULL;
}

/* -------------------------------------------------------------- primary */

/* Expressions separated by commas, chained through next. */
static bool parse_list(struct parser *parser, enum token_kind close,
		       struct node **list)
{
	struct node **tail = list;

	*list = NULL;
	do {
		struct node *node = parse_assignment(parser);

		if (!node)
			return false;
		*tail = node;
		tail = &node->next;
	} while (token_accept(parser, TOKEN_COMMA));
	return token_expect(parser, close);
}

static struct node *integer_node(struct parser *parser,
				 const struct token *token)
{
	struct node *node = new_node(parser, NODE_INTEGER, &token->place);

	node->integer.value = token->value;
	node->integer.spelling = token->macro;
	node->type = types_base(parser->language->types, token->type);
	return node;
}

static struct node *string_node(struct parser *parser,
				const struct token *token)
{
	struct node *node = new_node(parser, NODE_STRING, &token->place);

	node->string.bytes = token->text.p;
	node->string.length = token->text.n;
	node->type = types_base(parser->language->types, BASE_STRING);
	return node;
}

/* mod`x, `x, ``x, pid`lib`x: the scope is all before the last back-quote. */
static struct node *symbol_node(struct parser *parser,
				const struct token *token)
{
	struct node *node = new_node(parser, NODE_SYMBOL, &token->place);

	node->symbol.name = token_word(parser, token);
	node->symbol.module = token->scope;
	node->symbol.is_user = strchr(token->scope, '`') != NULL;
	if (!strcmp(token->scope, "`"))
		node->symbol.module = "";
	return node;
}

static struct node *name_node(struct parser *parser, const struct token *token,
			      enum node_kind kind)
{
	struct node *node = new_node(parser, kind, &token->place);

	node->name.name = token_word(parser, token);
	node->name.scope = SCOPE_GLOBAL;
	return node;
}

/* self->x, this->x */
static struct node *parse_scoped(struct parser *parser)
{
	const struct token *token = token_peek(parser);
	int scope = token->kind == TOKEN_SELF ? SCOPE_SELF : SCOPE_THIS;
	struct place place = token->place, end;

	token_skip(parser);
	if (!token_expect(parser, TOKEN_ARROW))
		return NULL;
	const char *name = token_expect_name(parser, &end);

	if (!name)
		return NULL;
	if (end.line == place.line)
		place.length = (uint32_t)(end.offset + end.length -
					  place.offset);
	struct node *node = new_node(parser, NODE_NAME, &place);

	node->name.name = name;
	node->name.scope = scope;
	return node;
}

/* offsetof(type, member) */
static struct node *parse_offsetof(struct parser *parser)
{
	struct node *node = new_node(parser, NODE_OFFSETOF,
				     &token_peek(parser)->place);

	token_skip(parser);
	if (!token_expect(parser, TOKEN_LEFT_PAREN))
		return NULL;
	node->member.of = parse_type_name(parser);
	if (!node->member.of || !token_expect(parser, TOKEN_COMMA))
		return NULL;

	/* as after a dot, any word may name a member */
	const struct token *token = token_peek(parser);

	if (!token_is_word(token) || token->scope) {
		token_refuse(parser);
		return NULL;
	}
	node->member.name = token_word(parser, token);
	token_skip(parser);
	return token_expect(parser, TOKEN_RIGHT_PAREN) ? node : NULL;
}

/* xlate <type> (expression) */
static struct node *parse_xlate(struct parser *parser)
{
	struct place place = token_peek(parser)->place;

	token_skip(parser);
	if (!token_expect(parser, TOKEN_LESS))
		return NULL;
	struct type *to = parse_type_name(parser);

	if (!to || !token_expect(parser, TOKEN_GREATER) ||
	    !token_expect(parser, TOKEN_LEFT_PAREN))
		return NULL;
	struct node *operand = parse_expression(parser);

	if (!operand || !token_expect(parser, TOKEN_RIGHT_PAREN))
		return NULL;
	return new_cast(parser, NODE_XLATE, &place, to, operand);
}

static struct node *parse_parenthesised(struct parser *parser)
{
	token_skip(parser);
	struct node *node = parse_expression(parser);

	if (!node || !token_expect(parser, TOKEN_RIGHT_PAREN))
		return NULL;
	node->is_parenthesised = true;
	return node;
}

/* return is reserved, but return(v) is an action like any other. */
static bool is_return_call(const struct parser *parser)
{
	struct lexer ahead = parser->lexer;

	ahead.is_quiet = true;
	return lexer_skip(&ahead) && lexer_peek(&ahead, 0) == '(';
}

static struct node *parse_primary(struct parser *parser)
{
	const struct token *token = token_peek(parser);
	struct node *node = NULL;

	switch (token->kind) {
	case TOKEN_INTEGER:
		node = integer_node(parser, token);
		break;
	case TOKEN_STRING:
		node = string_node(parser, token);
		break;
	case TOKEN_AGGREGATION:
		node = name_node(parser, token, NODE_AGGREGATION);
		break;
	case TOKEN_NAME:
		node = token->scope ? symbol_node(parser, token)
				    : name_node(parser, token, NODE_NAME);
		break;
	case TOKEN_SELF:
	case TOKEN_THIS:
		return parse_scoped(parser);
	case TOKEN_OFFSETOF:
		return parse_offsetof(parser);
	case TOKEN_XLATE:
		return parse_xlate(parser);
	case TOKEN_LEFT_PAREN:
		return parse_parenthesised(parser);
	default:
		if (keyword_flags(token->kind) & KEYWORD_SOFT ||
		    (token->kind == TOKEN_RETURN && is_return_call(parser))) {
			node = name_node(parser, token, NODE_NAME);
			break;
		}
		token_refuse(parser);
		return NULL;
	}
	token_skip(parser);
	return node;
}

/* ------------------------------------------------------------- postfix */

static struct node *parse_call(struct parser *parser, struct node *callee)
{
	if (callee->kind != NODE_NAME || callee->name.has_keys ||
	    callee->name.scope != SCOPE_GLOBAL) {
		parse_error(parser, &callee->place, D_FUNC_IDENT,
			    "function designator is not of function type");
		return NULL;
	}
	struct node *node = new_node(parser, NODE_CALL, &callee->place);

	node->call.name = callee->name.name;
	token_skip(parser);
	if (token_accept(parser, TOKEN_RIGHT_PAREN))
		return node;
	if (!parse_list(parser, TOKEN_RIGHT_PAREN, &node->call.args))
		return NULL;
	node->height = height_over(node->call.args);
	return bounded(parser, node);
}

static struct node *parse_index(struct parser *parser, struct node *object)
{
	struct place place = token_peek(parser)->place;
	struct node *keys;
	bool takes_keys = (object->kind == NODE_NAME ||
			   object->kind == NODE_AGGREGATION) &&
			  !object->name.has_keys;

	if (object->kind == NODE_AGGREGATION && !takes_keys) {
		parse_error(
			parser, &place, D_AGG_MDIM,
			"improper attempt to reference @%s as a multi-dimensional array",
			object->name.name);
		return NULL;
	}
	token_skip(parser);
	if (!parse_list(parser, TOKEN_RIGHT_BRACKET, &keys))
		return NULL;
	if (!takes_keys)
		return new_binary(parser, OP_INDEX, &place, object, keys);
	object->name.keys = keys;
	object->name.has_keys = true;
	object->height = height_over(keys);
	return bounded(parser, object);
}

static struct node *parse_member(struct parser *parser, struct node *object)
{
	struct place place;
	enum op op = token_is(parser, TOKEN_DOT) ? OP_DOT : OP_ARROW;

	token_skip(parser);
	const struct token *token = token_peek(parser);

	/* Any word may name a member, reserved or not. */
	if (!token_is_word(token) || token->scope) {
		if (token_is_word(token) || token_is(parser, TOKEN_INTEGER) ||
		    token_is(parser, TOKEN_STRING))
			parse_error(
				parser, &token->place, D_OP_IDENT,
				"operator %s must be followed by an identifier",
				op_name(op));
		else
			token_refuse(parser);
		return NULL;
	}
	place = token->place;
	struct node *node = new_node(parser, NODE_MEMBER, &place);

	node->op = op;
	node->member.object = object;
	node->member.name = token_word(parser, token);
	node->height = object->height + 1;
	token_skip(parser);
	return bounded(parser, node);
}

static struct node *parse_postfix(struct parser *parser)
{
	struct node *node = parse_primary(parser);

	while (node) {
		const struct token *token = token_peek(parser);
		struct place place = token->place;

		switch (token->kind) {
		case TOKEN_LEFT_BRACKET:
			node = parse_index(parser, node);
			break;
		case TOKEN_LEFT_PAREN:
			node = parse_call(parser, node);
			break;
		case TOKEN_DOT:
		case TOKEN_ARROW:
			node = parse_member(parser, node);
			break;
		case TOKEN_INCREMENT:
			token_skip(parser);
			node = new_unary(parser, NODE_UNARY, OP_POST_INCREMENT,
					 &place, node);
			break;
		case TOKEN_DECREMENT:
			token_skip(parser);
			node = new_unary(parser, NODE_UNARY, OP_POST_DECREMENT,
					 &place, node);
			break;
		default:
			return node;
		}
	}
	return NULL;
}

/* --------------------------------------------------------------- unary */

static const enum op unary_ops[TOKEN_KINDS] = {
	[TOKEN_PLUS] = OP_PLUS, [TOKEN_MINUS] = OP_NEGATE,
	[TOKEN_NOT] = OP_NOT, [TOKEN_TILDE] = OP_COMPLEMENT,
	[TOKEN_STAR] = OP_DEREFERENCE, [TOKEN_AND] = OP_ADDRESS,
	[TOKEN_INCREMENT] = OP_PRE_INCREMENT,
	[TOKEN_DECREMENT] = OP_PRE_DECREMENT,
};

static struct node *parse_unary(struct parser *parser);

static struct node *parse_cast(struct parser *parser)
{
	struct place place = token_peek(parser)->place;
	struct type *to = parse_type_in_parens(parser);

	if (!to)
		return NULL;
	struct node *operand = parse_unary(parser);

	return operand ? new_cast(parser, NODE_CAST, &place, to, operand)
		       : NULL;
}

static struct node *parse_sizeof(struct parser *parser)
{
	struct place place = token_peek(parser)->place;
	struct node *operand;

	token_skip(parser);
	if (token_is(parser, TOKEN_LEFT_PAREN) && opens_type(parser)) {
		struct place inner = token_peek(parser)->place;
		struct type *type = parse_type_in_parens(parser);

		operand = type ? new_cast(parser, NODE_TYPE, &inner, type, NULL)
			       : NULL;
	} else {
		operand = parse_unary(parser);
	}
	return new_unary(parser, NODE_SIZEOF, OP_NONE, &place, operand);
}

/* C's __alignof__ (type), in the sizes of arrays. */
static struct node *parse_alignof(struct parser *parser)
{
	struct place place = token_peek(parser)->place;

	token_skip(parser);
	if (!token_is(parser, TOKEN_LEFT_PAREN) || !opens_type(parser)) {
		token_refuse(parser);
		return NULL;
	}

	struct type *type = parse_type_in_parens(parser);
	struct types *types = parser->language->types;

	return type ? node_make_integer(parser->language->arena,
					type_align(types, type),
					types_base(types, BASE_SIZE), &place)
		    : NULL;
}

static struct node *parse_unary_inner(struct parser *parser)
{
	const struct token *token = token_peek(parser);
	struct place place = token->place;

	if (token->kind == TOKEN_SIZEOF)
		return parse_sizeof(parser);
	if (token->kind == TOKEN_ALIGNOF)
		return parse_alignof(parser);
	if (token->kind == TOKEN_STRINGOF) {
		token_skip(parser);
		return new_unary(parser, NODE_STRINGOF, OP_NONE, &place,
				 parse_unary(parser));
	}
	if (token->kind == TOKEN_LEFT_PAREN && opens_type(parser))
		return parse_cast(parser);
	enum op op = unary_ops[token->kind];

	if (op == OP_NONE)
		return parse_postfix(parser);
	token_skip(parser);
	return new_unary(parser, NODE_UNARY, op, &place, parse_unary(parser));
}

static struct node *parse_unary(struct parser *parser)
{
	if (!nesting_enter(parser))
		return NULL;
	struct node *node = parse_unary_inner(parser);

	nesting_leave(parser);
	return node;
}

/* -------------------------------------------------------------- binary */

static const struct {
	enum op op;
	int level; /* higher binds tighter; 0 = not binary */
} binary_ops[TOKEN_KINDS] = {
	[TOKEN_STAR] = { OP_MULTIPLY, 11 },
	[TOKEN_SLASH] = { OP_DIVIDE, 11 },
	[TOKEN_PERCENT] = { OP_MODULO, 11 },
	[TOKEN_PLUS] = { OP_ADD, 10 },
	[TOKEN_MINUS] = { OP_SUBTRACT, 10 },
	[TOKEN_SHIFT_LEFT] = { OP_SHIFT_LEFT, 9 },
	[TOKEN_SHIFT_RIGHT] = { OP_SHIFT_RIGHT, 9 },
	[TOKEN_LESS] = { OP_LESS, 8 },
	[TOKEN_LESS_EQUAL] = { OP_LESS_EQUAL, 8 },
	[TOKEN_GREATER] = { OP_GREATER, 8 },
	[TOKEN_GREATER_EQUAL] = { OP_GREATER_EQUAL, 8 },
	[TOKEN_EQUAL] = { OP_EQUAL, 7 },
	[TOKEN_NOT_EQUAL] = { OP_NOT_EQUAL, 7 },
	[TOKEN_AND] = { OP_AND, 6 },
	[TOKEN_XOR] = { OP_XOR, 5 },
	[TOKEN_OR] = { OP_OR, 4 },
	[TOKEN_LOGICAL_AND] = { OP_LOGICAL_AND, 3 },
	[TOKEN_LOGICAL_XOR] = { OP_LOGICAL_XOR, 2 },
	[TOKEN_LOGICAL_OR] = { OP_LOGICAL_OR, 1 },
};

static const enum op assignment_ops[TOKEN_KINDS] = {
	[TOKEN_ASSIGN] = OP_ASSIGN, [TOKEN_ADD_ASSIGN] = OP_ADD_ASSIGN,
	[TOKEN_SUBTRACT_ASSIGN] = OP_SUBTRACT_ASSIGN,
	[TOKEN_MULTIPLY_ASSIGN] = OP_MULTIPLY_ASSIGN,
	[TOKEN_DIVIDE_ASSIGN] = OP_DIVIDE_ASSIGN,
	[TOKEN_MODULO_ASSIGN] = OP_MODULO_ASSIGN,
	[TOKEN_AND_ASSIGN] = OP_AND_ASSIGN,
	[TOKEN_XOR_ASSIGN] = OP_XOR_ASSIGN,
	[TOKEN_OR_ASSIGN] = OP_OR_ASSIGN,
	[TOKEN_SHIFT_LEFT_ASSIGN] = OP_SHIFT_LEFT_ASSIGN,
	[TOKEN_SHIFT_RIGHT_ASSIGN] = OP_SHIFT_RIGHT_ASSIGN,
};

/* Operators of at least `level`.  Recursion ends after the levels. */
static struct node *parse_binary(struct parser *parser, int level)
{
	struct node *left = parse_unary(parser);

	while (left) {
		const struct token *token = token_peek(parser);
		struct place place = token->place;
		int here = binary_ops[token->kind].level;
		enum op op = binary_ops[token->kind].op;

		if (!here || here < level)
			return left;
		token_skip(parser);
		left = new_binary(parser, op, &place, left,
				  parse_binary(parser, here + 1));
	}
	return NULL;
}

static struct node *parse_conditional(struct parser *parser)
{
	struct node *condition = parse_binary(parser, 1);

	if (!condition || !token_is(parser, TOKEN_QUESTION))
		return condition;
	struct node *node = new_node(parser, NODE_TERNARY,
				     &token_peek(parser)->place);

	token_skip(parser);
	node->ternary.condition = condition;
	node->ternary.then = parse_expression(parser);
	if (!node->ternary.then || !token_expect(parser, TOKEN_COLON))
		return NULL;
	if (!nesting_enter(parser))
		return NULL;
	node->ternary.otherwise = parse_conditional(parser);
	nesting_leave(parser);
	if (!node->ternary.otherwise)
		return NULL;
	node->height = 1 + taller(height_of(condition),
				  taller(height_of(node->ternary.then),
					 height_of(node->ternary.otherwise)));
	return bounded(parser, node);
}

/* Only what the grammar calls a unary expression may be assigned to. */
static bool is_unary_form(const struct node *node)
{
	if (node->is_parenthesised)
		return true;
	return node->kind != NODE_TERNARY && node->kind != NODE_CAST &&
	       (node->kind != NODE_BINARY || node->op == OP_INDEX);
}

static struct node *parse_assignment_inner(struct parser *parser)
{
	struct node *left = parse_conditional(parser);

	if (!left)
		return NULL;
	const struct token *token = token_peek(parser);
	struct place place = token->place;
	enum op op = assignment_ops[token->kind];

	if (op == OP_NONE)
		return left;
	if (!is_unary_form(left)) {
		token_refuse(parser);
		return NULL;
	}
	token_skip(parser);
	return new_binary(parser, op, &place, left, parse_assignment(parser));
}

struct node *parse_assignment(struct parser *parser)
{
	if (!nesting_enter(parser))
		return NULL;
	struct node *node = parse_assignment_inner(parser);

	nesting_leave(parser);
	return node;
}

struct node *parse_expression(struct parser *parser)
{
	struct node *left = parse_assignment(parser);

	while (left && token_is(parser, TOKEN_COMMA)) {
		struct place place = token_peek(parser)->place;

		token_skip(parser);
		left = new_binary(parser, OP_COMMA, &place, left,
				  parse_assignment(parser));
	}
	return left;
}

bool parse_constant(struct parser *parser, int64_t *value, struct place *place)
{
	*place = token_peek(parser)->place;
	struct node *node = parse_conditional(parser);

	if (!node)
		return false;
	*place = node->place;
	struct diag *diag = &parser->language->diag;

	if (check_constant(parser->language, node, value))
		return true;
	/* A name that is not a constant is reported by the caller. */
	if (diag->failed && diag->tag == D_IDENT_UNDEF)
		diag_clear(diag);
	return false;
}

struct node *parse_initial_value(struct parser *parser, const char *name,
				 const struct place *place)
{
	struct place equals = token_peek(parser)->place;
	struct node *left = new_node(parser, NODE_NAME, place);

	left->name.name = name;
	left->name.scope = SCOPE_GLOBAL;
	token_skip(parser);
	return new_binary(parser, OP_ASSIGN, &equals, left,
			  parse_assignment(parser));
}
