/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: every built-in name, for the compiler. */
#include "agg/functions.h"
#include "builtin/builtin.h"

static const struct function *const functions[] = {
#define FUNCTION(id) &function_##id,
#include "builtin/functions.def"
#undef FUNCTION
#define AGGREGATE(id) &agg_##id,
#include "agg/functions.def"
#undef AGGREGATE
	NULL,
};

static const struct builtin_variable *const variables[] = {
#define VARIABLE(id) &variable_##id,
#include "builtin/variables.def"
#undef VARIABLE
	NULL,
};

const struct language_registry *builtin_registry(void)
{
	static const struct language_registry registry = {
		.functions = functions, .variables = variables,
	};

	return &registry;
}
