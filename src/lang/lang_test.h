/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * For the tests of the text side: a language without functions and built-in
 * variables whose oracle knows the probe dtrace:::BEGIN and matches anything.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/internal.h"

struct fixture {
	struct options options;
	struct language *language;
	struct source source;
};

static inline int fixture_match(void *context, const struct probe_desc *desc,
				bool (*visit)(void *data,
					      const struct probe_info *probe),
				void *data, struct probe_error *error)
{
	static const struct probe_info begin = {
		.id = 1, .provider = "dtrace", .module = "", .function = "",
		.name = "BEGIN",
	};

	(void)context;
	(void)desc;
	(void)error;
	visit(data, &begin);
	return 1;
}

static inline int fixture_argument(void *context,
				   const struct probe_info *probe, uint32_t n,
				   struct type **native,
				   struct type **translated, uint32_t *mapping)
{
	(void)context;
	(void)probe;
	(void)n;
	(void)native;
	(void)translated;
	(void)mapping;
	return -1;
}

static inline bool fixture_has(void *context, const char *name)
{
	(void)context;
	return !strcmp(name, "dtrace");
}

static inline int fixture_symbol(void *context, const char *module,
				 const char *name, uint64_t *address,
				 uint64_t *size)
{
	(void)context;
	(void)module;
	(void)name;
	(void)address;
	(void)size;
	return 0;
}

/* `args` is a NULL-terminated list of operands from $0 on; or NULL. */
static inline void fixture_open(struct fixture *fixture,
				const char *const *args)
{
	static const struct function *const functions[] = { NULL };
	static const struct builtin_variable *const variables[] = { NULL };
	static const struct language_registry registry = {
		functions, variables,
	};
	static const struct probe_oracle oracle = {
		.match = fixture_match, .argument = fixture_argument,
		.has_provider = fixture_has, .has_module = fixture_has,
		.symbol = fixture_symbol,
	};
	struct language_config config = {
		.options = &fixture->options, .registry = &registry,
		.oracle = &oracle, .args = args, .target = 77,
	};

	while (args && args[config.nargs])
		config.nargs++;
	options_init(&fixture->options);
	option_set(&fixture->options, "nolibs", NULL, ORIGIN_COMMAND);
	fixture->language = language_new(&config);
	types_without_kernel(fixture->language->types);
}

static inline void fixture_close(struct fixture *fixture)
{
	language_free(fixture->language);
	options_free(&fixture->options);
}

static inline const struct source *fixture_source(struct fixture *fixture,
						  const char *text,
						  bool is_file)
{
	fixture->source = (struct source){
		.name = is_file ? "test.d" : text,
		.text = text,
		.length = strlen(text),
		.is_file = is_file,
	};
	return &fixture->source;
}

/* Compiles `text`; returns "" or the error line with its tag. */
static inline const char *fixture_compile(struct fixture *fixture,
					  const char *text, enum spec_kind kind,
					  struct program **program)
{
	struct text line = { 0 };
	struct program *compiled = language_compile(
		fixture->language,
		fixture_source(fixture, text, kind == SPEC_NONE), kind);

	if (!compiled)
		diag_print_line(&fixture->language->diag, TAGS_ORACLE, &line);
	if (program)
		*program = compiled;
	const char *copy = arena_strdup(fixture->language->arena,
					text_str(&line));

	text_free(&line);
	return copy;
}
