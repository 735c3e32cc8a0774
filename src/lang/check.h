/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside the checker: what check*.c, clause.c, inline.c, xlate.c and
 * library.c share.  Outside services are in internal.h.
 *
 * A check function takes an unchecked node, gives it a type, and returns it or
 * the node that replaces it; NULL after a report.  A checked node may be shared
 * between uses (inline bodies, translator members), so never write to a checked
 * node and never put a shared one into a list: take a copy.
 */

#include "lang/defined_function.h"
#include "lang/internal.h"
#include "lang/scope.h"

/* What is done to a name decides whether it may be new. */
enum name_use {
	USE_READ,	/* must have been declared or assigned */
	USE_ASSIGN,	/* takes the type of what is assigned */
	USE_MODIFY,	/* ++ and op=: a new one is int64_t */
};

static inline struct types *checker_types(const struct checker *checker)
{
	return checker->language->types;
}

static inline struct arena *checker_arena(const struct checker *checker)
{
	return checker->language->arena;
}

static inline struct type *checker_base(const struct checker *checker,
					enum base_type which)
{
	return types_base(checker->language->types, which);
}

/* Report and return NULL. */
struct node *check_error(struct checker *checker, const struct place *place,
			 enum tag tag, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* clone.c */
struct node *node_make(struct arena *arena, enum node_kind kind,
		       const struct place *place);
struct node *node_make_integer(struct arena *arena, uint64_t value,
			       struct type *type, const struct place *place);
/* Shallow copy without `next`. */
struct node *node_copy(struct arena *arena, const struct node *node);
/* Deep copy of an unchecked tree, or of a list of them. */
struct node *node_clone(struct arena *arena, const struct node *node);
struct node *node_clone_list(struct arena *arena, const struct node *list);

/* version.c: did -x version ask for a D that had no such name? */
bool version_hides(const struct language *language, const struct ident *ident);

/* hint.c: why the operands of a binary operator may not fit. */
void hint_operands(struct checker *checker, const struct node *node);

/* ident.c */
struct ident_mark {
	uint32_t globals, selfs, thiss, aggregations, functions;
};
struct ident_mark ident_mark(const struct language *language);
/* Forgets the variables that appeared after the mark. */
void ident_rollback(struct language *language, struct ident_mark mark);
/* Constants of D libraries give way to the program's own names. */
bool ident_gives_way(const struct ident *ident);
/* Without asking D libraries. */
struct ident *ident_known(struct language *language, enum ident_scope scope,
			  const char *name);
struct ident *ident_new(struct language *language, enum ident_kind kind,
			enum ident_scope scope, const char *name,
			const struct place *place);
/* Gives a local name, which is in no table, its number. */
bool ident_add_local(struct language *language, struct ident *ident);
/* Adds functions, built-in variables and NULL. */
void ident_register(struct language *language);
/* Attach "did you mean" to the report just made. */
void hint_ident(struct language *language, enum ident_scope scope,
		const char *name);
void hint_function(struct language *language, const char *name);
void hint_member(struct language *language, struct type *sou, const char *name);

/* infer.c */
/* A variable has taken the type of its first value. */
void infer_first(struct checker *checker, struct ident *ident,
		 const struct node *value);
/* Another value is assigned: the variable's type may become wider. */
void infer_more(struct checker *checker, struct ident *ident,
		const struct node *value);
/* Checks the program once more if a variable in it has become wider. */
bool infer_again(struct language *language, struct program *program,
		 struct ident_mark before);

/* check_statement.c */
bool check_condition(struct checker *checker, struct node **condition);
bool check_statements(struct checker *checker, struct node **list);
/* The same in a scope of their own. */
bool check_block(struct checker *checker, struct node **list);
/* A declaration of a local name. */
bool check_local(struct checker *checker, struct node *node);

/* clause.c */
bool check_clause_again(struct language *language, struct clause *clause);
/* Statements that make sense alone leave the types of their variables. */
void check_collect_types(struct checker *checker, const struct node *list);
/* Was a name unknown that the statements may define? */
bool check_is_worth_retrying(const struct diag *diag);

/* check.c */
/*
 * Checks an operand.  It may be an action, which has no value: the caller first
 * reports what is wrong with its type (void), then check_no_action() the rest;
 * check_node() calls that after every operator.
 */
struct node *check_operand(struct checker *checker, struct node *node);
void check_note_action(struct checker *checker, const struct node *call);
bool check_no_action(struct checker *checker);
bool check_list(struct checker *checker, struct node **list);
struct node *check_symbol(struct checker *checker, struct node *node,
			  bool address_only);
/* The library's value of an indexed symbol, or NULL: index the symbol. */
struct node *check_symbol_index(struct checker *checker, struct node *node);
/* Note the stability of a name that is used; false with D_ATTR_MIN. */
bool check_attr(struct checker *checker, const struct place *place,
		struct attr attr, const char *kind, const char *name);

/* check_name.c */
struct node *check_name(struct checker *checker, struct node *node,
			enum name_use use);
/* `name` as an enumerator of `type`: NODE_INTEGER, or the node unchanged. */
struct node *check_enumerator(struct checker *checker, struct node *node,
			      struct type *type, enum op op);

/* check_op.c */
struct node *check_unary(struct checker *checker, struct node *node);
struct node *check_binary(struct checker *checker, struct node *node);
struct node *check_ternary(struct checker *checker, struct node *node);
struct node *check_cast(struct checker *checker, struct node *node);
bool check_not_dynamic(struct checker *checker, const char *op,
		       const struct node *node);
/* Reports a whole associative array, which has no value. */
bool check_not_array(struct checker *checker, const struct node *node);
/* The type of an integer operation: higher rank wins, no promotion. */
struct type *check_promote(struct checker *checker, struct type *a,
			   struct type *b);
/* The type a value has as an operand: arrays decay, qualifiers are dropped. */
/*
 * Does an element, or a member of a variable, have an address?  Notes that it
 * is taken.  The same for an array that stands for its first element.
 */
bool check_array_address(const struct node *node);
bool check_array_decay(struct checker *checker, const struct node *node);
struct type *check_decay(struct checker *checker, struct type *type);
struct type *type_unqualified(struct type *type);
bool check_is_string_operand(struct checker *checker, const struct node *node);
/* Is every path to the bytes of this lvalue inside D's own variables? */
const struct node *node_root(const struct node *node);

/* check_assign.c */
struct node *check_assignment(struct checker *checker, struct node *node);
bool check_lvalue(struct checker *checker, enum op op, const struct node *node);

/* check_member.c */
struct node *check_member(struct checker *checker, struct node *node);
struct node *check_sizeof(struct checker *checker, struct node *node);
struct node *check_offsetof(struct checker *checker, struct node *node);
struct node *check_stringof(struct checker *checker, struct node *node);

/* fold.c */
uint64_t fold_truncate(struct types *types, struct type *type, uint64_t value);
/* The folded node, or the node itself; NULL: division by zero. */
struct node *fold_unary(struct checker *checker, struct node *node);
struct node *fold_binary(struct checker *checker, struct node *node);
struct node *fold_cast(struct checker *checker, struct node *node);

/* check_call.c */
struct node *check_call(struct checker *checker, struct node *node);
/* D_PROTO_LEN, D_PROTO_ARG (argument n from 0); the latter always false. */
bool check_argument_count(struct checker *checker, const struct node *call,
			  uint32_t least, uint32_t most);
bool check_argument_error(struct checker *checker, const struct node *call,
			  uint32_t n, const char *expected,
			  const struct node *arg);
bool check_keys_prototype(struct checker *checker, const char *name,
			  const struct signature *signature, struct node *keys,
			  const struct place *place);

/* defined_function.c */
/* A function written in D that was defined already, or NULL. */
struct function_definition *function_known(struct language *language,
					   const char *name);
bool function_has_prototype(struct language *language, const char *name);

/* check_function.c: a call of such a function, its arguments checked */
struct node *check_defined_call(struct checker *checker, struct node *call,
				struct function_definition *definition);
bool check_return(struct checker *checker, struct node *node);
/* Checks functions of the program that nobody has called. */
bool functions_check_rest(struct language *language);
/* Forgets all instances but the first `count`. */
void functions_forget(struct language *language, uint32_t count);

/* check_array.c */
struct node *check_index(struct checker *checker, struct node *node);
/* keys of an associative array or aggregation; fixes a new signature */
bool check_keys(struct checker *checker, struct ident *ident,
		struct node **keys, const struct place *place);
struct node *check_builtin_array(struct checker *checker, struct node *node);
uint32_t list_count(const struct node *list);

/* check_agg.c */
struct node *check_aggregation(struct checker *checker, struct node *node);
struct node *check_aggregation_assign(struct checker *checker,
				      struct node *node);

/* inline.c */
struct node *inline_expand(struct checker *checker, struct ident *ident,
			   struct node *name);
/* As an inline or a parameter: it has its type's sign and all its bits. */
struct node *node_as(struct checker *checker, struct node *node,
		     struct type *type);
/* The value as `type`: cast or stringof wrapped around it where needed. */
struct node *node_converted(struct checker *checker, struct node *node,
			    struct type *type);

/*
 * Counts what one use puts into the program.  Bodies are shared in the tree,
 * but lowering meets them at every use, and a chain of inlines that each name
 * another twice doubles at every step: false when it is too much.
 */
bool check_expansion(struct checker *checker, const struct place *place,
		     uint32_t expansions);

/* xlate.c */
struct node *check_xlate(struct checker *checker, struct node *node);
struct translator *translator_find(struct language *language,
				   struct type *input, struct type *output);
/* Is this (an inline of) a translation, so that .m and -> translate? */
/* A variable that keeps a translated value becomes the translation. */
struct node *translation_kept(struct checker *checker, struct node *node);
bool node_is_translation(const struct node *node);
struct node *translation_member(struct checker *checker, struct node *object,
				const struct node *member);
/* The translation itself, below any bindings. */
const struct node *translation_of(const struct node *node);

/* provider_decl.c */
/* The declaration of a probe's arguments in D, or NULL. */
const struct provider_probe *provider_find_probe(struct language *language,
						 const char *provider,
						 const char *probe);

/* library.c */
/* -L and syslibdir, once, before the first program. */
bool library_load_directories(struct language *language);
void library_init(struct language *language);
void library_free(struct language *language);
