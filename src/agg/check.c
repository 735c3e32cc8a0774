/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compile-time checks that the aggregating functions share.
 *
 * An aggregation is bound to one function with one set of parameters, and every
 * place that updates it is recorded in ident->agg_params: the layout of the
 * keys must suit all of them, wherever lowering begins (update.c).
 */
#include "agg/agg.h"
#include "lang/internal.h"

bool agg_check_value(struct checker *checker, struct node *call)
{
	struct node *value = call_argument(call, 0);

	if (node_is_scalar(checker, value))
		return true;
	return diag_error(&checker->language->diag, &value->place, D_AGG_SCALAR,
			  "%s( ) argument #1 must be of scalar type",
			  call->call.function->name);
}

bool agg_check_increment(struct checker *checker, struct node *call,
			 uint32_t position)
{
	struct node *increment = call_argument(call, position);

	if (!increment || node_is_scalar(checker, increment))
		return true;
	return diag_error(
		&checker->language->diag, &increment->place, D_PROTO_ARG,
		"%s( ) increment value (argument #%u) must be of scalar type",
		call->call.function->name, position + 1);
}

bool agg_note_use(struct checker *checker, struct node *aggregation)
{
	struct arena *arena = checker->language->arena;
	struct ident *ident = aggregation->variable.ident;
	struct agg_uses *uses = ident->agg_params;

	if (!uses) {
		uses = arena_new_of(arena, struct agg_uses);
		ident->agg_params = uses;
	}
	struct agg_use *use = arena_new_of(arena, struct agg_use);

	use->aggregation = aggregation;
	use->next = uses->uses;
	uses->uses = use;
	return true;
}

bool agg_check_parameters(struct checker *checker, struct node *aggregation,
			  const struct agg_parameter *parameters,
			  uint32_t count)
{
	const struct node *call = aggregation->variable.call;
	struct agg_uses *uses = aggregation->variable.ident->agg_params;
	const int64_t *params = call->call.data;

	for (uint32_t i = 0; uses && i < count; i++) {
		if (uses->params[i] == params[i])
			continue;
		return diag_error(
			&checker->language->diag, &call->place,
			(enum tag)parameters[i].mismatch,
			"%s( ) %s (argument #%u) doesn't match previous declaration: expected %lld, found %lld",
			call->call.function->name, parameters[i].name, i + 1,
			(long long)uses->params[i], (long long)params[i]);
	}
	agg_note_use(checker, aggregation);
	uses = aggregation->variable.ident->agg_params;
	for (uint32_t i = 0; i < count; i++)
		uses->params[i] = params[i];
	return true;
}
