/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The compiler front end: D text in, checked programs out.
 *
 * A `struct language` is one command line's worth of D: its programs share
 * variables, types, translators and options.  It knows no kernel and no
 * probes; what it must ask about probes it asks through `struct
 * probe_oracle`, given by whoever made it.
 */

#include "base/option.h"
#include "base/table.h"
#include "lang/diag.h"
#include "lang/function.h"
#include "lang/ident.h"
#include "lang/tree.h"

struct language;

/* One probe, as the compiler needs it. */
struct probe_info {
	uint32_t id;
	const char *provider, *module, *function, *name;
	struct attr attr;	/* of the description's parts */
	struct attr arg_attr;
	void *opaque;		/* the oracle's own */
};

struct probe_oracle {
	void *context;
	/*
	 * Call visit for each probe that the description matches (globs,
	 * on-demand creation included); visit returning false ends the walk.
	 * Returns the number visited, or a negative errno when the description
	 * is malformed for its provider (`*error` then says why).
	 */
	int (*match)(void *context, const struct probe_desc *desc,
		     bool (*visit)(void *data, const struct probe_info *probe),
		     void *data, const char **error);
	/*
	 * Types of args[n].  native and translated are D type texts or types;
	 * returns 1, or 0 when the probe has no such argument, or -1 when the
	 * probe has no type information at all.
	 */
	int (*argument)(void *context, const struct probe_info *probe,
			uint32_t n, struct type **native,
			struct type **translated, uint32_t *mapping);
	/* Why args[n] cannot be had (-1), in words that go on, or NULL. */
	const char *(*argument_problem)(void *context,
					const struct probe_info *probe,
					uint32_t n);
	/* Is there a provider / kernel module of that name? (depends_on) */
	bool (*has_provider)(void *context, const char *name);
	bool (*has_module)(void *context, const char *name);
	/* Kernel symbol: 1 found (size may be 0), 0 none. */
	int (*symbol)(void *context, const char *module, const char *name,
		      uint64_t *address, uint64_t *size);
	/* Words for who asked for probes that are not there, or NULL. */
	const char *(*suggest)(void *context, const struct probe_desc *desc);
};

struct language_config {
	struct options *options;
	const struct language_registry *registry;
	const struct probe_oracle *oracle;
	/* $0, $1 ...: `args[0]` is the command or script name. */
	const char *const *args;
	uint32_t nargs;
	int64_t target;		/* $target; 0 = none */
};

struct language *language_new(const struct language_config *config);
void language_free(struct language *language);

struct arena *language_arena(struct language *language);
struct types *language_types(struct language *language);
struct diag *language_diag(struct language *language);
struct options *language_options(struct language *language);

/* Address of a kernel symbol (module "" = any); false when it is not known. */
bool language_symbol(const struct language *language, const char *module,
		     const char *name, uint64_t *address);

/* What a bare description in a -P/-m/-f/-n/-i argument fills in. */
enum spec_kind {
	SPEC_NONE,	/* a script file: full descriptions */
	SPEC_PROVIDER, SPEC_MODULE, SPEC_FUNCTION, SPEC_NAME, SPEC_ID,
};

/*
 * Compile one program.  NULL: language_diag() says why.  `kind` other than
 * SPEC_NONE lets a description stand alone, as on the command line.
 * Preprocessing (-C) is done here for files.
 */
struct program *language_compile(struct language *language,
				 const struct source *source,
				 enum spec_kind kind);

/* Read a script ("-" = standard input) into arena memory. */
struct source *language_read_file(struct language *language, const char *path,
				  const char **error);

/* After the last program: -x argref's complaint about unused operands. */
bool language_check_unused_args(struct language *language);
/* set $target later, before any program is compiled */
void language_set_target(struct language *language, int64_t pid);

/*
 * The programs are provider declarations for -h and -G, written with the
 * program's own headers in mind: a name that is no type of D is a type that
 * the C compiler will know, a parameter may be called as it likes, and the
 * running kernel has no say in it.
 */
void language_set_building(struct language *language);

/* Idents in order of first appearance, for storage assignment. */
struct ident_list {
	struct ident **items;
	uint32_t count;
};
struct ident_list language_globals(struct language *language);
struct ident_list language_selfs(struct language *language);
struct ident_list language_thiss(struct language *language);
struct ident_list language_aggregations(struct language *language);

/*
 * Expression service for providers and libraries: parse and check one D
 * expression in the context of nothing (constants, types).
 */
struct type *language_parse_type(struct language *language, const char *text);
/*
 * The same for one that is evaluated where `probe` fires: args[ ] are its
 * arguments.  `name` is for messages.  NULL: language_diag() says why.
 */
struct node *language_expression(struct language *language, const char *name,
				 const char *text,
				 const struct probe_info *probe);

/* Parse a description "p:m:f:n" given to -l; fields fill as `kind` says. */
bool language_parse_desc(struct language *language, const struct source *source,
			 enum spec_kind kind, struct probe_desc *desc);

/* For reports (-v, -S). */
const char *probe_desc_print(struct arena *arena, const struct probe_desc *desc);
