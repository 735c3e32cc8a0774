/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The tree: a D program as parsed, and after checking as typed.
 *
 * The parser (parse.c, decl.c) makes nodes; the checker (check*.c) gives
 * every expression its type and replaces nodes where the language says so
 * (identifiers become variables, inlines become their bodies, constant
 * expressions become integers, args[n] becomes a translation).  Lowering
 * (ir/lower*.c) reads the checked tree and changes nothing.
 *
 * Lists (statements, arguments, keys, members) are chained through `next`.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/type.h"
#include "lang/attr.h"
#include "lang/diag.h"

struct ident;
struct function;
struct defined_function;

enum node_kind {
	NODE_INTEGER,	/* integer constant, enumerator, folded expression    */
	NODE_STRING,	/* string literal                                     */
	NODE_NAME,	/* identifier not yet resolved (parser only)          */
	NODE_VARIABLE,	/* resolved variable, with keys when it is an array   */
	NODE_SYMBOL,	/* kernel symbol: mod`name                            */
	NODE_AGGREGATION, /* @name[keys], with its function once assigned     */
	NODE_CALL,	/* subroutine, action or aggregating function         */
	NODE_UNARY,
	NODE_BINARY,	/* arithmetic, comparison, assignment, comma, index   */
	NODE_TERNARY,
	NODE_MEMBER,	/* a.b, a->b                                          */
	NODE_CAST,	/* (type)e                                            */
	NODE_SIZEOF,	/* sizeof e, sizeof (type): folded by the checker     */
	NODE_OFFSETOF,	/* folded by the checker                              */
	NODE_STRINGOF,
	NODE_XLATE,	/* xlate <type>(e)                                    */
	NODE_TYPE,	/* a type name where an operand is allowed */
	NODE_IF,	/* if (cond) then else otherwise                      */
	NODE_LOOP,	/* for, while, do ... while                           */
	NODE_BREAK,
	NODE_CONTINUE,
	NODE_RETURN,	/* from a D function                                  */
	NODE_BLOCK,	/* { statements }                                     */
	NODE_DECLARE,	/* a local name: int i = 0;                           */
	NODE_LET,	/* after checking: bind translator input, see xlate   */
};

enum op {
	OP_NONE,
	/* unary */
	OP_PLUS, OP_NEGATE, OP_NOT /* ! */, OP_COMPLEMENT /* ~ */,
	OP_DEREFERENCE, OP_ADDRESS,
	OP_PRE_INCREMENT, OP_PRE_DECREMENT,
	OP_POST_INCREMENT, OP_POST_DECREMENT,
	/* binary */
	OP_MULTIPLY, OP_DIVIDE, OP_MODULO, OP_ADD, OP_SUBTRACT,
	OP_SHIFT_LEFT, OP_SHIFT_RIGHT,
	OP_LESS, OP_LESS_EQUAL, OP_GREATER, OP_GREATER_EQUAL,
	OP_EQUAL, OP_NOT_EQUAL,
	OP_AND /* & */, OP_XOR, OP_OR,
	OP_LOGICAL_AND, OP_LOGICAL_XOR, OP_LOGICAL_OR,
	OP_ASSIGN, OP_ADD_ASSIGN, OP_SUBTRACT_ASSIGN, OP_MULTIPLY_ASSIGN,
	OP_DIVIDE_ASSIGN, OP_MODULO_ASSIGN, OP_AND_ASSIGN, OP_XOR_ASSIGN,
	OP_OR_ASSIGN, OP_SHIFT_LEFT_ASSIGN, OP_SHIFT_RIGHT_ASSIGN,
	OP_COMMA, OP_INDEX /* a[i] on pointers, arrays, strings */,
	/* member access */
	OP_DOT, OP_ARROW,
	OP_COUNT
};

/* "+", "->", "sizeof" as messages name it. */
const char *op_name(enum op op);
/* OP_ADD for OP_ADD_ASSIGN, ...; OP_NONE for others (OP_ASSIGN too). */
enum op op_of_assignment(enum op op);

struct node {
	enum node_kind kind;
	enum op op;
	struct place place;
	struct node *next;
	uint32_t height; /* of the tree below, bounded by the parser */

	/* set by the checker */
	struct type *type;
	struct attr attr;
	bool is_checked;
	bool is_lvalue;	  /* may be on the left of = */
	bool is_writable; /* D's own storage or scratch memory */
	bool is_bitfield;
	bool is_user;	/* value is an address in user memory */
	bool is_action; /* a call that is legal as a statement only */
	bool is_parenthesised;
	bool keeps_copy; /* assignment: of what the value points to */
	bool is_scratch; /* pointer known to come from alloca/copyin */

	union {
		struct { /* NODE_INTEGER */
			uint64_t value;
			/* enumerator or macro it came from; or NULL */
			const char *spelling;
		} integer;
		struct { /* NODE_STRING */
			const char *bytes;
			size_t length;
		} string;
		/* NODE_NAME; NODE_AGGREGATION as parsed, before checking */
		struct {
			const char *name;  /* "self->x" is scope + name */
			int scope;	   /* enum ident_scope */
			struct node *keys; /* name[k1, k2] */
			bool has_keys;
		} name;
		struct { /* NODE_VARIABLE, NODE_AGGREGATION */
			struct ident *ident;
			struct node *keys;
			struct node *call; /* @a = call; aggregation only */
		} variable;
		struct {		    /* NODE_SYMBOL */
			const char *module; /* "" = the kernel itself */
			const char *name;
			bool is_user; /* ``name or pid`lib`name */
		} symbol;
		struct { /* NODE_CALL */
			const char *name;
			struct node *args;
			const struct function *function;
			void *data; /* what function->check left for lowering */
			/* a function that is written in D, or NULL */
			struct defined_function *defined;
		} call;
		struct { /* NODE_UNARY, NODE_STRINGOF, NODE_SIZEOF */
			struct node *operand;
		} unary;
		struct { /* NODE_BINARY */
			struct node *left, *right;
		} binary;
		struct { /* NODE_TERNARY, NODE_IF (lists) */
			struct node *condition, *then, *otherwise;
		} ternary;
		struct { /* NODE_LOOP: lists, or NULL */
			struct node *init, *step, *body;
			struct node *condition; /* NULL: forever */
			bool tests_last;	/* do ... while */
		} loop;
		struct { /* NODE_BLOCK */
			struct node *statements;
		} block;
		struct { /* NODE_DECLARE: ident is 0, then */
			struct ident *ident;
			struct node *assignment; /* ident = value; or NULL */
		} declare;
		struct {		    /* NODE_RETURN */
			struct node *value; /* NULL: void */
		} leave;
		struct {		     /* NODE_MEMBER, NODE_OFFSETOF */
			struct node *object; /* NULL for offsetof */
			const char *name;
			struct type *of;      /* offsetof's type */
			struct member member; /* resolved */
		} member;
		struct { /* NODE_CAST, NODE_XLATE, NODE_TYPE */
			struct type *to;
			struct node *operand;	       /* NULL: sizeof (type) */
			struct translator *translator; /* xlate: resolved */
		} cast;
		struct { /* NODE_LET: body with ident bound */
			struct ident *ident;
			struct node *value, *body;
		} let;
	};
};

/* ------------------------------------------------------- probe clauses */

/* provider:module:function:name as written, globs and all; "" = any. */
struct probe_desc {
	uint32_t id; /* non-zero: probe by number */
	const char *provider, *module, *function, *name;
	struct place place;
	struct probe_desc *next;
};

struct clause {
	struct probe_desc *descs;
	struct node *predicate;	   /* or NULL */
	struct str predicate_text; /* between its slashes */
	struct node *statements;
	struct place place;
	struct clause *next;

	uint32_t id; /* counts all clauses of a session from 0 */

	/* by the checker */
	struct attr probe_attr, statement_attr;
	bool records; /* prints a line when it fires */
	bool is_destructive;
	struct unchecked_clause *unchecked; /* clause.c: to check it again */

	/* a piece of a long clause: ir/lower_pieces.c */
	const struct clause *whole; /* NULL: this is one */
	uint32_t skipped;	    /* its statements before these */
	bool is_cut;		    /* and there are more after them */
};

/* ----------------------------------------------- other program elements */

struct translator_member {
	const char *name;
	struct node *value;
	struct member member;
	uint32_t expansions; /* checker's: inlines in the value */
	struct place place;
	struct translator_member *next;
};

struct translator {
	struct type *output, *input;
	const char *param;   /* name of the input inside */
	struct ident *ident; /* that name, as an identifier */
	struct translator_member *members;
	struct place place;
	struct translator *next; /* to such a type */
};

/*
 * What a synthetic probe is made of: a clause at functions of an object.  Its
 * expressions are kept as text; they are compiled where a function fires, with
 * the arguments of that.
 */
struct provider_clause {
	struct probe_desc *descs; /* module:function:name */
	/* D: a condition with the clause's statements; NULL: always */
	const char *when;
	bool fires;	   /* it has fire(); otherwise it only remembers */
	const char **args; /* of fire(): one for each parameter */
	struct place place;
	struct provider_clause *next;
};

struct provider_probe {
	const char *name;     /* with "__" already made "-" */
	struct type **native; /* argument list */
	const char **native_names;
	uint32_t nnative;
	struct type **output; /* translated list; == native if none */
	uint32_t *mapping;    /* output[i] comes from native[mapping[i]] */
	uint32_t noutput;
	struct provider_clause *clauses; /* NULL: it is not synthetic */
	struct place place;
	struct provider_probe *next;
};

struct provider_decl {
	const char *name;
	struct provider_probe *probes;
	struct attr attrs[5]; /* provider, module, function, name, args */
	struct place place;
	struct provider_decl *next;
};

/* What one -n, -s ... argument compiles to. */
struct program {
	const struct source *source;
	struct clause *clauses, *last_clause;
	uint32_t nclauses;
	struct provider_decl *providers;
	struct attr probe_attr, statement_attr;
	struct compilation *rest; /* language.c; NULL: it is complete */
	struct program *next;
};

/* -S and tests: the tree as an indented listing with types. */
void tree_print_program(struct types *types, const struct program *program,
			struct text *out);
void tree_print_node(struct types *types, const struct node *node, int depth,
		     struct text *out);
