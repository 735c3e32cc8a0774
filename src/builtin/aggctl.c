/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions on whole aggregations: clear(), trunc(), normalize(), denormalize().
 * The program records the call and its number; the consumer performs it when it
 * reaches the record.
 */
#include <ctype.h>
#include <string.h>

#include "agg/agg.h"
#include "agg/store.h"
#include "builtin/builtin.h"
#include "facts/consumer.h"
#include "ir/lower.h"

static const char *skip_blanks(const char *text, const char *end)
{
	while (text < end && isspace((unsigned char)*text))
		text++;
	return text;
}

static const char *skip_keys(const char *text, const char *end)
{
	uint32_t depth = 0;
	bool in_string = false;

	for (; text < end; text++) {
		in_string ^= *text == '"';
		depth += !in_string && *text == '[';
		depth -= !in_string && *text == ']';
		if (!depth)
			return text + 1;
	}
	return end;
}

/*
 * Whether the text after `node` assigns to the aggregation.  What follows is
 * not parsed yet, and this only chooses between two words for an error:
 * scanning the characters is enough.
 */
static bool is_assigned_later(const struct node *node)
{
	const struct source *source = node->place.source;
	const char *name = node->variable.ident->name;
	size_t length = strcmp(name, "_") ? strlen(name) : 0;

	if (!source)
		return false;
	const char *end = source->text + source->length;
	const char *text = source->text + node->place.offset + 1;

	while (text < end && (text = memchr(text, '@', (size_t)(end - text)))) {
		text++;
		if ((size_t)(end - text) < length ||
		    memcmp(text, name, length) != 0)
			continue;
		const char *after = text + length;

		if (after < end &&
		    (isalnum((unsigned char)*after) || *after == '_'))
			continue;
		after = skip_blanks(after, end);
		if (after < end && *after == '[')
			after = skip_blanks(skip_keys(after, end), end);
		if (after < end && *after == '=')
			return true;
	}
	return false;
}

bool aggregation_undefined(struct checker *checker, const struct node *node,
			   enum tag known)
{
	const char *name = node->variable.ident->name;

	if (is_assigned_later(node))
		return builtin_error(checker, node, known,
				     "undefined aggregation: @%s", name);
	return builtin_error(checker, node, D_IDENT_UNDEF,
			     "failed to resolve @%s: Unknown variable name",
			     name);
}

static bool check_target(struct checker *checker, struct node *call,
			 enum tag not_aggregation, enum tag undefined)
{
	struct node *target = call_argument(call, 0);

	if (target->kind != NODE_AGGREGATION)
		return argument_error(checker, call, 0, not_aggregation,
				      "aggregation");
	if (target->variable.ident->function)
		return true;
	return aggregation_undefined(checker, target, undefined);
}

static bool check_clear(struct checker *checker, struct node *call)
{
	return check_target(checker, call, D_CLEAR_AGGARG, D_CLEAR_AGGBAD);
}

static bool check_trunc(struct checker *checker, struct node *call)
{
	return check_target(checker, call, D_TRUNC_AGGARG, D_TRUNC_AGGBAD);
}

static bool check_normalize(struct checker *checker, struct node *call)
{
	return check_target(checker, call, D_NORMALIZE_AGGARG,
			    D_NORMALIZE_AGGBAD);
}

/* The aggregation goes into the layout, the number into the record. */
static bool lower_control(struct lower *lower, const struct node *call,
			  struct value *result)
{
	const struct node *target = call->call.args, *number = target->next;
	struct schema_action *action = layout_action(lower, call,
						     number ? 1 : 0);

	(void)result;
	action->aggregations = arena_array_of(lower->session->arena, uint32_t,
					      1);
	action->aggregations[0] = agg_schema(lower, target->variable.ident)->id;
	action->naggregations = 1;
	return !number || layout_store(lower, action, 0, number);
}

static int64_t number_of(const struct fact_action *action)
{
	return action->action->nfields ? fact_integer(&action->values[0]) : 0;
}

static void do_clear(struct consumer *consumer,
		     const struct fact_action *action)
{
	agg_store_clear(consumer->aggs, action->action->aggregations[0]);
}

static void do_trunc(struct consumer *consumer,
		     const struct fact_action *action)
{
	agg_store_trunc(consumer->aggs, action->action->aggregations[0],
			number_of(action), action->action->nfields > 0);
}

/* Nothing can be divided by 0: the aggregation stays as it is. */
static void do_normalize(struct consumer *consumer,
			 const struct fact_action *action)
{
	uint64_t factor = (uint64_t)number_of(action);

	if (factor)
		agg_store_normalize(consumer->aggs,
				    action->action->aggregations[0], factor);
}

static void do_denormalize(struct consumer *consumer,
			   const struct fact_action *action)
{
	agg_store_denormalize(consumer->aggs, action->action->aggregations[0]);
}

#define CONTROL(id, prototype, does, ...) \
	ACTION(id, prototype, .flags = FUNCTION_RECORDS, \
	       .lower = lower_control, .rule = RULE_SILENT, .control = does, \
	       __VA_ARGS__)

CONTROL(clear, "void (@)", do_clear, .check = check_clear);
CONTROL(trunc, "void (@, [int64_t])", do_trunc, .check = check_trunc);
CONTROL(normalize, "void (@, uint64_t)", do_normalize,
	.check = check_normalize);
CONTROL(denormalize, "void (@)", do_denormalize, .check = check_normalize);
