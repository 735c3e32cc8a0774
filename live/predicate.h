/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Predicates of requests: {"eq": ["execname", "sh"]}, {"and": [...]} ...
 *
 * A predicate is checked and flattened into terms that must all be true; each
 * says where it can be evaluated.  See predicate.c.
 */

#include "live/metric.h"

struct text;

enum {
	PREDICATE_DEPTH = 16,			/* "and" in "or" in "and" ... */
	PREDICATE_LEAVES = 64,			/* comparisons */
	PREDICATE_STRING = 255,			/* bytes: what strsize holds */
	PREDICATE_TERMS = PREDICATE_LEAVES + 1, /* and the process */
};

struct predicate {
	json_t *terms[PREDICATE_TERMS]; /* borrowed from the request */
	size_t nterms;
	json_t *own; /* what was added to it */
};

/* Writes the D for field `index` in the clause at hand. */
typedef void predicate_field_f(void *arg, size_t index, struct text *out);

/* False with answer's code, message and hint. */
bool predicate_read(const struct metric *metric, json_t *where,
		    struct predicate *predicate, struct metric_answer *answer);
/* Adds `field == value`. */
void predicate_require(struct predicate *predicate, const char *field,
		       json_int_t value);
void predicate_free(struct predicate *predicate);

/* Whether all fields of a term are known at the start. */
bool predicate_is_early(const struct metric *metric, json_t *term);
/* Calls `use` for each field of the term. */
void predicate_fields(const struct metric *metric, json_t *term,
		      void (*use)(void *arg, size_t index), void *arg);
/* The term as D, in parentheses where && around it needs them. */
void predicate_write(const struct metric *metric, json_t *term,
		     predicate_field_f *field, void *arg, struct text *out);
/* The same for people: execname == "sh" && latency > 1000. */
void predicate_describe(const struct metric *metric, json_t *term,
			struct text *out);

/* A D string literal with these bytes and no others. */
void predicate_string(struct text *out, const char *bytes, size_t length);
/* Sets code, message and hint once; false, so that callers can return it. */
bool metric_refuse(struct metric_answer *answer, const char *code,
		   const char *hint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
