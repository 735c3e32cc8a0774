/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The aggregation store: what all CPUs counted, merged by key.
 *
 * Programs update per-CPU tables in shared memory (ir/abi.h).  Draining takes
 * every value out of them by exchanging it with its identity and merges it
 * here.  From then on an aggregation is plain user-space data, so printa(),
 * clear(), trunc() and normalize() concern only this store.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"
#include "bpf/bpf.h"
#include "facts/fact.h"

struct agg_store;

/* What the store asks in order to know which keys are the same. */
struct agg_names {
	void *context;
	const struct fact_probe *(*probe)(void *context, uint32_t id);
	/*
	 * Replaces an address or stack in a key by the one that represents it.
	 */
	void (*key)(void *context, const struct schema_field *key,
		    uint8_t *bytes);
};

/*
 * `schema->aggregations[i]` describes `maps->aggs[i]`.  Everything is
 * borrowed.
 */
struct agg_store *agg_store_new(const struct schema *schema,
				const struct bpf_maps *maps,
				const struct options *options,
				const struct agg_names *names);
void agg_store_free(struct agg_store *store);

/* Takes what the tables hold.  `is_final`: no program is running any more. */
void agg_store_drain(struct agg_store *store, bool is_final);
/*
 * The same, and frees room in tables that are half full (store_room.c).  True:
 * they still are, so come again soon.
 */
bool agg_store_drain_for_room(struct agg_store *store);
/*
 * Between these two calls an aggregation is drained once, at the first action
 * that uses it: what printa() shows is what a clear() after it removes.
 */
void agg_store_begin(struct agg_store *store);
void agg_store_end(struct agg_store *store);
/* Why entries beyond the tables cannot be read; NULL: they can. */
const char *agg_store_problem(const struct agg_store *store);
/* Updates lost on that CPU since the last call. */
uint64_t agg_store_drops(struct agg_store *store, uint32_t cpu);

/* Actions, by id.  All of them drain the aggregation first. */
void agg_store_clear(struct agg_store *store, uint32_t id);
void agg_store_trunc(struct agg_store *store, uint32_t id, int64_t n,
		     bool has_n);
void agg_store_normalize(struct agg_store *store, uint32_t id, uint64_t factor);
void agg_store_denormalize(struct agg_store *store, uint32_t id);

/*
 * Every element of every aggregation, in printing order; by variable, in order
 * of first use.  The visitor decides what happens to it.
 */
struct agg_row {
	const struct schema_aggregation *layout;
	const uint8_t *key;
	const int64_t *values;
	uint64_t normal;
};
enum agg_walk { AGG_WALK_NEXT, AGG_WALK_STOP, AGG_WALK_CLEAR, AGG_WALK_REMOVE };
typedef enum agg_walk agg_visit(void *data, const struct agg_row *row);
void agg_store_walk(struct agg_store *store, agg_visit *visit, void *data);

/*
 * Aggregations joined on their keys and sorted (table.c): the fact, and its
 * parts.  Those of printa() are drained first.
 */
struct agg_table;
struct agg_table *agg_table_new(struct agg_store *store, const uint32_t *ids,
				uint32_t n);
const struct fact_table *agg_table_fact(const struct agg_table *table);
void agg_table_free(struct agg_table *table);
/*
 * A table for each aggregation that no printa() has shown, in the order to show
 * them, with at most this many rows (0: all); until `show` returns false.
 */
typedef bool agg_show(void *data, const struct fact_table *table);
bool agg_store_show_rest(struct agg_store *store, uint32_t most, agg_show *show,
			 void *data);
/*
 * Snapshots: from now on also keep separately what is drained.
 * agg_store_show_fresh() shows it, a table for each aggregation, and discards
 * it: the sum of all that is ever shown is all that was ever counted.
 */
void agg_store_keep_fresh(struct agg_store *store);
bool agg_store_show_fresh(struct agg_store *store, agg_show *show, void *data);
/*
 * How many updates were drained since then.  Functions whose values do not tell
 * (sum, min, max) count once for a key, a CPU and a drain.
 */
uint64_t agg_store_updates(const struct agg_store *store);
/* How many tables agg_store_show_rest() would show. */
uint32_t agg_store_count_rest(const struct agg_store *store);

/* ------------------------------------- inside agg/: the store itself */

struct agg_element {
	uint64_t hash;
	uint32_t next;	  /* index + 1 in the variable's bucket */
	uint64_t words[]; /* key, then values */
};

struct agg_variable {
	const struct schema_aggregation *layout; /* or NULL: never updated */
	struct agg_element **elements;
	uint32_t count, capacity;
	uint32_t *buckets;
	uint32_t nbuckets;
	int64_t *identities; /* by slot; NULL: 0 */
	uint64_t normal;
	bool is_printed;
	bool has_names;	   /* some key is a probe id or an address */
	bool is_truncated; /* trunc() has removed elements */
	uint32_t used;	   /* entries in use, on the fullest CPU */
	uint64_t pass;	   /* drained in this pass */
	/* What was drained since the last snapshot, or NULL: not enabled. */
	struct agg_variable *fresh;
};

struct agg_store {
	const struct schema *schema;
	const struct options *options;
	struct agg_names ask;
	const struct bpf_maps *maps;
	struct agg_chunks *chunks; /* NULL: none so far */
	struct agg_variable *variables;
	uint32_t nvariables;
	/* by enum probe_name: name -> the probe id that represents it */
	struct table *names;
	uint64_t *key;	      /* scratch: a key being merged */
	int64_t *values;      /* scratch: values being merged */
	uint64_t *drops_seen; /* by CPU */
	uint64_t pass;	      /* number of the pass; 0: outside a pass */
	uint64_t passes;      /* so far */
	uint64_t updates;     /* drained, as far as known, since keep_fresh */
	bool is_per_cpu;      /* elements keep the values of each CPU, too */
	/* Programs cannot be waited for: entries stay with their keys. */
	bool is_fixed;
};

static inline const uint8_t *agg_key(const struct agg_element *element)
{
	return (const uint8_t *)element->words;
}

static inline int64_t *agg_values(const struct agg_variable *variable,
				  struct agg_element *element)
{
	return (int64_t *)(element->words + variable->layout->key_size / 8);
}

/* aggpercpu: what one CPU contributed; valid if store->is_per_cpu. */
static inline int64_t *agg_cpu_values(const struct agg_variable *variable,
				      struct agg_element *element, uint32_t cpu)
{
	return agg_values(variable, element) +
	       (size_t)(cpu + 1) * variable->layout->nvalues;
}

/* After the values of all CPUs, a word for each: did it change anything? */
static inline int64_t *agg_cpu_mark(const struct agg_store *store,
				    const struct agg_variable *variable,
				    struct agg_element *element, uint32_t cpu)
{
	return agg_cpu_values(variable, element, store->maps->ncpus) + cpu;
}

static inline bool agg_entry_is_live(uint64_t tag)
{
	return tag != AGG_TAG_EMPTY && tag != AGG_TAG_BUSY;
}

struct agg_variable *agg_store_variable(struct agg_store *store, uint32_t id);
void agg_variable_drain(struct agg_store *store, struct agg_variable *variable,
			bool is_final);
/* For an action: drains, but only once in a pass. */
void agg_variable_fetch(struct agg_store *store, struct agg_variable *variable);
/* Takes an entry's values, whatever its tag and flag are. */
void agg_entry_take(struct agg_store *store, struct agg_variable *variable,
		    struct abi_agg_entry *entry, uint32_t cpu);
/* What is stored beyond the tables (store_chunk.c). */
void agg_chunks_drain(struct agg_store *store, struct agg_variable *variable,
		      uint32_t index, bool is_final);
/* Frees chunks that have not been used for a while, after a drain. */
void agg_chunks_release(struct agg_store *store, struct agg_variable *variable,
			uint32_t index);
/* After that: has the kernel really free them. */
void agg_chunks_settle(struct agg_store *store);
void agg_chunks_free(struct agg_chunks *chunks);
/*
 * Waits until every program that has used this aggregation's entries so far has
 * ended (store_wait.c).  False: some may not have.  Call only if it can be
 * done.
 */
bool agg_can_wait(struct agg_store *store);
bool agg_wait_for_programs(const struct agg_store *store,
			   const struct bpf_agg_map *map);
/* The element with these keys, or NULL. */
struct agg_element *agg_variable_find(const struct agg_variable *variable,
				      const uint64_t *key);
void agg_variable_empty(struct agg_variable *variable);
/* A key, with names of probes filled in. */
struct fact_value agg_store_key(const struct agg_store *store,
				const struct schema_field *key,
				const uint8_t *bytes);
/* Order of keys that may come from different variables (table.c). */
int agg_compare_keys(const struct agg_store *store,
		     const struct schema_aggregation *la, const uint8_t *a,
		     const struct schema_aggregation *lb, const uint8_t *b);
