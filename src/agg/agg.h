/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Aggregating functions: keep, merge, compare, print, each in a file of its
 * own behind this vtable.  The kernel side is `update` (bpf/update.c makes
 * the instructions); what is here runs in the consumer on merged values.
 */

#include "base/option.h"
#include "base/text.h"
#include "ir/ir.h"
#include "ir/layout.h"
#include "lang/function.h"

/* The values a bucket holds, both ends included. */
struct agg_range {
	int64_t low, high;
	bool is_open_below, is_open_above;	/* no lower, no upper end */
};

struct aggregate {
	enum agg_update update;
	/* Number of 64-bit words an entry holds, given the parameters. */
	uint32_t (*nvalues)(const int64_t *params);
	/* The value that changes nothing when merged (0, INT64_MAX ...). */
	int64_t identity;
	/* into += from (both nvalues words) */
	void (*merge)(int64_t *into, const int64_t *from, uint32_t nvalues);
	/* <0, 0, >0: the order of two values */
	int (*compare)(const int64_t *a, const int64_t *b, uint32_t nvalues,
		       const int64_t *params);
	/*
	 * One number that stands for the value (%@d), already divided by
	 * `normal`; NULL: a histogram.
	 */
	int64_t (*number)(const int64_t *values, uint64_t normal);
	bool is_unsigned;	/* how number() prints */
	/* Histograms: the block from header line to last row. */
	void (*print)(const int64_t *values, uint32_t nvalues,
		      const int64_t *params, uint64_t normal,
		      const struct options *options, struct text *out);
	/* Histograms: what bucket i holds. */
	struct agg_range (*range)(const int64_t *params, uint32_t nvalues,
				  uint32_t i);
};

extern const struct function *const agg_functions[];	/* NULL-terminated */

/* Shared by the histogram printers: header and one row (histogram.c). */
struct histogram_row {
	char label[24];		/* 16 columns, right-justified, filled in */
	int64_t count;
};
void histogram_print(const struct histogram_row *rows, uint32_t nrows,
		     uint64_t normal, const struct options *options,
		     struct text *out);


/* How long bars are: made from all counts, then asked for each. */
struct histogram_scale {
	bool has_negative, has_positive;
	long double total, largest;	/* of the counts' magnitudes */
	bool is_utf8;
	unsigned width;
};
void histogram_scale_add(struct histogram_scale *scale, int64_t count);
void histogram_scale_end(struct histogram_scale *scale,
			 const struct options *options);
/* 41 columns: axis and bar. */
void histogram_bar(const struct histogram_scale *scale, int64_t count,
		   struct text *out);
/* A histogram with what options put under it: -x aggpct (percentile.c). */
void histogram_block(const struct agg_layout *layout, const int64_t *values,
		     uint64_t normal, const struct options *options,
		     struct text *out);
/*
 * The bucket that has the value which `permille` of 1000 values do not
 * exceed; false: nothing was counted, or counts are negative.
 */
bool histogram_percentile(const int64_t *values, uint32_t nvalues,
			  unsigned permille, uint32_t *bucket);
/* The percentiles that are shown: 1000 is the maximum. */
struct percentile {
	const char *name;
	unsigned permille;
};
extern const struct percentile percentiles[];	/* name NULL: end */

/* quantize: label and index, both sides of the kernel agree on them. */
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

/* value / normal, rounded towards zero; a normal of 0 is no normalization. */
int64_t agg_divide(int64_t value, uint64_t normal);
/* Parts that several functions share. */
uint32_t agg_one_value(const int64_t *params);
void agg_merge_add(int64_t *into, const int64_t *from, uint32_t nvalues);
int agg_compare_first(const int64_t *a, const int64_t *b, uint32_t nvalues,
		      const int64_t *params);
int64_t agg_first_number(const int64_t *values, uint64_t normal);
int agg_compare_totals(long double a, long double b);
/* Right-justified label of 16 columns. */
void histogram_label(struct histogram_row *row, const char *prefix,
		     int64_t bound);
/* First and last row to print: one empty bucket around the others. */
bool histogram_range(const int64_t *values, uint32_t nvalues, uint32_t *first,
		     uint32_t *last);

/* The compile-time side: check.c and update.c. */
struct checker;
struct lower;
struct node;
struct value;
bool agg_check_value(struct checker *checker, struct node *call);
bool agg_check_increment(struct checker *checker, struct node *call,
			 uint32_t position);
bool agg_note_use(struct checker *checker, struct node *aggregation);
/* What parameter n is called and which tag says that it does not match. */
struct agg_parameter {
	const char *name;
	int mismatch;		/* enum tag */
};
bool agg_check_parameters(struct checker *checker, struct node *aggregation,
			  const struct agg_parameter *parameters,
			  uint32_t count);
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
