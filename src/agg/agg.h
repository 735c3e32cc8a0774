/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Aggregating functions: keep, merge, compare, print, each in its own file,
 * with this vtable.  `update` defines in IR what happens where a probe fires;
 * everything else runs in the consumer, on merged values.
 */

#include "base/option.h"
#include "base/text.h"
#include "ir/ir.h"
#include "facts/schema.h"
#include "lang/function.h"

/* The values a bucket holds, inclusive. */
struct agg_range {
	int64_t low, high;
	bool is_open_below, is_open_above; /* no lower bound, no upper bound */
};

/* What a bucket's row is called: 16 columns, right-justified. */
struct histogram_label {
	char text[24];
};

/* One update, where a probe fires: what there is, and what it changes. */
struct agg_update {
	struct ir_builder *b;
	ir_reg value;	  /* the function's first argument; 0: none */
	ir_reg increment; /* the last one, or 1 */
	const int64_t *params;
	struct ir_slots slots; /* out: ir_slot() and the like */
};

struct aggregate {
	/* IR for one update: which slots change, and by how much. */
	void (*update)(struct agg_update *u);
	uint32_t increment; /* position of that argument; 0: none */
	/* Are these valid parameters?  NULL: it has none.  For recordings. */
	bool (*accepts)(const int64_t *params);
	/* Number of 64-bit words an entry holds, given the parameters. */
	uint32_t (*nvalues)(const int64_t *params);
	/*
	 * What a slot holds before anything is added; merging it changes
	 * nothing (INT64_MAX for a minimum).  NULL: 0.
	 */
	int64_t (*identity)(uint32_t slot);
	/* Every update changes some slot, whatever the value. */
	bool always_changes;
	/* into += from (both nvalues words) */
	void (*merge)(int64_t *into, const int64_t *from, uint32_t nvalues);
	/* <0, 0, >0: the order of two values */
	int (*compare)(const int64_t *a, const int64_t *b, uint32_t nvalues,
		       const int64_t *params);
	/*
	 * One number that represents the value (%@d), already divided by
	 * `normal`; NULL: a histogram.
	 */
	int64_t (*number)(const int64_t *values, uint64_t normal);
	/* How many updates these are; NULL: the values do not tell. */
	uint64_t (*count)(const int64_t *values, uint32_t nvalues);
	bool is_unsigned; /* how number() prints */
	bool has_bar;	  /* -x agghist: rows can be compared by bars */
	/* -x aggpack: a row on one line, of the used buckets or of all */
	enum { PACKS_NOT, PACKS_USED, PACKS_ALL } packs;
	/*
	 * Histograms: the bucket in the middle of an empty one, and what the
	 * rows of buckets are called, from the first that is shown to the last.
	 */
	uint32_t (*middle)(const int64_t *params, uint32_t nvalues);
	void (*labels)(const int64_t *params, uint32_t nvalues, uint32_t first,
		       uint32_t last, struct histogram_label *labels);
	/* Histograms: what bucket i holds. */
	struct agg_range (*range)(const int64_t *params, uint32_t nvalues,
				  uint32_t i);
};

static inline int64_t agg_identity(const struct aggregate *aggregate,
				   uint32_t slot)
{
	return aggregate->identity ? aggregate->identity(slot) : 0;
}

extern const struct function *const agg_functions[]; /* NULL-terminated */
/* By name; NULL: none has such parameters and that many words. */
const struct aggregate *agg_find(const char *name, const int64_t *params,
				 uint32_t nvalues);

/*
 * The bucket with the value that `permille` of 1000 values do not exceed;
 * false: nothing was counted, or counts are negative.
 */
bool histogram_percentile(const int64_t *values, uint32_t nvalues,
			  unsigned permille, uint32_t *bucket);
/* The percentiles that are shown: 1000 is the maximum. */
struct percentile {
	const char *name;
	unsigned permille;
};
extern const struct percentile percentiles[]; /* name NULL: end */

/* quantize: label and index; both sides of the kernel agree on them. */
enum { QUANTIZE_BUCKETS = 127, QUANTIZE_ZERO = 63 };
int64_t quantize_label(uint32_t bucket);
uint32_t quantize_bucket(int64_t value);

/*
 * lquantize: params are base, limit, step.  levels = (limit - base) / step;
 * bucket 0 is v < base, bucket levels + 1 is v >= base + levels * step.
 */
uint32_t lquantize_levels(const int64_t *params);
uint32_t lquantize_bucket(int64_t value, const int64_t *params);

/*
 * llquantize: params are factor, low, high, steps.  With the N buckets of
 * llquantize_count(), a value's distance from the middle bucket N + 1 is
 *
 *	0			|v| < factor^low
 *	1 .. N			in magnitude order: see llquantize_magnitude()
 *	N + 1			|v| >= factor^(high + 1)
 *
 * and its bucket is N + 1 plus that distance, minus it when v is negative;
 * 2 * N + 3 buckets in all.
 */
uint32_t llquantize_count(const int64_t *params);
uint32_t llquantize_bucket(int64_t value, const int64_t *params);
/*
 * One magnitude: |v| in [start, end) has distance
 * first + |v| / size - start / size.  end is 2^64 - 1 when it would overflow.
 */
struct llquantize_magnitude {
	uint64_t start, end, size;
	uint32_t first;
};
struct llquantize_magnitude llquantize_magnitude(const int64_t *params,
						 int64_t magnitude);

/* ------------------------------------------------- inside agg/ and run/ */

/* The number that represents the values, as text. */
void agg_put_number(const struct schema_aggregation *schema, uint64_t normal,
		    const int64_t *values, struct text *out);
/* value / normal, rounded towards zero; a normal of 0 means none. */
int64_t agg_divide(int64_t value, uint64_t normal);
/* Parts that several functions share. */
uint32_t agg_one_value(const int64_t *params);
void agg_merge_add(int64_t *into, const int64_t *from, uint32_t nvalues);
int agg_compare_first(const int64_t *a, const int64_t *b, uint32_t nvalues,
		      const int64_t *params);
int64_t agg_first_number(const int64_t *values, uint64_t normal);
uint64_t agg_first_count(const int64_t *values, uint32_t nvalues);
uint64_t agg_bucket_count(const int64_t *values, uint32_t nvalues);
int agg_compare_totals(long double a, long double b);
/*
 * IR: sign is -1 for a negative value and 0 otherwise.  agg_signed() negates x
 * accordingly; if x is the value itself, the result is its magnitude.
 */
ir_reg agg_sign(struct ir_builder *b, ir_reg value);
ir_reg agg_signed(struct ir_builder *b, ir_reg x, ir_reg sign);
void histogram_name(struct histogram_label *label, const char *prefix,
		    int64_t bound);
/* First and last row to print: one empty bucket around the others. */
bool histogram_range(const int64_t *values, uint32_t nvalues, uint32_t *first,
		     uint32_t *last);

/* The compile-time side: check.c and update.c. */
struct checker;
struct ident;
struct lower;
struct node;
struct value;
bool agg_check_value(struct checker *checker, struct node *call);
bool agg_check_increment(struct checker *checker, struct node *call,
			 uint32_t position);
bool agg_note_use(struct checker *checker, struct node *aggregation);
/* The name of parameter n and the tag for a mismatch. */
struct agg_parameter {
	const char *name;
	int mismatch; /* enum tag */
};
bool agg_check_parameters(struct checker *checker, struct node *aggregation,
			  const struct agg_parameter *parameters,
			  uint32_t count);
/* What the consumer will know about the aggregation. */
struct schema_aggregation *agg_schema(struct lower *lower,
				      const struct ident *ident);
bool agg_lower(struct lower *lower, const struct node *aggregation,
	       struct value *result);

/* Every use of one aggregation (ident->agg_params); see update.c. */
struct agg_use {
	const struct node *aggregation;
	struct agg_use *next;
};
struct agg_uses {
	int64_t params[4];
	struct agg_use *uses;
};
