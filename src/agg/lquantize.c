/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lquantize(x, base, limit [, step [, inc]]): counts values in buckets of equal
 * width between two bounds.
 *
 * Bucket 0 has everything below base, the last one everything from the upper
 * end of the last whole step on.  Limits are constants; every use of one
 * aggregation must give the same.  In messages the value is argument #0.
 */
#include "agg/agg.h"
#include "agg/functions.h"
#include "lang/internal.h"

#include <stdlib.h>

enum { BASE, LIMIT, STEP };
enum { LEVELS_MAX = UINT16_MAX };

uint32_t lquantize_levels(const int64_t *params)
{
	return (uint32_t)((params[LIMIT] - params[BASE]) / params[STEP]);
}

uint32_t lquantize_bucket(int64_t value, const int64_t *params)
{
	uint32_t levels = lquantize_levels(params);

	if (value < params[BASE])
		return 0;
	if (value >= params[BASE] + (int64_t)levels * params[STEP])
		return levels + 1;
	return 1 + (uint32_t)((value - params[BASE]) / params[STEP]);
}

static bool accepts(const int64_t *params)
{
	return params[BASE] >= INT32_MIN && params[LIMIT] <= INT32_MAX &&
	       params[BASE] < params[LIMIT] && params[STEP] > 0 &&
	       params[STEP] <= UINT16_MAX &&
	       params[LIMIT] - params[BASE] >= params[STEP] &&
	       (params[LIMIT] - params[BASE]) / params[STEP] <= LEVELS_MAX;
}

/*
 * The distance from base shows with one unsigned comparison whether the value
 * is between the bounds.  That path comes first: its bucket can be anything, so
 * the verifier finds the others included in it.
 */
static void update(struct agg_update *u)
{
	struct ir_builder *b = u->b;
	const int64_t *params = u->params;
	int64_t levels = lquantize_levels(params);
	struct ir_block *inside = ir_block_new(b, "inside");
	struct ir_block *outside = ir_block_new(b, "outside");
	struct ir_block *found = ir_block_new(b, "bucket");
	ir_reg bucket = ir_reg_new(b->program);
	ir_reg distance = ir_binary_imm(b, IR_SUB, u->value, params[BASE]);

	ir_branch(b, ir_binary_imm(b, IR_ULT, distance, levels * params[STEP]),
		  inside, outside);
	ir_enter(b, inside);
	ir_move(b, bucket,
		ir_binary_imm(b, IR_ADD,
			      ir_binary_imm(b, IR_UDIV, distance, params[STEP]),
			      1));
	ir_goto(b, found);
	ir_enter(b, outside);
	/* below: 1 - 1, so 0; above: all bits of the last bucket */
	ir_reg below = ir_binary_imm(b, IR_SLT, u->value, params[BASE]);

	ir_move(b, bucket,
		ir_binary_imm(b, IR_AND, ir_binary_imm(b, IR_SUB, below, 1),
			      levels + 1));
	ir_enter(b, found);
	ir_slot_indexed(&u->slots, IR_SLOT_ADD, bucket, u->increment);
}

static uint32_t nvalues_of(const int64_t *params)
{
	return lquantize_levels(params) + 2;
}

static long double weight(const int64_t *values, const int64_t *params)
{
	uint32_t levels = lquantize_levels(params);
	int64_t bound = params[BASE];
	long double total = (long double)(bound - 1) * values[0];

	for (uint32_t i = 1; i <= levels; i++, bound += params[STEP])
		total += (long double)bound * values[i];
	return total + (long double)(bound + 1) * values[levels + 1];
}

static int compare(const int64_t *a, const int64_t *b, uint32_t nvalues,
		   const int64_t *params)
{
	uint32_t zero = lquantize_bucket(0, params);
	int order = agg_compare_totals(weight(a, params), weight(b, params));

	(void)nvalues;
	return order ? order : agg_compare_first(a + zero, b + zero, 1, params);
}

static uint32_t middle(const int64_t *params, uint32_t nvalues)
{
	(void)params;
	(void)nvalues;
	return 1;
}

static void labels(const int64_t *params, uint32_t nvalues, uint32_t first,
		   uint32_t last, struct histogram_label *names)
{
	for (uint32_t i = first; i <= last; i++) {
		int64_t bound = params[BASE] + ((int64_t)i - 1) * params[STEP];

		if (i == 0)
			histogram_name(&names[0], "< ", params[BASE]);
		else
			histogram_name(&names[i - first],
				       i == nvalues - 1 ? ">= " : "", bound);
	}
}

static struct agg_range range(const int64_t *params, uint32_t nvalues,
			      uint32_t i)
{
	int64_t bound = params[BASE] + ((int64_t)i - 1) * params[STEP];

	return (struct agg_range){
		.low = bound,
		.high = bound + params[STEP] - 1,
		.is_open_below = i == 0,
		.is_open_above = i == nvalues - 1,
	};
}

static bool check_bounds(struct checker *checker, struct node *call,
			 int64_t *params)
{
	static const struct {
		enum tag type, value;
	} tags[] = {
		{ D_LQUANT_BASETYPE, D_LQUANT_BASEVAL },
		{ D_LQUANT_LIMTYPE, D_LQUANT_LIMVAL },
	};
	struct diag *diag = &checker->language->diag;

	for (unsigned i = 0; i < 2; i++) {
		struct node *arg = call_argument(call, i + 1);

		if (!node_is_integer_constant(arg))
			return diag_error(
				diag, &arg->place, tags[i].type,
				"lquantize( ) argument #%u must be an integer constant",
				i + 1);
		params[i] = (int64_t)arg->integer.value;
		if (params[i] > INT32_MAX || params[i] < INT32_MIN)
			return diag_error(
				diag, &arg->place, tags[i].value,
				"lquantize( ) argument #%u must be a 32-bit quantity",
				i + 1);
	}
	if (params[BASE] < params[LIMIT])
		return true;
	return diag_error(
		diag, &call->place, D_LQUANT_MISMATCH,
		"lquantize( ) base (argument #1) must be less than limit (argument #2)");
}

static bool check_step(struct checker *checker, struct node *call,
		       int64_t *params)
{
	struct diag *diag = &checker->language->diag;
	struct node *arg = call_argument(call, 3);

	params[STEP] = 1;
	if (arg) {
		if (!node_is_integer_constant(arg) ||
		    (int64_t)arg->integer.value <= 0)
			return diag_error(
				diag, &arg->place, D_LQUANT_STEPTYPE,
				"lquantize( ) argument #3 must be a non-zero positive integer constant");
		params[STEP] = (int64_t)arg->integer.value;
		if (params[STEP] > UINT16_MAX)
			return diag_error(
				diag, &arg->place, D_LQUANT_STEPVAL,
				"lquantize( ) argument #3 must be a 16-bit quantity");
	}
	int64_t levels = (params[LIMIT] - params[BASE]) / params[STEP];
	const struct place *place = arg ? &arg->place : &call->place;

	if (levels == 0)
		return diag_error(
			diag, place, D_LQUANT_STEPLARGE,
			"lquantize( ) step (argument #3) too large: must have at least one quantization level");
	if (levels > LEVELS_MAX)
		return diag_error(
			diag, place, D_LQUANT_STEPSMALL,
			"lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity");
	return true;
}

static bool check(struct checker *checker, struct node *call)
{
	int64_t *params = arena_array_of(checker->language->arena, int64_t, 4);

	call->call.data = params;
	return agg_check_value(checker, call) &&
	       check_bounds(checker, call, params) &&
	       check_step(checker, call, params) &&
	       agg_check_increment(checker, call, 4);
}

static bool check_aggregation(struct checker *checker, struct node *aggregation)
{
	static const struct agg_parameter parameters[] = {
		{ "base", D_LQUANT_MATCHBASE },
		{ "limit", D_LQUANT_MATCHLIM },
		{ "step", D_LQUANT_MATCHSTEP },
	};

	return agg_check_parameters(checker, aggregation, parameters, 3);
}

static const struct aggregate lquantize_aggregate = {
	.accepts = accepts,
	.update = update,
	.increment = 4,
	.packs = PACKS_ALL,
	.nvalues = nvalues_of,
	.merge = agg_merge_add,
	.compare = compare,
	.middle = middle,
	.count = agg_bucket_count,
	.labels = labels,
	.range = range,
};

const struct function agg_lquantize = {
	.name = "lquantize",
	.prototype = "void (@, @, @, [@, @])",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.check = check,
	.check_aggregation = check_aggregation,
	.lower = agg_lower,
	.aggregate = &lquantize_aggregate,
};
