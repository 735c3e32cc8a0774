/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translators: how one struct is seen as another.
 *
 *	translator psinfo_t < struct task_struct *T > { pr_pid = T->tgid; };
 *
 * A translation is never carried out as a whole.  xlate<psinfo_t *>(t)->pr_pid
 * becomes the member's expression with T bound to t (NODE_LET), so that only
 * the members that are used cost anything.  The translation itself has the
 * dynamic type: it can be taken apart, and a translated struct can be copied
 * into a variable, but a translated pointer points nowhere and can be neither
 * stored nor traced.
 *
 * Members of a library's translators are checked at their first use.
 */
#include "lang/check.h"

/* -------------------------------------------------------------- look-up */

/*
 * What equal types have in common: the tag, or for a D type without a tag the
 * type itself.
 */
static struct str output_key(struct language *language, struct type *output)
{
	struct type *sou = type_skip(output);

	if (sou->name)
		return str_of(sou->name);
	if (sou->btf || sou->dwarf)
		return STR("");
	return (struct str){ arena_copy(language->arena, &sou, sizeof(sou)),
			     sizeof(sou) };
}

/* Translators to types that may be the same as this one, newest first. */
static struct translator *translators_to(struct language *language,
					 struct type *output)
{
	return table_get(&language->translators, output_key(language, output));
}

static struct translator *search(struct language *language, struct type *input,
				 struct type *output)
{
	struct types *types = language->types;
	struct translator *first = translators_to(language, output), *t;

	for (t = first; t; t = t->next)
		if (type_same(types, t->output, output) &&
		    type_same(types, t->input, input))
			return t;
	for (t = first; t; t = t->next)
		if (type_same(types, t->output, output) &&
		    type_is_pointer(types, t->input) &&
		    type_is_pointer(types, input) &&
		    type_pointers_compatible(types, t->input, input))
			return t;
	return NULL;
}

struct translator *translator_find(struct language *language,
				   struct type *input, struct type *output)
{
	struct types *types = language->types;
	struct type *stripped = type_strip(types, output);
	struct translator *found;

	if (stripped->kind == TYPE_POINTER)
		output = stripped->target;
	output = type_unqualified(output);
	found = search(language, input, output);
	if (!found && output->name && library_load_name(language, output->name))
		found = search(language, input, output);
	return found;
}

/* ----------------------------------------------------------- definition */

static bool check_value(struct language *language,
			struct translator *translator,
			struct translator_member *member)
{
	struct scope scope = { &translator->ident, 1, NULL };
	struct checker checker = { .language = language, .scope = &scope };
	struct types *types = language->types;
	struct node *value;
	bool fits;

	if (member->value->is_checked)
		return true;
	/* a copy: what was refused may be tried again, from the start */
	value = check_operand(&checker,
			      node_clone(language->arena, member->value));
	if (!value)
		return false;
	fits = node_is_translation(value)
		       ? type_same(types, translation_of(value)->cast.to,
				   member->member.type)
		       : check_assignable(&checker, member->member.type, value);
	if (!fits)
		return diag_error(
			&language->diag, &member->place, D_XLATE_INCOMPAT,
			"translator member %s definition uses incompatible types: \"%s\" = \"%s\"",
			member->name, type_name(types, member->member.type),
			node_type_name(&checker, value));
	if (!check_no_action(&checker))
		return false;
	member->value = node_converted(&checker, value, member->member.type);
	member->expansions = checker.expansions;
	return true;
}

static bool check_members(struct language *language,
			  struct translator *translator)
{
	struct types *types = language->types;
	struct type *sou = type_strip(types, translator->output);

	for (struct translator_member *m = translator->members; m;
	     m = m->next) {
		if (!type_member(types, sou, m->name, &m->member)) {
			diag_error(&language->diag, &m->place, D_XLATE_MEMB,
				   "translator member %s is not a member of %s",
				   m->name,
				   type_name(types, translator->output));
			hint_member(language, sou, m->name);
			return false;
		}
		if (!language->in_library &&
		    !check_value(language, translator, m))
			return false;
	}
	return true;
}

static bool is_redeclared(struct language *language,
			  const struct translator *translator)
{
	struct types *types = language->types;

	for (struct translator *t =
		     translators_to(language, translator->output);
	     t; t = t->next)
		if (type_same(types, t->output, translator->output) &&
		    type_same(types, t->input, translator->input))
			return true;
	return false;
}

bool enter_translator(struct language *language, struct translator *translator)
{
	struct types *types = language->types;
	struct diag *diag = &language->diag;
	struct type *sou = type_strip(types, translator->output);
	struct ident *ident = translator->ident;

	if (sou->kind == TYPE_FORWARD ||
	    (type_is_sou(types, sou) && !type_complete(types, sou)))
		return diag_error(diag, &translator->place, D_XLATE_SOU,
				  "incomplete struct/union/enum %s",
				  type_name(types, translator->output));
	if (!type_is_sou(types, sou))
		return diag_error(
			diag, &translator->place, D_XLATE_SOU,
			"translator output type must be a struct or union");
	if (is_redeclared(language, translator)) {
		if (language->in_library)
			return true;
		return diag_error(
			diag, &translator->place, D_XLATE_REDECL,
			"translator from %s to %s has already been declared",
			type_name(types, translator->input),
			type_name(types, translator->output));
	}
	if (!ident) {
		ident = arena_new_of(language->arena, struct ident);
		ident->name = translator->param;
		ident->kind = IDENT_PARAMETER;
		ident->attr = ATTR_MAX;
		ident->place = translator->place;
		translator->ident = ident;
	}
	ident->type = translator->input;
	if (!check_members(language, translator))
		return false;
	translator->next = translators_to(language, translator->output);
	table_put(&language->translators,
		  output_key(language, translator->output), translator);
	return true;
}

/* ------------------------------------------------------------------ use */

const struct node *translation_of(const struct node *node)
{
	while (node->kind == NODE_LET)
		node = node->let.body;
	return node;
}

struct node *translation_kept(struct checker *checker, struct node *node)
{
	const struct node *kept = node->kind == NODE_VARIABLE
					  ? node->variable.ident->translation
					  : NULL;
	struct node *xlate;

	if (!kept)
		return node;
	xlate = node_copy(checker_arena(checker), kept);
	xlate->cast.operand = node;
	return xlate;
}

bool node_is_translation(const struct node *node)
{
	return translation_of(node)->kind == NODE_XLATE;
}

struct node *check_xlate(struct checker *checker, struct node *node)
{
	struct types *types = checker_types(checker);
	struct node *operand = check_operand(checker, node->cast.operand);

	if (!operand || !check_not_dynamic(checker, "xlate", operand))
		return NULL;
	node->cast.operand = operand;
	node->cast.translator = translator_find(checker->language,
						operand->type, node->cast.to);
	if (checker->language->diag.failed)
		return NULL;
	if (!node->cast.translator)
		return check_error(checker, &node->place, D_XLATE_NONE,
				   "cannot translate from \"%s\" to \"%s\"",
				   type_name(types, operand->type),
				   type_name(types, node->cast.to));
	node->type = checker_base(checker, BASE_DYNAMIC);
	node->attr = operand->attr;
	return node;
}

static struct translator_member *find_member(struct checker *checker,
					     const struct translator *translator,
					     const struct node *member)
{
	struct types *types = checker_types(checker);
	struct type *sou = type_strip(types, translator->output);
	struct member unused;

	for (struct translator_member *m = translator->members; m; m = m->next)
		if (!strcmp(m->name, member->member.name))
			return m;
	if (type_member(types, sou, member->member.name, &unused)) {
		check_error(
			checker, &member->place, D_XLATE_NOCONV,
			"translator does not define conversion for member: %s",
			member->member.name);
		return NULL;
	}
	check_error(checker, &member->place, D_TYPE_MEMBER,
		    "%s is not a member of %s", member->member.name,
		    type_name(types, translator->output));
	hint_member(checker->language, sou, member->member.name);
	return NULL;
}

static struct node *bind(struct checker *checker, const struct node *place,
			 struct ident *ident, struct node *value,
			 struct node *body)
{
	struct node *let = node_make(checker_arena(checker), NODE_LET,
				     &place->place);

	if (body->kind == NODE_INTEGER)
		return node_copy(checker_arena(checker), body);
	let->let.ident = ident;
	let->let.value = value;
	let->let.body = body;
	let->type = body->type;
	let->attr = attr_min(value->attr, body->attr);
	let->is_user = body->is_user;
	let->is_checked = true;
	return let;
}

static bool check_operator(struct checker *checker, const struct node *xlate,
			   const struct node *member)
{
	struct types *types = checker_types(checker);
	bool is_pointer = type_is_pointer(types, xlate->cast.to);

	if (member->op == OP_ARROW && !is_pointer) {
		check_error(checker, &member->place, D_OP_PTR,
			    "operator -> must be applied to a pointer");
		return false;
	}
	if (member->op == OP_DOT && is_pointer) {
		check_error(
			checker, &member->place, D_OP_SOU,
			"operator . cannot be applied to type \"%s\"; must be applied to a struct or union",
			type_name(types, xlate->cast.to));
		return false;
	}
	return true;
}

struct node *translation_member(struct checker *checker, struct node *object,
				const struct node *member)
{
	struct language *language = checker->language;

	if (object->kind == NODE_LET) {
		struct node *body =
			translation_member(checker, object->let.body, member);

		return body ? bind(checker, member, object->let.ident,
				   object->let.value, body)
			    : NULL;
	}
	if (!check_operator(checker, object, member))
		return NULL;

	struct translator *translator = object->cast.translator;
	struct translator_member *found = find_member(checker, translator,
						      member);
	bool was_in_library = language->in_library;

	if (!found)
		return NULL;
	language->in_library = true; /* its names are not the user's */
	bool ok = check_value(language, translator, found);
	language->in_library = was_in_library;
	if (!ok || !check_expansion(checker, &member->place, found->expansions))
		return NULL;
	return bind(checker, member, translator->ident, object->cast.operand,
		    found->value);
}
