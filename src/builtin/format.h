/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Formats of printf(), printa(), system(), freopen(): parsed once by the
 * compiler, checked against the arguments, carried out by the text sink.
 * d-language.md §13 is the contract.
 */

#include "facts/format.h"
#include "lang/internal.h"

/* NULL with a D_SYNTAX report when the text is malformed. */
struct format *format_parse(struct checker *checker, const struct node *string);
/*
 * Check arguments `first`.. of the call against the format: D_PRINTF_*.  For
 * printa, `keys` are the types of the aggregation's keys and %@ takes the
 * aggregation results.
 */
bool format_check(struct checker *checker, struct node *call,
		  const struct format *format, struct node *first);
bool format_check_printa(struct checker *checker, struct node *call,
			 const struct format *format,
			 const struct signature *keys, uint32_t naggs);
