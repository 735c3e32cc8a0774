/* SPDX-License-Identifier: Apache-2.0 */
/* The list of aggregating functions. */
#include "agg/functions.h"

#include <stddef.h>

#include "agg/agg.h"

const struct function *const agg_functions[] = {
#define AGGREGATE(id) &agg_##id,
#include "agg/functions.def"
#undef AGGREGATE
	NULL,
};
