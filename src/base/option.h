/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Options: everything that -x, #pragma D option, setopt() and DTRACE_OPT_*
 * can set.  One table (option.c) has a line per option: name, kind of value,
 * when it may be set, default, meaning.  The rest of the program reads values
 * by OPTION_* index and never by name.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/quantity.h"
#include "base/text.h"

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "base/options.def"
#undef OPTION
	OPTION_COUNT
};

enum option_origin {
	ORIGIN_COMMAND,		/* -x, flags, the library's caller */
	ORIGIN_ENVIRONMENT,	/* DTRACE_OPT_NAME */
	ORIGIN_PRAGMA,		/* some options are refused here */
	ORIGIN_SETOPT,		/* while tracing: dynamic ones only */
};

enum option_error {
	OPTION_OK,
	OPTION_UNKNOWN,		/* Invalid option name */
	OPTION_BAD_VALUE,	/* Invalid value for specified option */
	OPTION_NOT_IN_PROGRAM,	/* Option cannot be used from within a D program */
	OPTION_ACTIVE,		/* Operation illegal when tracing is active */
	OPTION_BAD_VERSION,	/* Requested version is not supported by compiler */
	OPTION_VERSION_FORMAT,	/* Version is not properly formatted or is too large */
	OPTION_VERSION_REDUCED,	/* Requested version conflicts with earlier setting */
};

/* The ranges of sizes and rates without their own range, and one more. */
enum { OPTION_NSPEC_MOST = 1024 };
#define OPTION_SIZE_MOST QUANTITY_SIZE_MOST
#define OPTION_RATE_MOST QUANTITY_TIME_MOST
/* option_bounds.c: is the number allowed?  The range as text, or NULL. */
bool option_is_within(enum option_id id, int64_t number);
const char *option_range(enum option_id id);

struct option_value {
	bool is_set;	  /* by the user, not by default */
	int64_t number;	  /* sizes in bytes, rates in ns, booleans 0/1 */
	const char *text; /* paths, enumerations, versions; or NULL */
};

struct options {
	struct option_value values[OPTION_COUNT];
	bool is_active; /* tracing has begun */
	/* Each -D, -U, -I in order, for the preprocessor. */
	char **cpp_args;
	unsigned ncpp_args;
	char **lib_dirs; /* -L in order */
	unsigned nlib_dirs;
	char **set_env; /* "N=V" or "N" (unset), in order */
	unsigned nset_env;
	/* DTRACE_OPT_* settings that were refused, a sentence each. */
	char **complaints;
	unsigned ncomplaints;
	char **owned; /* texts of values, kept until the end */
	unsigned nowned;
};

/* Versions as numbers: 0xMMmmmuuu, so that they compare. */
#define OPTION_VERSION_NUMBER(major, minor, micro) \
	((int64_t)(major) << 24 | (int64_t)(minor) << 12 | (int64_t)(micro))

void options_init(struct options *options); /* defaults + environment */
void options_free(struct options *options);

/* `value` NULL: given without "=value". */
enum option_error option_set(struct options *options, const char *name,
			     const char *value, enum option_origin origin);
const char *option_strerror(enum option_error error);
/*
 * Tracing starts: rates that are too fast or too slow become the nearest
 * possible one.  Until then the requested value can be read, so that a consumer
 * can report the difference.
 */
void options_limit(struct options *options);

static inline int64_t option_number(const struct options *options,
				    enum option_id id)
{
	return options->values[id].number;
}
static inline bool option_on(const struct options *options, enum option_id id)
{
	return options->values[id].number != 0;
}
static inline const char *option_text(const struct options *options,
				      enum option_id id)
{
	return options->values[id].text;
}
/* printsize: how many bytes print() shows. */
uint64_t option_print_limit(const struct options *options);
const char *option_name(enum option_id id);
/* Its value as option_set() reads it. */
void option_put_value(const struct options *options, enum option_id id,
		      struct text *out);
/* The option of that name, or OPTION_COUNT. */
enum option_id option_find(const char *name);
/* Nearest option name for "did you mean", or NULL. */
const char *option_nearest(const char *name);
/* What its value must be: "a number from 0 to 1000"; false: anything goes. */
bool option_expects(const char *name, struct text *out);
/* Appends the same: ": stackindent is a number from 0 to 1000". */
void option_explain(const char *name, struct text *out);
/* A line for each option: its name, its meaning, its values. */
void options_help(struct text *out);
/* Options set by the user that have no effect here: one line each (-v). */
void options_report(const struct options *options, struct text *out);
