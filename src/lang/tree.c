/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree's names and its printed form.
 *
 * The listing has one node per line, children indented beneath, a node's type
 * in brackets when the checker has given it one.  It serves -S and tests, so it
 * must print both parsed and checked trees.  It recurses; the parser bounds the
 * height of what it builds.
 */
#include "lang/tree.h"

#include <inttypes.h>

#include "lang/ident.h"

static const char *const op_names[OP_COUNT] = {
	[OP_NONE] = "",
	[OP_PLUS] = "+", [OP_NEGATE] = "-", [OP_NOT] = "!",
	[OP_COMPLEMENT] = "~", [OP_DEREFERENCE] = "*", [OP_ADDRESS] = "&",
	[OP_PRE_INCREMENT] = "++", [OP_PRE_DECREMENT] = "--",
	[OP_POST_INCREMENT] = "++", [OP_POST_DECREMENT] = "--",
	[OP_MULTIPLY] = "*", [OP_DIVIDE] = "/", [OP_MODULO] = "%",
	[OP_ADD] = "+", [OP_SUBTRACT] = "-",
	[OP_SHIFT_LEFT] = "<<", [OP_SHIFT_RIGHT] = ">>",
	[OP_LESS] = "<", [OP_LESS_EQUAL] = "<=",
	[OP_GREATER] = ">", [OP_GREATER_EQUAL] = ">=",
	[OP_EQUAL] = "==", [OP_NOT_EQUAL] = "!=",
	[OP_AND] = "&", [OP_XOR] = "^", [OP_OR] = "|",
	[OP_LOGICAL_AND] = "&&", [OP_LOGICAL_XOR] = "^^",
	[OP_LOGICAL_OR] = "||",
	[OP_ASSIGN] = "=", [OP_ADD_ASSIGN] = "+=",
	[OP_SUBTRACT_ASSIGN] = "-=", [OP_MULTIPLY_ASSIGN] = "*=",
	[OP_DIVIDE_ASSIGN] = "/=", [OP_MODULO_ASSIGN] = "%=",
	[OP_AND_ASSIGN] = "&=", [OP_XOR_ASSIGN] = "^=",
	[OP_OR_ASSIGN] = "|=", [OP_SHIFT_LEFT_ASSIGN] = "<<=",
	[OP_SHIFT_RIGHT_ASSIGN] = ">>=",
	[OP_COMMA] = ",", [OP_INDEX] = "[]",
	[OP_DOT] = ".", [OP_ARROW] = "->",
};

static const enum op assignment_ops[OP_COUNT] = {
	[OP_ADD_ASSIGN] = OP_ADD, [OP_SUBTRACT_ASSIGN] = OP_SUBTRACT,
	[OP_MULTIPLY_ASSIGN] = OP_MULTIPLY, [OP_DIVIDE_ASSIGN] = OP_DIVIDE,
	[OP_MODULO_ASSIGN] = OP_MODULO, [OP_AND_ASSIGN] = OP_AND,
	[OP_XOR_ASSIGN] = OP_XOR, [OP_OR_ASSIGN] = OP_OR,
	[OP_SHIFT_LEFT_ASSIGN] = OP_SHIFT_LEFT,
	[OP_SHIFT_RIGHT_ASSIGN] = OP_SHIFT_RIGHT,
};

const char *op_name(enum op op)
{
	return op < OP_COUNT && op_names[op] ? op_names[op] : "?";
}

enum op op_of_assignment(enum op op)
{
	return op < OP_COUNT ? assignment_ops[op] : OP_NONE;
}

/* ------------------------------------------------------------- listing */

static void print_quoted(const char *bytes, size_t length, struct text *out)
{
	text_putc(out, '"');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\n')
			text_puts(out, "\\n");
		else if (c == '"' || c == '\\')
			text_printf(out, "\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			text_printf(out, "\\%03o", c);
		else
			text_putc(out, (char)c);
	}
	text_putc(out, '"');
}

static void print_type(struct types *types, struct type *type, struct text *out)
{
	if (!type)
		return;
	text_puts(out, " <");
	type_print(types, type, out);
	text_putc(out, '>');
}

static const char *scope_prefix(int scope)
{
	switch (scope) {
	case SCOPE_SELF:
		return "self->";
	case SCOPE_THIS:
		return "this->";
	default:
		return "";
	}
}

static void print_list(struct types *types, const struct node *node, int depth,
		       struct text *out)
{
	for (; node; node = node->next)
		tree_print_node(types, node, depth, out);
}

static void print_label(struct types *types, const char *label,
			const struct node *list, int depth, struct text *out)
{
	if (!list)
		return;
	text_printf(out, "%*s%s:\n", depth * 2, "", label);
	print_list(types, list, depth + 1, out);
}

/* The text of a node's own line. */
static void print_head(struct types *types, const struct node *node,
		       struct text *out)
{
	switch (node->kind) {
	case NODE_INTEGER:
		text_printf(out, "INT 0x%" PRIx64, node->integer.value);
		if (node->integer.spelling)
			text_printf(out, " (%s)", node->integer.spelling);
		break;
	case NODE_STRING:
		text_puts(out, "STRING ");
		print_quoted(node->string.bytes, node->string.length, out);
		break;
	case NODE_NAME:
		text_printf(out, "NAME %s%s", scope_prefix(node->name.scope),
			    node->name.name);
		break;
	case NODE_VARIABLE:
		text_printf(out, "VARIABLE %s%s",
			    node->variable.ident->is_local
				    ? ""
				    : scope_prefix(
					      (int)node->variable.ident->scope),
			    node->variable.ident->name);
		break;
	case NODE_AGGREGATION:
		text_printf(out, "AGGREGATION @%s",
			    node->is_checked ? node->variable.ident->name
					     : node->name.name);
		break;
	case NODE_SYMBOL:
		text_printf(out, "SYMBOL %s`%s%s", node->symbol.module,
			    node->symbol.name,
			    node->symbol.is_user ? " user" : "");
		break;
	case NODE_CALL:
		text_printf(out, "CALL %s( )", node->call.name);
		break;
	case NODE_UNARY:
		text_printf(out, "%s %s",
			    node->op == OP_POST_INCREMENT ||
					    node->op == OP_POST_DECREMENT
				    ? "POSTFIX"
				    : "UNARY",
			    op_name(node->op));
		break;
	case NODE_BINARY:
		text_printf(out, "BINARY %s", op_name(node->op));
		break;
	case NODE_TERNARY:
		text_puts(out, "TERNARY ?:");
		break;
	case NODE_MEMBER:
		text_printf(out, "MEMBER %s%s", op_name(node->op),
			    node->member.name);
		break;
	case NODE_CAST:
		text_puts(out, "CAST to");
		print_type(types, node->cast.to, out);
		break;
	case NODE_SIZEOF:
		text_puts(out, "SIZEOF");
		break;
	case NODE_OFFSETOF:
		text_printf(out, "OFFSETOF %s in", node->member.name);
		print_type(types, node->member.of, out);
		break;
	case NODE_STRINGOF:
		text_puts(out, "STRINGOF");
		break;
	case NODE_XLATE:
		text_puts(out, "XLATE to");
		print_type(types, node->cast.to, out);
		break;
	case NODE_TYPE:
		text_puts(out, "TYPE");
		print_type(types, node->cast.to, out);
		break;
	case NODE_IF:
		text_puts(out, "IF");
		break;
	case NODE_LOOP:
		text_puts(out, node->loop.tests_last ? "LOOP do" : "LOOP");
		break;
	case NODE_BREAK:
		text_puts(out, "BREAK");
		break;
	case NODE_CONTINUE:
		text_puts(out, "CONTINUE");
		break;
	case NODE_RETURN:
		text_puts(out, "RETURN");
		break;
	case NODE_BLOCK:
		text_puts(out, "BLOCK");
		break;
	case NODE_DECLARE:
		text_printf(out, "DECLARE %s", node->declare.ident->name);
		print_type(types, node->declare.ident->type, out);
		break;
	case NODE_LET:
		text_printf(out, "LET %s", node->let.ident->name);
		break;
	}
}

static void print_children(struct types *types, const struct node *node,
			   int depth, struct text *out)
{
	switch (node->kind) {
	case NODE_NAME:
		print_list(types, node->name.keys, depth, out);
		break;
	case NODE_VARIABLE:
		print_list(types, node->variable.keys, depth, out);
		break;
	case NODE_AGGREGATION:
		if (!node->is_checked) {
			print_list(types, node->name.keys, depth, out);
			break;
		}
		print_label(types, "keys", node->variable.keys, depth, out);
		print_label(types, "function", node->variable.call, depth, out);
		break;
	case NODE_CALL:
		print_list(types, node->call.args, depth, out);
		break;
	case NODE_UNARY:
	case NODE_SIZEOF:
	case NODE_STRINGOF:
		tree_print_node(types, node->unary.operand, depth, out);
		break;
	case NODE_BINARY:
		tree_print_node(types, node->binary.left, depth, out);
		if (node->op == OP_INDEX)
			print_list(types, node->binary.right, depth, out);
		else
			tree_print_node(types, node->binary.right, depth, out);
		break;
	case NODE_TERNARY:
		tree_print_node(types, node->ternary.condition, depth, out);
		tree_print_node(types, node->ternary.then, depth, out);
		tree_print_node(types, node->ternary.otherwise, depth, out);
		break;
	case NODE_IF:
		tree_print_node(types, node->ternary.condition, depth, out);
		print_label(types, "then", node->ternary.then, depth, out);
		print_label(types, "else", node->ternary.otherwise, depth, out);
		break;
	case NODE_LOOP:
		print_label(types, "init", node->loop.init, depth, out);
		print_label(types, "while", node->loop.condition, depth, out);
		print_label(types, "step", node->loop.step, depth, out);
		print_label(types, "body", node->loop.body, depth, out);
		break;
	case NODE_RETURN:
		tree_print_node(types, node->leave.value, depth, out);
		break;
	case NODE_BLOCK:
		print_list(types, node->block.statements, depth, out);
		break;
	case NODE_DECLARE:
		tree_print_node(types, node->declare.assignment, depth, out);
		break;
	case NODE_MEMBER:
		tree_print_node(types, node->member.object, depth, out);
		break;
	case NODE_CAST:
	case NODE_XLATE:
		tree_print_node(types, node->cast.operand, depth, out);
		break;
	case NODE_LET:
		tree_print_node(types, node->let.value, depth, out);
		tree_print_node(types, node->let.body, depth, out);
		break;
	case NODE_INTEGER:
	case NODE_STRING:
	case NODE_SYMBOL:
	case NODE_OFFSETOF:
	case NODE_TYPE:
	case NODE_BREAK:
	case NODE_CONTINUE:
		break;
	}
}

void tree_print_node(struct types *types, const struct node *node, int depth,
		     struct text *out)
{
	if (!node)
		return;
	text_printf(out, "%*s", depth * 2, "");
	print_head(types, node, out);
	if (node->type)
		print_type(types, node->type, out);
	text_putc(out, '\n');
	print_children(types, node, depth + 1, out);
}

static void print_desc(const struct probe_desc *desc, struct text *out)
{
	if (desc->id)
		text_printf(out, "  probe %" PRIu32 "\n", desc->id);
	else
		text_printf(out, "  probe %s:%s:%s:%s\n", desc->provider,
			    desc->module, desc->function, desc->name);
}

static void print_clause(struct types *types, const struct clause *clause,
			 struct text *out)
{
	text_printf(out, "CLAUSE %" PRIu32 "\n", clause->id);
	for (const struct probe_desc *desc = clause->descs; desc;
	     desc = desc->next)
		print_desc(desc, out);
	if (clause->predicate) {
		text_puts(out, "  predicate\n");
		tree_print_node(types, clause->predicate, 2, out);
	}
	if (clause->statements) {
		text_puts(out, "  actions\n");
		print_list(types, clause->statements, 2, out);
	} else {
		text_puts(out, "  default action\n");
	}
}

static void print_arguments(struct types *types, struct type *const *list,
			    uint32_t count, struct text *out)
{
	text_putc(out, '(');
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			text_puts(out, ", ");
		type_print(types, list[i], out);
	}
	text_putc(out, ')');
}

void tree_print_program(struct types *types, const struct program *program,
			struct text *out)
{
	for (const struct provider_decl *provider = program->providers;
	     provider; provider = provider->next) {
		text_printf(out, "PROVIDER %s\n", provider->name);
		for (const struct provider_probe *probe = provider->probes;
		     probe; probe = probe->next) {
			text_printf(out, "  probe %s", probe->name);
			print_arguments(types, probe->native, probe->nnative,
					out);
			if (probe->output && probe->output != probe->native) {
				text_puts(out, " : ");
				print_arguments(types, probe->output,
						probe->noutput, out);
			}
			text_putc(out, '\n');
		}
	}
	for (const struct clause *clause = program->clauses; clause;
	     clause = clause->next)
		print_clause(types, clause, out);
}
