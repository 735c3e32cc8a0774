/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llquantize(x, factor, low, high, steps [, inc]): log-linear buckets.
 *
 * Each magnitude m from low to high covers [factor^m, factor^(m+1)) and is cut
 * into linear buckets of factor^(m+1) / steps, at least 1 wide.  Small values
 * share the middle bucket; values beyond the last magnitude share the
 * outermost; negative values mirror positive ones.
 *
 *	bucket	0	1 .. N		N + 1	N + 2 .. 2N + 1	  2N + 2
 *	value	<= -X	mirrored	small	magnitudes	  >= X
 *
 * When steps is below factor (and divides it), the first bucket of a magnitude
 * begins below its start and is cut off there: factor 10 with 5 steps has 1-2,
 * 2-4, 4-6, 6-8, 8-10.  That is why a bucket's number is v / size - start /
 * size and not (v - start) / size.
 */
#include <stdlib.h>

#include "agg/agg.h"
#include "agg/functions.h"
#include "lang/internal.h"

enum { FACTOR, LOW, HIGH, STEPS };
enum { BUCKETS_MAX = UINT16_MAX };

/* base^exponent, or UINT64_MAX if that does not fit. */
static uint64_t power(uint64_t base, int64_t exponent)
{
	uint64_t result = 1;

	while (exponent-- > 0)
		if (__builtin_mul_overflow(result, base, &result))
			return UINT64_MAX;
	return result;
}

/* How many buckets the magnitude that ends before `end` has. */
static uint32_t count_of(const int64_t *params, uint64_t end)
{
	uint64_t steps = (uint64_t)params[STEPS];
	uint64_t cuts = end < steps ? end : steps;

	return (uint32_t)(cuts - cuts / (uint64_t)params[FACTOR]);
}

struct llquantize_magnitude llquantize_magnitude(const int64_t *params,
						 int64_t magnitude)
{
	uint64_t factor = (uint64_t)params[FACTOR];
	struct llquantize_magnitude found = { .first = 1 };

	for (int64_t m = params[LOW]; m < magnitude; m++)
		found.first += count_of(params, power(factor, m + 1));
	found.start = power(factor, magnitude);
	found.end = power(factor, magnitude + 1);
	found.size = found.end / (uint64_t)params[STEPS];
	if (!found.size)
		found.size = 1;
	return found;
}

uint32_t llquantize_count(const int64_t *params)
{
	return llquantize_magnitude(params, params[HIGH] + 1).first - 1;
}

static uint32_t distance(uint64_t size, const int64_t *params)
{
	for (int64_t m = params[LOW]; m <= params[HIGH]; m++) {
		struct llquantize_magnitude at = llquantize_magnitude(params,
								      m);

		if (size < at.start)
			return 0;
		if (size < at.end)
			return at.first +
			       (uint32_t)(size / at.size - at.start / at.size);
	}
	return llquantize_count(params) + 1;
}

uint32_t llquantize_bucket(int64_t value, const int64_t *params)
{
	uint32_t middle = llquantize_count(params) + 1;

	if (value < 0)
		return middle - distance(-(uint64_t)value, params);
	return middle + distance((uint64_t)value, params);
}

/* What follows runs only if `condition` does not hold. */
static void leave_if(struct ir_builder *b, ir_reg condition,
		     struct ir_block *where)
{
	struct ir_block *here = ir_block_new(b, NULL);

	ir_branch(b, condition, where, here);
	ir_enter(b, here);
}

/*
 * Magnitudes are constants here, so each is one comparison and one division by
 * a constant.  The path with a division comes first: its result can be
 * anything, so the verifier finds the other paths included in it.
 */
static void update(struct agg_update *u)
{
	struct ir_builder *b = u->b;
	const int64_t *params = u->params;
	int64_t middle = llquantize_count(params) + 1;
	struct ir_block *small = ir_block_new(b, "small");
	struct ir_block *found = ir_block_new(b, "bucket");
	ir_reg distance = ir_reg_new(b->program), sign = agg_sign(b, u->value);
	ir_reg size = agg_signed(b, u->value, sign);

	for (int64_t m = params[LOW]; m <= params[HIGH]; m++) {
		struct llquantize_magnitude at = llquantize_magnitude(params,
								      m);
		struct ir_block *beyond = ir_block_new(b, "beyond");

		if (m == params[LOW])
			leave_if(b,
				 ir_binary_imm(b, IR_ULT, size,
					       (int64_t)at.start),
				 small);
		leave_if(b, ir_binary_imm(b, IR_UGE, size, (int64_t)at.end),
			 beyond);
		ir_move(b, distance,
			ir_binary_imm(b, IR_ADD,
				      ir_binary_imm(b, IR_UDIV, size,
						    (int64_t)at.size),
				      at.first -
					      (int64_t)(at.start / at.size)));
		ir_goto(b, found);
		ir_enter(b, beyond);
	}
	ir_move(b, distance, ir_const(b, middle));
	ir_goto(b, found);
	ir_enter(b, small);
	ir_move(b, distance, ir_const(b, 0));
	ir_enter(b, found);
	ir_reg bucket = ir_binary_imm(b, IR_ADD, agg_signed(b, distance, sign),
				      middle);

	ir_slot_indexed(&u->slots, IR_SLOT_ADD, bucket, u->increment);
}

static uint32_t nvalues_of(const int64_t *params)
{
	return 2 * llquantize_count(params) + 3;
}

/*
 * The bound nearest to zero for every distance 0 .. N + 1; the caller frees.
 */
static int64_t *bounds_of(const int64_t *params)
{
	uint32_t count = llquantize_count(params);
	int64_t *bounds = must_alloc((count + 2) * sizeof(*bounds));
	uint32_t n = 0;

	bounds[n++] = 0;
	for (int64_t m = params[LOW]; m <= params[HIGH]; m++) {
		struct llquantize_magnitude at = llquantize_magnitude(params,
								      m);
		uint64_t bound = at.start;

		while (bound < at.end && n <= count) {
			bounds[n++] = (int64_t)bound;
			bound = (bound / at.size + 1) * at.size;
		}
	}
	bounds[n] = (int64_t)power((uint64_t)params[FACTOR], params[HIGH] + 1);
	return bounds;
}

static long double weight(const int64_t *values, uint32_t middle,
			  const int64_t *bounds)
{
	long double total = 0;

	for (uint32_t i = 1; i <= middle; i++)
		total += (long double)bounds[i] *
			 ((long double)values[middle + i] - values[middle - i]);
	return total;
}

static int compare(const int64_t *a, const int64_t *b, uint32_t nvalues,
		   const int64_t *params)
{
	uint32_t middle = nvalues / 2;
	int64_t *bounds = bounds_of(params);
	int order = agg_compare_totals(weight(a, middle, bounds),
				       weight(b, middle, bounds));

	free(bounds);
	return order ? order
		     : agg_compare_first(a + middle, b + middle, 1, params);
}

static uint32_t middle_of(const int64_t *params, uint32_t nvalues)
{
	(void)params;
	return nvalues / 2;
}

static void label_middle(struct histogram_label *name, int64_t bound,
			 bool shows_negative)
{
	if (bound == 1)
		histogram_name(name, "", 0);
	else
		histogram_name(name, shows_negative ? "abs() < " : "< ", bound);
}

static void labels(const int64_t *params, uint32_t nvalues, uint32_t first,
		   uint32_t last, struct histogram_label *names)
{
	uint32_t middle = nvalues / 2;
	int64_t *bounds = bounds_of(params);

	for (uint32_t i = first; i <= last; i++) {
		struct histogram_label *name = &names[i - first];

		if (i == middle)
			label_middle(name, bounds[1], first < middle);
		else if (i < middle)
			histogram_name(name,
				       i ? "" : "<= ", -bounds[middle - i]);
		else
			histogram_name(name, i < nvalues - 1 ? "" : ">= ",
				       bounds[i - middle]);
	}
	free(bounds);
}

static struct agg_range range(const int64_t *params, uint32_t nvalues,
			      uint32_t i)
{
	uint32_t middle = nvalues / 2;
	int64_t *bounds = bounds_of(params);
	uint32_t far = i < middle ? middle - i : i - middle;
	int64_t near = bounds[far];
	int64_t end = far < middle ? bounds[far + 1] - 1 : near;
	struct agg_range found = {
		.low = i < middle ? -end : near,
		.high = i < middle ? -near : end,
		.is_open_below = i == 0, .is_open_above = i == nvalues - 1,
	};

	if (i == middle)
		found.low = -end;
	free(bounds);
	return found;
}

/* ---------------------------------------------------------------- checks */

static bool check_types(struct checker *checker, struct node *call,
			int64_t *params)
{
	static const struct {
		const char *name;
		enum tag type, value;
	} tags[] = {
		{ "factor", D_LLQUANT_FACTORTYPE, D_LLQUANT_FACTORVAL },
		{ "low magnitude", D_LLQUANT_LMAGTYPE, D_LLQUANT_LMAGVAL },
		{ "high magnitude", D_LLQUANT_HMAGTYPE, D_LLQUANT_HMAGVAL },
		{ "number of steps", D_LLQUANT_STEPTYPE, D_LLQUANT_STEPVAL },
	};
	struct diag *diag = &checker->language->diag;

	for (unsigned i = 0; i < 4; i++) {
		struct node *arg = call_argument(call, i + 1);

		if (!node_is_integer_constant(arg))
			return diag_error(
				diag, &arg->place, tags[i].type,
				"llquantize( ) %s (argument #%u) must be an integer constant",
				tags[i].name, i + 1);
	}
	for (unsigned i = 0; i < 4; i++) {
		struct node *arg = call_argument(call, i + 1);

		params[i] = (int64_t)arg->integer.value;
		if (params[i] < 0 || params[i] > UINT16_MAX)
			return diag_error(
				diag, &arg->place, tags[i].value,
				"llquantize( ) %s (argument #%u) must be an unsigned 16-bit quantity",
				tags[i].name, i + 1);
	}
	return true;
}

/*
 * Buckets must begin and end where magnitudes do: steps divides the factor, or
 * the factor's first power that is not below steps.  *where is for
 * dialects.def.
 */
static const char *steps_problem(const int64_t *params, const char **where)
{
	uint64_t factor = (uint64_t)params[FACTOR];
	uint64_t steps = (uint64_t)params[STEPS], end = factor;

	*where = "any";
	if (!steps)
		return "must be one or more";
	if (steps < factor) {
		*where = "fewer than factor";
		return factor % steps ? "must divide the factor evenly" : NULL;
	}
	*where = "uneven";
	if (steps % factor)
		return "must be a multiple of the factor";
	while (end < steps)
		end *= factor; /* both have 16 bits: this fits */
	return end % steps ? "must divide a power of the factor evenly" : NULL;
}

static bool accepts(const int64_t *params)
{
	const char *where;

	for (unsigned i = 0; i < 4; i++)
		if (params[i] < 0 || params[i] > UINT16_MAX)
			return false;
	return params[FACTOR] >= 2 && params[HIGH] >= params[LOW] &&
	       power((uint64_t)params[FACTOR], params[HIGH] + 1) <= INT64_MAX &&
	       !steps_problem(params, &where) &&
	       llquantize_count(params) <= BUCKETS_MAX / 2 - 2;
}

static bool bad_value(struct checker *checker, const struct node *call,
		      enum tag tag, const char *where, const char *problem)
{
	static const struct {
		enum tag tag;
		uint32_t argument;
		const char *name;
	} names[] = {
		{ D_LLQUANT_FACTORVAL, 1, "factor" },
		{ D_LLQUANT_HMAGVAL, 3, "high magnitude" },
		{ D_LLQUANT_STEPVAL, 4, "number of steps" },
	};
	struct diag *diag = &checker->language->diag;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].tag == tag)
			diag_error(
				diag,
				&call_argument(call, names[i].argument)->place,
				tag, "llquantize( ) %s (argument #%u) %s",
				names[i].name, names[i].argument, problem);
	return diag_where(diag, "%s", where);
}

static bool check_values(struct checker *checker, struct node *call,
			 const int64_t *params)
{
	const char *where, *problem;

	if (params[FACTOR] < 2)
		return bad_value(checker, call, D_LLQUANT_FACTORVAL,
				 "factor below 2", "must be two or more");
	if (params[HIGH] < params[LOW])
		return bad_value(
			checker, call, D_LLQUANT_HMAGVAL, "high below low",
			"must be at least the low magnitude (argument #2)");
	if (power((uint64_t)params[FACTOR], params[HIGH] + 1) > INT64_MAX)
		return bad_value(
			checker, call, D_LLQUANT_HMAGVAL, "beyond 64 bits",
			"is too large: the factor to its power does not fit 64 bits");
	problem = steps_problem(params, &where);
	if (problem)
		return bad_value(checker, call, D_LLQUANT_STEPVAL, where,
				 problem);
	if (llquantize_count(params) <= BUCKETS_MAX / 2 - 2)
		return true;
	return bad_value(
		checker, call, D_LLQUANT_STEPVAL, "any",
		"is too large: number of quantization levels must be a 16-bit quantity");
}

static bool check(struct checker *checker, struct node *call)
{
	int64_t *params = arena_array_of(checker->language->arena, int64_t, 4);

	call->call.data = params;
	return agg_check_value(checker, call) &&
	       check_types(checker, call, params) &&
	       check_values(checker, call, params) &&
	       agg_check_increment(checker, call, 5);
}

static bool check_aggregation(struct checker *checker, struct node *aggregation)
{
	static const struct agg_parameter parameters[] = {
		{ "factor", D_LLQUANT_MATCHFACTOR },
		{ "low magnitude", D_LLQUANT_MATCHLMAG },
		{ "high magnitude", D_LLQUANT_MATCHHMAG },
		{ "number of steps", D_LLQUANT_MATCHSTEPS },
	};

	return agg_check_parameters(checker, aggregation, parameters, 4);
}

static const struct aggregate llquantize_aggregate = {
	.accepts = accepts,
	.update = update,
	.increment = 5,
	.nvalues = nvalues_of,
	.merge = agg_merge_add,
	.compare = compare,
	.middle = middle_of,
	.count = agg_bucket_count,
	.labels = labels,
	.range = range,
};

const struct function agg_llquantize = {
	.name = "llquantize",
	.prototype = "void (@, @, @, @, @, [@])",
	.kind = FUNCTION_AGGREGATE,
	.attr = ATTR_STABLE,
	.since = 7,
	.check = check,
	.check_aggregation = check_aggregation,
	.lower = agg_lower,
	.aggregate = &llquantize_aggregate,
};
