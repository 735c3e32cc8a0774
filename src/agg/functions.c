/* SPDX-License-Identifier: Apache-2.0 */
/* The list of aggregating functions. */
#include "agg/functions.h"

#include <stddef.h>
#include <string.h>

#include "agg/agg.h"

const struct function *const agg_functions[] = {
#define AGGREGATE(id) &agg_##id,
#include "agg/functions.def"
#undef AGGREGATE
	NULL,
};

const struct aggregate *agg_find(const char *name, const int64_t *params,
				 uint32_t nvalues)
{
	for (const struct function *const *at = agg_functions; *at; at++) {
		const struct aggregate *aggregate = (*at)->aggregate;

		if (strcmp((*at)->name, name))
			continue;
		if (aggregate->accepts && !aggregate->accepts(params))
			return NULL;
		return aggregate->nvalues(params) == nvalues ? aggregate : NULL;
	}
	return NULL;
}
