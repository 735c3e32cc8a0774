/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Hash table from text to pointer.  Zero-initialise, put, get, free.  Keys
 * are borrowed: they must live as long as the table (arena strings do).
 * Entries are walked in the order in which they were put.
 */

#include <stdint.h>

#include "base/str.h"

struct table_entry {
	struct str key;
	void *value;
	uint32_t hash;
	uint32_t next; /* index + 1 of the next entry in the bucket */
};

struct table {
	struct table_entry *entries;
	uint32_t *buckets;
	uint32_t count, capacity, nbuckets;
};

void *table_get(const struct table *table, struct str key);
/* Replaces the value of a key that is there already. */
void table_put(struct table *table, struct str key, void *value);
void table_free(struct table *table);
