/* SPDX-License-Identifier: Apache-2.0 */
#include "base/table.h"

#include <stdlib.h>

#include "base/arena.h"

static uint32_t hash_of(struct str key)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < key.n; i++)
		hash = (hash ^ (unsigned char)key.p[i]) * 16777619u;
	return hash;
}

static struct table_entry *find(const struct table *table, struct str key,
				uint32_t hash)
{
	if (!table->nbuckets)
		return NULL;
	uint32_t at = table->buckets[hash & (table->nbuckets - 1)];

	while (at) {
		struct table_entry *entry = &table->entries[at - 1];

		if (entry->hash == hash && str_equal(entry->key, key))
			return entry;
		at = entry->next;
	}
	return NULL;
}

static void link_entry(struct table *table, uint32_t index)
{
	struct table_entry *entry = &table->entries[index];
	uint32_t *bucket = &table->buckets[entry->hash & (table->nbuckets - 1)];

	entry->next = *bucket;
	*bucket = index + 1;
}

static void grow(struct table *table)
{
	table->capacity = table->capacity ? table->capacity * 2 : 16;
	table->entries = must_realloc(table->entries,
				      checked_mul(table->capacity,
						  sizeof(*table->entries)));
	table->nbuckets = table->capacity * 2;
	free(table->buckets);
	table->buckets = must_alloc(checked_mul(table->nbuckets,
						sizeof(*table->buckets)));
	for (uint32_t i = 0; i < table->count; i++)
		link_entry(table, i);
}

void *table_get(const struct table *table, struct str key)
{
	struct table_entry *entry = find(table, key, hash_of(key));

	return entry ? entry->value : NULL;
}

void table_put(struct table *table, struct str key, void *value)
{
	uint32_t hash = hash_of(key);
	struct table_entry *entry = find(table, key, hash);

	if (entry) {
		entry->value = value;
		return;
	}
	if (table->count == table->capacity)
		grow(table);
	table->entries[table->count] = (struct table_entry){
		.key = key,
		.value = value,
		.hash = hash,
	};
	link_entry(table, table->count++);
}

void table_free(struct table *table)
{
	free(table->entries);
	free(table->buckets);
	*table = (struct table){ 0 };
}
