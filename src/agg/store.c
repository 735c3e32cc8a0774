/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging aggregations.
 *
 * 1. Draining is lossless without stopping any program: a value is exchanged
 *    with the identity of its function, so an update lands either in this drain
 *    or in the next one.  The flag `touched` is set by programs after the
 *    update and cleared here before the exchange, so a set flag may find
 *    nothing new, but an update is never without a flag for long; the final
 *    drain does not rely on it.
 * 2. The same key may be twice in one table (a program that met a busy slot
 *    took the next one) and in many tables; merging by key makes them one.
 * 3. A key that is a probe's name is stored as the probe's id.  Two probes may
 *    have equal names, so the id is replaced by the first id seen with that
 *    name before merging: equal names are equal keys.
 * 4. Actions of one pass over the records see one state (agg_store_begin()):
 *    nothing can get in between printa() and the clear() after it.
 *
 * Slots of tables are freed when a table gets full (store_room.c), not by
 * trunc(), which removes what was merged here.
 */
#include "agg/store.h"

#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/table.h"

enum { PROBE_NAMES = 4, FIRST_BUCKETS = 64 };

static uint64_t hash_key(const uint64_t *key, uint32_t nwords)
{
	uint64_t hash = 0x9e3779b97f4a7c15ull;

	for (uint32_t i = 0; i < nwords; i++) {
		hash = (hash ^ key[i]) * 0xff51afd7ed558ccdull;
		hash ^= hash >> 32;
	}
	return hash;
}

static uint32_t key_words(const struct agg_variable *variable)
{
	return variable->layout->key_size / 8;
}

/* ------------------------------------------------------------- elements */

static void link_element(struct agg_variable *variable, uint32_t index)
{
	struct agg_element *element = variable->elements[index];
	uint32_t *bucket =
		&variable->buckets[element->hash & (variable->nbuckets - 1)];

	element->next = *bucket;
	*bucket = index + 1;
}

static void rehash(struct agg_variable *variable)
{
	free(variable->buckets);
	variable->buckets = must_alloc(checked_mul(variable->nbuckets,
						   sizeof(uint32_t)));
	for (uint32_t i = 0; i < variable->count; i++)
		link_element(variable, i);
}

static struct agg_element *find(const struct agg_variable *variable,
				const uint64_t *key, uint64_t hash)
{
	uint32_t at =
		variable->nbuckets
			? variable->buckets[hash & (variable->nbuckets - 1)]
			: 0;

	while (at) {
		struct agg_element *element = variable->elements[at - 1];

		if (element->hash == hash &&
		    !memcmp(element->words, key, variable->layout->key_size))
			return element;
		at = element->next;
	}
	return NULL;
}

struct agg_element *agg_variable_find(const struct agg_variable *variable,
				      const uint64_t *key)
{
	return find(variable, key, hash_key(key, key_words(variable)));
}

static uint32_t per_cpu(const struct agg_store *store)
{
	return store->is_per_cpu ? store->maps->ncpus : 0;
}

/* How many words of values an element has: the merged ones first. */
static size_t value_words(const struct agg_store *store,
			  const struct agg_variable *variable)
{
	return ((size_t)per_cpu(store) + 1) * variable->layout->nvalues;
}

static void set_identity(const struct agg_store *store,
			 const struct agg_variable *variable,
			 struct agg_element *element)
{
	int64_t *values = agg_values(variable, element);
	size_t n = value_words(store, variable);
	uint32_t nvalues = variable->layout->nvalues;

	for (size_t i = 0; i < n; i++)
		values[i] = variable->identities
				    ? variable->identities[i % nvalues]
				    : 0;
	for (uint32_t cpu = 0; cpu < per_cpu(store); cpu++)
		*agg_cpu_mark(store, variable, element, cpu) = 0;
}

static struct agg_element *add_element(const struct agg_store *store,
				       struct agg_variable *variable,
				       const uint64_t *key, uint64_t hash)
{
	const struct schema_aggregation *layout = variable->layout;
	size_t words = key_words(variable) + value_words(store, variable) +
		       per_cpu(store);
	struct agg_element *element = must_alloc(sizeof(*element) +
						 words * sizeof(uint64_t));

	element->hash = hash;
	if (layout->key_size)
		memcpy(element->words, key, layout->key_size);
	set_identity(store, variable, element);

	if (variable->count == variable->capacity) {
		variable->capacity = variable->capacity ? variable->capacity * 2
							: FIRST_BUCKETS / 2;
		variable->elements = must_realloc(
			variable->elements,
			checked_mul(variable->capacity, sizeof(element)));
		variable->nbuckets = variable->capacity * 2;
		rehash(variable);
	}
	variable->elements[variable->count] = element;
	link_element(variable, variable->count++);
	return element;
}

/* Removes all but the first `keep`; the caller rehashes. */
static void drop_elements(struct agg_variable *variable, uint32_t keep)
{
	for (uint32_t i = keep; i < variable->count; i++)
		free(variable->elements[i]);
	variable->count = keep;
}

/* ------------------------------------------------------------- draining */

/* The id that represents all probes with this name. */
static uint32_t canonical_id(struct agg_store *store,
			     const struct schema_field *key, uint32_t id)
{
	const struct fact_probe *probe = store->ask.probe(store->ask.context,
							  id);
	struct fact_value value = fact_value_of(key, NULL, NULL, probe);
	const char *text = (const char *)value.bytes;
	struct str name = { text, strnlen(text, value.size) };
	struct table *table = &store->names[key->which];
	uintptr_t known = (uintptr_t)table_get(table, name);

	if (known)
		return (uint32_t)(known - 1);
	table_put(table, name, (void *)((uintptr_t)id + 1));
	return id;
}

static void canonical_key(struct agg_store *store,
			  const struct agg_variable *variable, uint8_t *key)
{
	const struct schema_aggregation *layout = variable->layout;

	for (uint32_t i = 0; i < layout->nkeys; i++) {
		const struct schema_field *field = &layout->keys[i];
		uint32_t id;

		if (field->symbol)
			store->ask.key(store->ask.context, field, key);
		if (field->form != FIELD_PROBE_ID)
			continue;
		memcpy(&id, key + field->offset, sizeof(id));
		id = canonical_id(store, field, id);
		memcpy(key + field->offset, &id, sizeof(id));
	}
}

/* Moves an entry's values to store->values; was any not the identity? */
static bool take_values(struct agg_store *store,
			const struct agg_variable *variable, int64_t *values)
{
	uint32_t nvalues = variable->layout->nvalues;
	bool is_any = false;

	for (uint32_t i = 0; i < nvalues; i++) {
		int64_t identity = variable->identities
					   ? variable->identities[i]
					   : 0;

		store->values[i] = identity;
		if (__atomic_load_n(&values[i], __ATOMIC_RELAXED) == identity)
			continue;
		store->values[i] = __atomic_exchange_n(&values[i], identity,
						       __ATOMIC_ACQ_REL);
		is_any = true;
	}
	return is_any;
}

/*
 * A flag without values: an update of 0, or one whose values an earlier drain
 * took before the flag was set.  The latter must not bring back what trunc()
 * has removed.
 */
static bool is_late_flag(const struct agg_variable *variable)
{
	if (variable->layout->aggregate->always_changes)
		return true;
	return variable->identities && variable->is_truncated;
}

/* Merges store->values of store->key into the element of that key. */
static struct agg_element *merge_into(const struct agg_store *store,
				      struct agg_variable *variable,
				      uint64_t hash)
{
	const struct schema_aggregation *layout = variable->layout;
	struct agg_element *element = find(variable, store->key, hash);

	if (!element)
		element = add_element(store, variable, store->key, hash);
	layout->aggregate->merge(agg_values(variable, element), store->values,
				 layout->nvalues);
	return element;
}

static void merge_values(struct agg_store *store, struct agg_variable *variable,
			 const uint8_t *key, uint32_t cpu)
{
	const struct schema_aggregation *layout = variable->layout;
	const struct aggregate *aggregate = layout->aggregate;

	memcpy(store->key, key, layout->key_size);
	if (variable->has_names)
		canonical_key(store, variable, (uint8_t *)store->key);

	uint64_t hash = hash_key(store->key, key_words(variable));
	struct agg_element *element = merge_into(store, variable, hash);

	if (variable->fresh) {
		merge_into(store, variable->fresh, hash);
		store->updates += aggregate->count
					  ? aggregate->count(store->values,
							     layout->nvalues)
					  : 1;
	}
	if (!store->is_per_cpu)
		return;
	aggregate->merge(agg_cpu_values(variable, element, cpu), store->values,
			 layout->nvalues);
	*agg_cpu_mark(store, variable, element, cpu) = 1;
}

static void take_entry(struct agg_store *store, struct agg_variable *variable,
		       struct abi_agg_entry *entry, uint32_t cpu,
		       bool is_touched)
{
	const struct schema_aggregation *layout = variable->layout;
	uint8_t *key = (uint8_t *)(entry + 1);
	int64_t *values = (int64_t *)(key + layout->key_size);

	if (take_values(store, variable, values) ||
	    (is_touched && !is_late_flag(variable)))
		merge_values(store, variable, key, cpu);
}

static bool take_flag(struct abi_agg_entry *entry)
{
	return __atomic_load_n(&entry->touched, __ATOMIC_RELAXED) &&
	       __atomic_exchange_n(&entry->touched, 0, __ATOMIC_ACQ_REL);
}

void agg_entry_take(struct agg_store *store, struct agg_variable *variable,
		    struct abi_agg_entry *entry, uint32_t cpu)
{
	take_entry(store, variable, entry, cpu, take_flag(entry));
}

void agg_variable_drain(struct agg_store *store, struct agg_variable *variable,
			bool is_final)
{
	uint32_t index = (uint32_t)(variable - store->variables);

	if (!variable->layout || index >= store->maps->naggs)
		return;
	const struct bpf_agg_map *map = &store->maps->aggs[index];

	if (!map->memory)
		return;
	variable->used = 0;
	for (uint32_t cpu = 0; cpu < store->maps->ncpus; cpu++) {
		uint8_t *at = map->memory + cpu * map->element_size +
			      sizeof(struct abi_agg_table);
		uint32_t used = 0;

		for (uint32_t i = 0; i < map->entries;
		     i++, at += map->entry_size) {
			struct abi_agg_entry *entry =
				(struct abi_agg_entry *)at;
			uint64_t tag = __atomic_load_n(&entry->tag,
						       __ATOMIC_ACQUIRE);

			if (!agg_entry_is_live(tag))
				continue;
			used++;
			bool is_touched = take_flag(entry);

			if (is_touched || is_final)
				take_entry(store, variable, entry, cpu,
					   is_touched);
		}
		if (used > variable->used)
			variable->used = used;
	}
	agg_chunks_drain(store, variable, index, is_final);
}

void agg_variable_fetch(struct agg_store *store, struct agg_variable *variable)
{
	if (store->pass && variable->pass == store->pass)
		return;
	variable->pass = store->pass;
	agg_variable_drain(store, variable, false);
}

void agg_store_begin(struct agg_store *store)
{
	if (store)
		store->pass = ++store->passes;
}

void agg_store_end(struct agg_store *store)
{
	if (store)
		store->pass = 0;
}

void agg_store_drain(struct agg_store *store, bool is_final)
{
	for (uint32_t i = 0; i < store->nvariables; i++)
		agg_variable_drain(store, &store->variables[i], is_final);
}

uint64_t agg_store_drops(struct agg_store *store, uint32_t cpu)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < store->maps->naggs; i++) {
		const struct bpf_agg_map *map = &store->maps->aggs[i];

		if (!map->memory)
			continue;
		struct abi_agg_table *table =
			(struct abi_agg_table *)(map->memory +
						 cpu * map->element_size);

		total += __atomic_load_n(&table->drops, __ATOMIC_RELAXED);
	}
	uint64_t fresh = total - store->drops_seen[cpu];

	store->drops_seen[cpu] = total;
	return fresh;
}

uint64_t agg_store_updates(const struct agg_store *store)
{
	return store->updates;
}

/* -------------------------------------------------------------- control */

struct agg_variable *agg_store_variable(struct agg_store *store, uint32_t id)
{
	if (!store || id >= store->nvariables)
		return NULL;
	struct agg_variable *variable = &store->variables[id];

	return variable->layout ? variable : NULL;
}

static struct agg_variable *drained(struct agg_store *store, uint32_t id)
{
	struct agg_variable *variable = agg_store_variable(store, id);

	if (variable)
		agg_variable_fetch(store, variable);
	return variable;
}

void agg_store_clear(struct agg_store *store, uint32_t id)
{
	struct agg_variable *variable = drained(store, id);

	for (uint32_t i = 0; variable && i < variable->count; i++)
		set_identity(store, variable, variable->elements[i]);
}

struct trunc_order {
	const struct agg_store *store;
	const struct agg_variable *variable;
	bool wants_largest;
};

static bool is_better(struct agg_element *const *a,
		      struct agg_element *const *b,
		      const struct trunc_order *order)
{
	const struct schema_aggregation *layout = order->variable->layout;
	int result = layout->aggregate->compare(agg_values(order->variable, *a),
						agg_values(order->variable, *b),
						layout->nvalues,
						layout->params);

	if (!result)
		result = agg_compare_keys(order->store, layout, agg_key(*a),
					  layout, agg_key(*b));
	return order->wants_largest ? result > 0 : result < 0;
}

/* Sifts elements[at] to its place in a heap with the worst one on top. */
static void sift(struct agg_element **heap, uint32_t count, uint32_t at,
		 struct trunc_order *order)
{
	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= count)
			return;
		if (child + 1 < count &&
		    is_better(&heap[child], &heap[child + 1], order))
			child++;
		if (!is_better(&heap[at], &heap[child], order))
			return;
		struct agg_element *other = heap[at];

		heap[at] = heap[child];
		heap[child] = other;
		at = child;
	}
}

/*
 * Puts the `keep` best elements first, in any order.  All others are compared
 * with a heap of them: few of half a million are found in one pass.
 */
static void select_best(struct agg_variable *variable, uint32_t keep,
			struct trunc_order *order)
{
	struct agg_element **elements = variable->elements;

	for (uint32_t i = keep / 2; i-- > 0;)
		sift(elements, keep, i, order);
	for (uint32_t i = keep; i < variable->count; i++) {
		if (!is_better(&elements[i], &elements[0], order))
			continue;
		struct agg_element *other = elements[0];

		elements[0] = elements[i];
		elements[i] = other;
		sift(elements, keep, 0, order);
	}
}

/* n > 0 keeps the n largest, n < 0 the |n| smallest. */
void agg_store_trunc(struct agg_store *store, uint32_t id, int64_t n,
		     bool has_n)
{
	struct agg_variable *variable = drained(store, id);

	if (!variable || !variable->count)
		return;
	uint64_t keep = !has_n ? 0 : n < 0 ? -(uint64_t)n : (uint64_t)n;
	struct trunc_order order = { store, variable, n > 0 };

	if (keep >= variable->count)
		return;
	variable->is_truncated = true;
	if (keep)
		select_best(variable, (uint32_t)keep, &order);
	drop_elements(variable, (uint32_t)keep);
	rehash(variable);
}

static int compare_elements(const void *a, const void *b, void *data)
{
	if (is_better(a, b, data))
		return -1;
	return is_better(b, a, data);
}

/* false: the walk is over. */
static bool walk_variable(struct agg_store *store,
			  struct agg_variable *variable, agg_visit *visit,
			  void *data)
{
	struct trunc_order order = { store, variable, false };
	enum agg_walk next = AGG_WALK_NEXT;
	uint32_t kept = 0;

	qsort_r(variable->elements, variable->count,
		sizeof(variable->elements[0]), compare_elements, &order);
	for (uint32_t i = 0; i < variable->count; i++) {
		struct agg_element *element = variable->elements[i];
		int64_t *values = agg_values(variable, element);
		struct agg_row row = { variable->layout, agg_key(element),
				       values, variable->normal };

		if (next != AGG_WALK_STOP)
			next = visit(data, &row);
		if (next == AGG_WALK_CLEAR)
			set_identity(store, variable, element);
		if (next == AGG_WALK_REMOVE)
			free(element);
		else
			variable->elements[kept++] = element;
	}
	variable->count = kept;
	rehash(variable);
	return next != AGG_WALK_STOP;
}

void agg_store_walk(struct agg_store *store, agg_visit *visit, void *data)
{
	for (uint32_t i = 0; i < store->nvariables; i++) {
		struct agg_variable *variable = &store->variables[i];

		if (variable->layout && variable->count &&
		    !walk_variable(store, variable, visit, data))
			return;
	}
}

void agg_store_normalize(struct agg_store *store, uint32_t id, uint64_t factor)
{
	struct agg_variable *variable = drained(store, id);

	if (variable && factor)
		variable->normal = factor;
}

void agg_store_denormalize(struct agg_store *store, uint32_t id)
{
	struct agg_variable *variable = drained(store, id);

	if (variable)
		variable->normal = 1;
}

/*
 * -------------------------------------------- creating and freeing the store
 */

/* NULL: all of them are 0, which is usual. */
static int64_t *identities_of(const struct schema_aggregation *layout)
{
	int64_t *identities;

	if (!layout->aggregate->identity)
		return NULL;
	identities = must_alloc(checked_mul(layout->nvalues, sizeof(int64_t)));
	for (uint32_t i = 0; i < layout->nvalues; i++)
		identities[i] = layout->aggregate->identity(i);
	return identities;
}

static void init_variable(struct agg_variable *variable,
			  const struct schema_aggregation *layout)
{
	variable->normal = 1;
	if (!layout || !layout->is_updated)
		return;
	variable->layout = layout;
	variable->identities = identities_of(layout);
	for (uint32_t k = 0; k < layout->nkeys; k++)
		if (layout->keys[k].form == FIELD_PROBE_ID ||
		    layout->keys[k].symbol)
			variable->has_names = true;
}

struct agg_store *agg_store_new(const struct schema *schema,
				const struct bpf_maps *maps,
				const struct options *options,
				const struct agg_names *names)
{
	struct agg_store *store = must_alloc(sizeof(*store));
	uint32_t key_size = 8, nvalues = 1;

	store->schema = schema;
	store->options = options;
	store->ask = *names;
	store->maps = maps;
	store->is_per_cpu = option_on(options, OPTION_AGGPERCPU);
	store->nvariables = schema->naggregations;
	store->variables = must_alloc(checked_mul(store->nvariables,
						  sizeof(struct agg_variable)));
	for (uint32_t i = 0; i < store->nvariables; i++) {
		const struct schema_aggregation *layout =
			schema->aggregations[i];

		init_variable(&store->variables[i], layout);
		if (layout && layout->key_size > key_size)
			key_size = layout->key_size;
		if (layout && layout->nvalues > nvalues)
			nvalues = layout->nvalues;
	}
	store->names = must_alloc(PROBE_NAMES * sizeof(struct table));
	store->key = must_alloc(key_size);
	store->values = must_alloc(checked_mul(nvalues, sizeof(int64_t)));
	store->drops_seen = must_alloc(checked_mul(maps->ncpus,
						   sizeof(uint64_t)));
	return store;
}

void agg_store_keep_fresh(struct agg_store *store)
{
	for (uint32_t i = 0; i < store->nvariables; i++) {
		struct agg_variable *variable = &store->variables[i];

		if (!variable->layout || variable->fresh)
			continue;
		variable->fresh = must_alloc(sizeof(*variable->fresh));
		variable->fresh->layout = variable->layout;
		variable->fresh->identities = variable->identities;
	}
}

void agg_variable_empty(struct agg_variable *variable)
{
	drop_elements(variable, 0);
	rehash(variable);
}

static void free_elements(struct agg_variable *variable)
{
	drop_elements(variable, 0);
	free(variable->elements);
	free(variable->buckets);
}

void agg_store_free(struct agg_store *store)
{
	if (!store)
		return;
	for (uint32_t i = 0; i < store->nvariables; i++) {
		struct agg_variable *variable = &store->variables[i];

		free_elements(variable);
		if (variable->fresh)
			free_elements(variable->fresh);
		free(variable->fresh);
		free(variable->identities);
	}
	agg_chunks_free(store->chunks);
	for (unsigned i = 0; i < PROBE_NAMES; i++)
		table_free(&store->names[i]);
	free(store->names);
	free(store->variables);
	free(store->key);
	free(store->values);
	free(store->drops_seen);
	free(store);
}
