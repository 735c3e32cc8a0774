/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types as C text.
 *
 * A C declaration is written around its name: what is nearest to the name is
 * the outermost type.  So the declarator is grown from the name outwards (stars
 * to the left, brackets to the right) while walking from the type towards its
 * base, whose words are then put in front.
 *
 * Parameters of functions are not printed: to D every function is "int ()".
 */
#include "btf/internal.h"

static const char *const tag_words[] = {
	[TAG_STRUCT] = "struct", [TAG_UNION] = "union", [TAG_ENUM] = "enum",
};

static const char *qualifier_word(enum type_kind kind)
{
	switch (kind) {
	case TYPE_CONST:
		return "const";
	case TYPE_VOLATILE:
		return "volatile";
	case TYPE_RESTRICT:
		return "restrict";
	default:
		return NULL;
	}
}

static void prepend(struct text *text, const char *words)
{
	struct text whole = { 0 };

	text_puts(&whole, words);
	text_add(&whole, text_str(text), text->n);
	text_free(text);
	*text = whole;
}

/* Left of a declarator: a word needs a blank before a name or a star. */
static void prepend_word(struct text *declarator, const char *word)
{
	if (declarator->n && declarator->p[0] != '[' && declarator->p[0] != ')')
		prepend(declarator, " ");
	prepend(declarator, word);
}

static void print_words(struct type *type, struct text *out)
{
	enum tag_kind tag = type_tag_kind(type);

	if (tag != TAG_NONE) {
		text_puts(out, tag_words[tag]);
		if (type->name)
			text_printf(out, " %s", type->name);
		return;
	}
	text_puts(out, type->name ? type->name : "void");
}

/* Does what `type` points to bind closer than the star? */
static bool needs_parentheses(struct type *target)
{
	while (qualifier_word(target->kind))
		target = target->target;
	return target->kind == TYPE_ARRAY || target->kind == TYPE_FUNCTION;
}

/* Qualifiers of a pointer are right of its star, others in front. */
static bool qualifies_pointer(struct type *type)
{
	while (qualifier_word(type->kind))
		type = type->target;
	return type->kind == TYPE_POINTER;
}

void type_print_declaration(struct types *types, struct type *type,
			    const char *name, struct text *out)
{
	struct text declarator = { 0 };
	struct text front = { 0 };

	(void)types;
	text_puts(&declarator, name);
	for (unsigned depth = 0; depth < DEEPEST; depth++) {
		const char *word = qualifier_word(type->kind);

		if (word && qualifies_pointer(type)) {
			prepend_word(&declarator, word);
		} else if (word) {
			text_printf(&front, "%s ", word);
		} else if (type->kind == TYPE_POINTER) {
			prepend(&declarator, "*");
			if (needs_parentheses(type->target)) {
				prepend(&declarator, "(");
				text_putc(&declarator, ')');
			}
		} else if (type->kind == TYPE_ARRAY && type->count) {
			text_printf(&declarator, "[%llu]",
				    (unsigned long long)type->count);
		} else if (type->kind == TYPE_ARRAY) {
			text_puts(&declarator, "[]");
		} else if (type->kind == TYPE_FUNCTION) {
			text_puts(&declarator, "()");
		} else {
			break;
		}
		type = type->target;
	}
	text_add(out, text_str(&front), front.n);
	print_words(type, out);
	if (declarator.n) {
		if (declarator.p[0] != ' ')
			text_putc(out, ' ');
		text_add(out, declarator.p, declarator.n);
	}
	text_free(&front);
	text_free(&declarator);
}

void type_print(struct types *types, struct type *type, struct text *out)
{
	type_print_declaration(types, type, "", out);
}

const char *type_name(struct types *types, struct type *type)
{
	struct text text = { 0 };

	type_print(types, type, &text);
	const char *name = arena_strndup(types->arena, text_str(&text), text.n);

	text_free(&text);
	return name;
}
