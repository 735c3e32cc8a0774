/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Associative arrays of the interpreter: a list of elements in the world, so
 * that a second firing sees what the first one stored.
 */

#include <string.h>

#include "ir/internal.h"

static struct ir_element **place_of(struct ir_world *world, uint32_t array,
				    const uint8_t *key, uint32_t size)
{
	struct ir_element **link = &world->elements;

	for (; *link; link = &(*link)->next)
		if ((*link)->array == array && !memcmp((*link)->key, key, size))
			break;
	return link;
}

uint8_t *ir_element_find(struct ir_world *world, uint32_t array,
			 const uint8_t *key, uint32_t size)
{
	struct ir_element *element = *place_of(world, array, key, size);

	return element ? element->value : NULL;
}

bool ir_element_delete(struct ir_world *world, uint32_t array,
		       const uint8_t *key, uint32_t size)
{
	struct ir_element **link = place_of(world, array, key, size);

	if (!*link)
		return false;
	*link = (*link)->next;
	return true;
}

uint8_t *ir_element_make(struct ir_world *world, uint32_t array,
			 const struct ir_array *shape, const uint8_t *key)
{
	struct ir_element *element;

	if (!world->arena)
		return NULL;
	element = arena_new_of(world->arena, struct ir_element);
	element->array = array;
	element->key = arena_copy(world->arena, key, shape->key_size);
	element->value = arena_alloc(world->arena, shape->value_size);
	element->next = world->elements;
	world->elements = element;
	return element->value;
}

void ir_element_sweep(struct ir_world *world, uint32_t array,
		      const uint64_t words[2])
{
	struct ir_element **link = &world->elements;

	while (*link)
		if ((*link)->array == array &&
		    !memcmp((*link)->key, words, 2 * sizeof(*words)))
			*link = (*link)->next;
		else
			link = &(*link)->next;
}
