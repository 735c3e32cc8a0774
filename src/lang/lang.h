/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The compiler front end: D text in, checked programs out.
 *
 * A `struct language` is one command line's worth of D: its programs share
 * variables, types, translators and options.  It knows nothing about the kernel
 * and probes; what it must ask about probes it asks through `struct
 * probe_oracle`, which its creator supplies.
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
	struct attr attr; /* of the description's parts */
	struct attr arg_attr;
	void *opaque; /* the oracle's own */
	bool is_user; /* pointers among its arguments are of user memory */
};

/* What is wrong with a description, as a compile error. */
struct probe_error {
	enum tag tag;
	const char *text; /* NULL: nothing to report */
};

/* "[D_PROC_GRAB] failed to grab process 7", where there is no diagnostic. */
const char *probe_error_print(struct arena *arena,
			      const struct probe_error *error);

struct probe_oracle {
	void *context;
	/*
	 * Call visit for each probe that the description matches (globs,
	 * on-demand creation included); visit returning false ends the walk.
	 * Returns the number visited, or a negative errno when the description
	 * is malformed for its provider (`*error` may say why).
	 */
	int (*match)(void *context, const struct probe_desc *desc,
		     bool (*visit)(void *data, const struct probe_info *probe),
		     void *data, struct probe_error *error);
	/*
	 * A probe that stands for those of processes to come, and has the same
	 * arguments; false: none is known.
	 */
	bool (*match_silent)(void *context, const struct probe_desc *desc,
			     struct probe_info *probe);
	/*
	 * Types of args[n].  native and translated are D type texts or types;
	 * returns 1, or 0 when the probe has no such argument, or -1 when the
	 * probe has no type information at all.
	 */
	int (*argument)(void *context, const struct probe_info *probe,
			uint32_t n, struct type **native,
			struct type **translated, uint32_t *mapping);
	/* Why args[n] is missing (-1), as the end of a sentence, or NULL. */
	const char *(*argument_problem)(void *context,
					const struct probe_info *probe,
					uint32_t n);
	/* Is there a provider / kernel module of that name? (depends_on) */
	bool (*has_provider)(void *context, const char *name);
	bool (*has_module)(void *context, const char *name);
	/* Kernel symbol: 1 found (size may be 0), 0 none. */
	int (*symbol)(void *context, const char *module, const char *name,
		      uint64_t *address, uint64_t *size);
	/* A hint for a description that matches no probe, or NULL. */
	const char *(*suggest)(void *context, const struct probe_desc *desc);
	/*
	 * Can the description not be matched yet, because the process that it
	 * is about has not mapped its libraries?  NULL: there is no such.
	 */
	bool (*waits)(void *context, const struct probe_desc *desc);
};

struct language_config {
	struct options *options;
	const struct language_registry *registry;
	const struct probe_oracle *oracle;
	/* $0, $1 ...: `args[0]` is the command or script name. */
	const char *const *args;
	uint32_t nargs;
	int64_t target; /* $target; 0 = none */
	/* Reports a library that is not loaded.  NULL: silent. */
	void (*warn)(void *context, const char *message);
	void *context;
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
/*
 * A program is compiled up to the first clause whose probes cannot be told yet
 * (probe_oracle.waits), and programs behind it wait as well, because it may
 * define what they mention.  language_complete() compiles the rest, of those
 * before it first; false: language_diag() says why.
 */
bool program_waits(const struct program *program);
bool language_complete(struct language *language, struct program *program);

/* Read a script ("-" = standard input) into arena memory. */
struct source *language_read_file(struct language *language, const char *path,
				  const char **error);

/* After the last program: -x argref's complaint about unused operands. */
bool language_check_unused_args(struct language *language);
/* $0, $1 ... later, before any program is compiled; the array stays. */
void language_set_args(struct language *language, const char *const *args,
		       uint32_t nargs);
/* set $target later, before any program is compiled */
void language_set_target(struct language *language, int64_t pid);

/*
 * The programs are provider declarations for -h and -G, written for the
 * program's own headers: a name that is not a D type is a type that the C
 * compiler will know, a parameter may have any name, and the running kernel
 * plays no role.
 */
void language_set_building(struct language *language);

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

/*
 * Providers with synthetic probes (synthetic.c), of libraries and programs:
 * those whose names are wanted.  Libraries without a wanted one are not read.
 */
void language_synthetics(struct language *language,
			 bool (*wants)(void *data, const char *provider),
			 void (*visit)(void *data,
				       const struct provider_decl *provider),
			 void *data);

/*
 * args[n] of a probe that a library or a program declares (provider_decl.c): 1,
 * 0 if it has no such argument, -1 if it is not declared.
 */
struct declared_argument {
	struct type *native, *output;
	uint32_t mapping; /* which native argument it is */
};
int language_declared(struct language *language, const char *provider,
		      const char *probe, uint32_t n, bool is_user,
		      struct declared_argument *argument);
/*
 * The name of a provider that is wanted and declares a probe of that name; NULL:
 * none does.  Synthetic probes do not count.
 */
const char *language_declares(struct language *language,
			      bool (*wants)(void *data, const char *provider),
			      void *data, const char *probe);

/* Parse a description "p:m:f:n" given to -l; fields fill as `kind` says. */
bool language_parse_desc(struct language *language, const struct source *source,
			 enum spec_kind kind, struct probe_desc *desc);

/* For reports (-v, -S). */
const char *probe_desc_print(struct arena *arena,
			     const struct probe_desc *desc);
