/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Formats of printf(), printa(), system(), freopen(): parsed once by the
 * compiler, checked against the arguments, carried out by the consumer.
 * d-language.md §13 is the contract.
 */

#include "base/text.h"
#include "lang/internal.h"
#include "out/out.h"

struct format;

/*
 * Reads a format; NULL with `*problem` when the text is malformed.  The
 * unit tests' way in; the compiler's is format_parse().
 */
struct format *format_read(struct arena *arena, const char *text,
			   size_t length, const char **problem);
/* NULL with a D_SYNTAX report when the text is malformed. */
struct format *format_parse(struct checker *checker, const struct node *string);
/*
 * Check arguments `first`.. of the call against the format: D_PRINTF_*.
 * For printa, `keys` are the types of the aggregation's keys and the
 * aggregation results come by %@.
 */
bool format_check(struct checker *checker, struct node *call,
		  const struct format *format, struct node *first);
bool format_check_printa(struct checker *checker, struct node *call,
			 const struct format *format,
			 const struct signature *keys, uint32_t naggs);

/* A result of an aggregation, for %@. */
struct format_agg {
	const struct agg_layout *layout;
	const int64_t *values;
	uint64_t normal;
};
void format_print(struct printer *printer, const struct format *format,
		  const struct print_value *values, uint32_t nvalues,
		  const struct format_agg *aggs, uint32_t naggs,
		  struct text *out);
