/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside lang/: what parser and checker share.  Nothing else includes this,
 * except builtin/ and agg/ for `struct checker` and the check_* services.
 *
 * Program elements are handled in the order of the text: a declaration, an
 * inline, a translator, a provider or a clause is parsed and then at once
 * checked and entered, because what follows may depend on it (typedef names
 * for the parser, inferred types for the checker).  The parser calls the
 * enter_* functions below; they belong to the checker.
 */

#include "lang/lang.h"
#include "lang/script_parameter.h"

struct language {
	struct language_config config;
	struct arena *arena;
	struct types *types;
	struct diag diag;

	struct table globals, selfs, thiss, aggregations; /* struct ident */
	struct vec_idents {
		struct ident **items;
		uint32_t count, capacity;
	} global_list, self_list, this_list, aggregation_list;
	bool has_widened; /* a variable has: infer.c */

	struct table translators; /* xlate.c: by output */
	/* defined_function.c: newest first; instances in order of making */
	struct function_definition *functions;
	struct defined_function *last_instance;
	uint32_t ninstances;
	struct table prototypes; /* by name */
	struct parser *parser;	 /* of the text that is being read */
	struct provider_decl *providers;
	uint32_t nclauses;	     /* session-wide clause counter */
	struct compilation *waiting; /* language.c: in their order */

	struct inspection *inspection; /* inspect.h; NULL: none */
	bool is_deaf;		       /* nobody reads its complaints */
	bool is_building;	       /* language_set_building() */
	bool in_library;	       /* compiling a D library */
	bool in_directory;	       /* ... one that -L names */
	const char *library_name;
	bool *arg_used; /* per operand: was $n referenced */
	int64_t target;

	struct library_index *libraries;     /* library.c: lazy D libraries */
	struct pragma_state *pragmas;	     /* pragma.c: attributes, binding */
	struct script_parameters parameters; /* script_parameter.c */
};

/* ------------------------------------------------------- parser's side */

/*
 * What the parser leaves, before checking:
 *
 *   x, self->x, this->x   NODE_NAME, `name`; x[k1, k2] has keys, has_keys
 *			   (associative array, C array or pointer: the checker
 *			   finds out).  A second [..] is OP_INDEX.
 *   e[i]		   NODE_BINARY OP_INDEX; right is a list through next,
 *			   of one item unless the user wrote a tuple
 *   @a, @a[k1, k2]	   NODE_AGGREGATION, but in the member `name` (name,
 *			   keys, has_keys); "_" for the unnamed one.  The
 *			   checker finds the ident and fills `variable`.
 *   @a[k] = f(x)	   NODE_BINARY OP_ASSIGN of NODE_AGGREGATION, NODE_CALL
 *   f(a, b)		   NODE_CALL: name, args, function NULL
 *   mod`x, `x, ``x	   NODE_SYMBOL: module "mod", "", "" with is_user
 *   12, 'c', "s"	   NODE_INTEGER, NODE_STRING with `type` set
 *   sizeof (type)	   NODE_SIZEOF of NODE_TYPE
 *   if			   NODE_IF; then and otherwise are lists
 *   for, while, do	   NODE_LOOP; what for declares is in init
 *   int i = 0, j;	   NODE_DECLARE for each name; the assignment i = 0 is
 *			   an expression.  The ident is in no table.
 *
 * `height` is the depth of the tree below a node; the parser refuses trees so
 * deep that recursion over them could exhaust the stack.
 */

/* parse.c: runs over the text, entering what it finds into `program`. */
bool parse_program(struct language *language, const struct source *source,
		   enum spec_kind kind, struct program *program);
/*
 * The same in steps: parser_run() stops, with parser_waits(), behind a clause
 * that cannot be checked yet, and goes on there the next time, then or at once
 * (`is_final`) to the end.
 */
struct parser;
struct parser *parser_new(struct language *language,
			  const struct source *source, enum spec_kind kind,
			  struct program *program);
bool parser_run(struct parser *parser, bool is_final);
bool parser_waits(const struct parser *parser);
/* parse_function.c: reads a definition that is further down; false: none. */
bool parser_find_function(struct parser *parser, const char *name);
/* clause.c: may its probes be told later only? */
bool clause_waits(const struct language *language, const struct clause *clause);

/* preprocess.c: the text of `source` after cpp, or NULL (diag is set). */
const struct source *preprocess(struct language *language,
				const struct source *source);

/* pragma.c: after a program: #pragma attributes that hit nothing. */
bool pragma_check_unused(struct language *language);
/* The n-th word that can follow #pragma D, or NULL. */
const char *pragma_name(size_t n);
/* The attributes a pragma gave to an identifier or provider part. */
bool pragma_attributes(struct language *language, const char *provider,
		       const char *part_or_ident, struct attr *attr);

/* macro.c: the text of $name or $n; NULL with diag set when undefined. */
enum macro_form { MACRO_INTEGER, MACRO_IDENTIFIER, MACRO_STRING };
const char *macro_value(struct language *language, const char *name,
			bool as_string, const struct place *place,
			enum macro_form *form);
bool macro_is_defined(struct language *language, const char *name);
/* Is it one of $pid, $target ...? */
bool macro_is_variable(const char *name);
/* The n-th of those, or NULL. */
const char *macro_variable_name(size_t n);
/* The text of $name or $n where it becomes part of a word. */
const char *macro_word(struct language *language, const char *name,
		       const struct place *place);

/* script_parameter.c: #pragma D parameter, operand and usage, after that word. */
bool script_parameter_declare(struct language *language, struct str text,
			      const struct place *place, bool is_operand);
bool script_usage_declare(struct language *language, struct str text,
			  const struct place *place);
struct script_parameter *script_parameter_find(const struct language *language,
					       struct str name);
/* False: the text is not a value of its type. */
bool script_parameter_set(struct language *language,
			  struct script_parameter *parameter, const char *text);
/* Reports the first parameter without a value. */
bool script_parameters_check(struct language *language);

/* ------------------------------------------------------ checker's side */

/* One declared name: `int x`, `self string s[int]`, `extern ...`. */
struct declaration {
	const char *name;
	struct type *type;
	enum ident_scope scope;
	bool is_extern;
	struct signature *signature; /* associative array's keys, or NULL */
	struct place place;
};
bool enter_variable(struct language *language,
		    const struct declaration *declaration);
/* inline type name[params] = body; */
struct inline_definition {
	const char *name;
	struct type *type;
	struct signature *signature; /* or NULL */
	const char **param_names;
	struct node *body;
	struct place place;
};
bool enter_inline(struct language *language,
		  const struct inline_definition *definition);
bool enter_function(struct language *language,
		    struct function_definition *definition);
bool enter_prototype(struct language *language, const char *name,
		     struct type *type, const struct place *place);
bool enter_enumerator(struct language *language, const char *name,
		      int64_t value, struct type *type,
		      const struct place *place);
bool enter_translator(struct language *language, struct translator *translator);
bool enter_provider(struct language *language, struct program *program,
		    struct provider_decl *provider);
/* Checks the clause and appends it to the program. */
bool enter_clause(struct language *language, struct program *program,
		  struct clause *clause);

/* An integral constant expression (array size, bit-field, enumerator). */
bool check_constant(struct language *language, struct node *node,
		    int64_t *value);
/* sizeof/typeof operand outside clauses, if the parser needs one. */
struct node *check_expression(struct language *language, struct node *node);

/* Is this name a type at this point (typedef, base type, D or kernel)? */
bool is_type_name(struct language *language, const char *scope,
		  struct str name);

/*
 * Compiles the embedded D library that defines `name` (a type, tag, constant
 * or translator's output), if there is one that was not read yet; true: look
 * again.  May report.
 */
bool library_load_name(struct language *language, const char *name);
/* Those that declare a wanted provider, and all of directories. */
void library_load_providers(struct language *language,
			    bool (*wants)(void *data, const char *provider),
			    void *data);
/* Why a library of -L that mentions `name` was not loaded; or NULL. */
const char *library_failure(const struct language *language, const char *name);
/* Every name that an embedded library defines. */
void library_names(struct language *language,
		   void (*visit)(void *data, const char *name), void *data);

/* unknown_type.c: the hint that a word that looks like a type is not one. */
bool hint_unknown_type(struct language *language, struct str name);
/* The same for those whose counterpart is known. */
bool hint_counterpart(struct language *language, struct str name);

/* ------------------------------------------- services for check functions */

struct checker {
	struct language *language;
	struct clause *clause;		   /* NULL outside clauses */
	struct defined_function *function; /* whose body this is, or NULL */
	bool in_predicate;
	bool in_aggregation_key;
	bool makes_operands;	 /* -self->x makes an int64_t of a new name */
	unsigned seen;		 /* actions so far: check_statement.c */
	struct loop_check *loop; /* the innermost one, or NULL */
	/* the probes that this clause matches, first one for args[] */
	struct probe_info first_probe;
	uint32_t nprobes;
	const char *desc_text; /* "p:m:f:n" for messages */
	/*
	 * The aggregation whose function is being checked (@a = f(...)): its
	 * agg_params are compared with the earlier use's; NULL elsewhere.
	 */
	struct ident *aggregation;
	/* the statement or aggregating call: the place where actions belong */
	const struct node *statement;
	/* an action among the operands of what is being checked, or NULL */
	const struct node *action;
	struct scope *scope; /* of local names and parameters */
	/* inlines and members expanded so far: check_expansion */
	uint32_t expansions;
};

/* Replaces and types one expression; NULL after an error. */
struct node *check_node(struct checker *checker, struct node *node);
/* Argument n (0-based) of a call, or NULL; and how many there are. */
struct node *call_argument(const struct node *call, uint32_t n);
/* check_args.c: args[n], whose types are the probe's. */
struct node *check_args(struct checker *checker, struct node *node);
uint32_t call_count(const struct node *call);

/* The standard prototype test: D_PROTO_LEN, D_PROTO_ARG. */
bool check_prototype(struct checker *checker, struct node *call,
		     const char *prototype);
/* Can `node` be passed or assigned where `type` is expected? */
bool check_assignable(struct checker *checker, struct type *type,
		      struct node *node);
bool node_is_integer_constant(const struct node *node);
bool node_is_null_constant(const struct node *node);
bool node_is_scalar(struct checker *checker, const struct node *node);
/* The type of a node for a message ("@x": aggregation, "dynamic variable"). */
const char *node_type_name(struct checker *checker, const struct node *node);

struct ident *language_find(struct language *language, enum ident_scope scope,
			    const char *name);
struct ident *language_find_aggregation(struct language *language,
					const char *name);
/* Finds or creates; creation reports D_ID_OFLOW at the limit. */
struct ident *language_make_ident(struct language *language,
				  enum ident_kind kind, enum ident_scope scope,
				  const char *name, const struct place *place);
