/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <stdlib.h>

#include "base/arena.h"

void vec_push(struct vec *vec, void *item)
{
	if (vec->count == vec->capacity) {
		vec->capacity = vec->capacity ? vec->capacity * 2 : 8;
		vec->items = must_realloc(vec->items,
					  checked_mul(vec->capacity,
						      sizeof(*vec->items)));
	}
	vec->items[vec->count++] = item;
}

void vec_free(struct vec *vec)
{
	free(vec->items);
	*vec = (struct vec){ 0 };
}
