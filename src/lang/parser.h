/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Parser: what parse.c, statement.c, expr.c, decl.c, tagged.c, declarator.c
 * and element.c share.
 *
 * Recursive descent with one token of lookahead that is fetched only when asked
 * for, because the token language changes at program scope.  A function that
 * ends a program element must have consumed its last token and must not have
 * peeked at another.  Functions return NULL or false after the error has been
 * reported.
 */

#include "lang/lexer.h"
#include "lang/scope.h"

enum {
	MAX_NESTING = 1000,	/* parentheses, statements, structs ... */
	MAX_STATEMENTS = 100000,	/* of a clause; more cannot be loaded */
	MAX_HEIGHT = 5000,	/* of a tree: chains like a + a + a ... */
};

struct parser {
	struct language *language;
	struct program *program;
	enum spec_kind kind;
	struct lexer lexer;
	struct token token;
	bool has_token;
	unsigned depth;
	uint32_t nelements;   /* program elements seen */
	uint32_t nstatements; /* of the clause */
	/* Parameters of the inline or translator being read: not types. */
	const char *const *params;
	uint32_t nparams;
	bool in_prototype;	/* parameters of a function */
	struct scope *scope;	/* local names: not types either */
	bool in_function;	/* its body: return is a statement */
	bool is_final;		/* nothing is waited for any more */
	struct clause *waiting; /* read, and not entered yet */
};

/* parse_function.c: text that is skipped */
bool is_word_byte(char c);
/* From a quote to after the one that closes it. */
void lexer_skip_quoted(struct lexer *lexer);

/* parse.c: tokens */
const struct token *token_peek(struct parser *parser);
bool token_is(struct parser *parser, enum token_kind kind);
void token_skip(struct parser *parser);
/* Consume the token if it is of that kind. */
bool token_accept(struct parser *parser, enum token_kind kind);
/* The same, but its absence is a syntax error. */
bool token_expect(struct parser *parser, enum token_kind kind);
bool token_refuse(struct parser *parser);
/* An identifier (soft keywords count), or NULL after a syntax error. */
const char *token_expect_name(struct parser *parser, struct place *place);
bool parse_error(struct parser *parser, const struct place *place, enum tag tag,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));
bool nesting_enter(struct parser *parser);
void nesting_leave(struct parser *parser);
const char *token_word(struct parser *parser, const struct token *token);

/* expr.c */
struct node *parse_expression(struct parser *parser); /* with commas */
struct node *parse_assignment(struct parser *parser); /* without */
/* An integral constant; false, without a report, if it is not one. */
bool parse_constant(struct parser *parser, int64_t *value, struct place *place);

/* At the = after the name of a declaration: name = expression. */
struct node *parse_initial_value(struct parser *parser, const char *name,
				 const struct place *place);

/* statement.c */
/* Statements up to the closing brace, which is consumed. */
bool parse_statements(struct parser *parser, struct node **list);
/* The same in a scope of their own. */
bool parse_block(struct parser *parser, struct node **list);

/* decl.c: specifiers */
enum storage {
	STORAGE_NONE, STORAGE_AUTO, STORAGE_REGISTER, STORAGE_STATIC,
	STORAGE_EXTERN, STORAGE_TYPEDEF, STORAGE_SELF, STORAGE_THIS,
};

struct specifiers {
	struct type *type;
	enum storage storage;
	bool is_user;	   /* userland: pointers made here are user's */
	bool declares_tag; /* struct x; may stand without a declarator */
	bool is_c_inline;  /* static inline: a C function */
	struct place place;
};

/* Would the current token begin a type name? */
bool type_starts(struct parser *parser);
bool parse_specifiers(struct parser *parser, struct specifiers *specifiers);

/* tagged.c: struct, union, enum, at that word */
struct type *parse_tagged(struct parser *parser, struct specifiers *specifiers);
bool parse_declaration(struct parser *parser);

/* declarator.c */
struct parameter_list {
	struct type **types;
	const char **names; /* NULL where anonymous */
	struct place *places;
	uint32_t count;
	bool is_variadic;
};

struct declarator {
	const char *name;  /* NULL: abstract */
	const char *scope; /* of a scoped name, which is an error */
	struct place place;
	struct type *type;
	struct parameter_list *keys; /* of an associative array */
	/* of a function that is named here, not behind a pointer */
	struct parameter_list *parameters;
	bool has_empty_dimension; /* int x[] */
};

enum declarator_form { DECLARATOR_NAMED, DECLARATOR_ABSTRACT, DECLARATOR_ANY };

bool parse_declarator(struct parser *parser,
		      const struct specifiers *specifiers,
		      enum declarator_form form, struct declarator *declarator);
/* (int, char *p): the opening token is consumed, `close` will be. */
bool parse_parameters(struct parser *parser, enum token_kind close,
		      struct parameter_list *list);
enum prototype_rules {
	PROTOTYPE_ANONYMOUS = 1 << 0,	/* parameters need no names */
	PROTOTYPE_VOID = 1 << 1,	/* (void) means none */
	PROTOTYPE_VARIADIC = 1 << 2,
};
/* Checks a list; `what` is "function", "array", "inline" ... */
bool parameters_check(struct parser *parser, struct parameter_list *list,
		      const char *what, unsigned rules,
		      const struct place *place);
/* Bytes of a variable, so that sizes and places fit 32 bits. */
enum { OBJECT_MOST = 1 << 30 };
/* decl.c: can there be a variable of this type? */
bool declarator_check_object(struct parser *parser,
			     const struct specifiers *specifiers,
			     const struct declarator *declarator);
/* sizeof (type), casts, xlate: a type name without an identifier. */
struct type *parse_type_name(struct parser *parser);

/* extension.c */
/*
 * Is this C?  What -C included may be D, too, but where D and C differ it is
 * taken for C; and so are the declarations of -h and -G.
 */
bool speaks_c(const struct parser *parser);
/* The body of a C function, or its ; */
bool extension_skip_body(struct parser *parser);
/* The initial value of a C variable, and its ; */
bool extension_skip_value(struct parser *parser);
/* [restrict n] after a parameter, which is a pointer anyway. */
bool extension_skip_subscript(struct parser *parser);
/* To the member that was added last. */
void extension_apply(struct types *types, const struct packing *packing,
		     struct type *sou);

/* parse_function.c: at the { after the declarator */
bool parse_function_definition(struct parser *parser,
			       const struct specifiers *specifiers,
			       const struct declarator *declarator);

/* parse.c */
/* Descriptions, and a predicate if there is one: up to the { of the clause. */
bool parse_clause_head(struct parser *parser, struct clause *clause);
bool parse_element(struct parser *parser);
/* Is the current program element not a clause? */
bool element_is_declaration(struct parser *parser);

/* element.c */
bool parse_inline(struct parser *parser);
bool parse_translator(struct parser *parser);
bool parse_provider(struct parser *parser);

/* synthetic.c: at the { after the prototype of a probe. */
bool parse_synthetic(struct parser *parser, struct provider_probe *probe);

/* spec.c */
/* Length of the description at the lexer's position; 0 = none. */
size_t spec_length(const struct lexer *lexer);
bool spec_parse(struct language *language, struct str text, enum spec_kind kind,
		const struct place *place, struct probe_desc *desc);
