/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The aggregation store: what all CPUs counted, merged by key.
 *
 * Programs update per-CPU tables in shared memory (bpf/abi.h); draining takes
 * every value out of them by exchanging it with its identity and merges it
 * here.  From then on an aggregation is plain user-space data, so that
 * printa(), clear(), trunc() and normalize() are matters of this store alone.
 */

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"
#include "ir/layout.h"
#include "out/out.h"

struct agg_store;
struct format;

/*
 * `layouts[i]` describes `maps->aggs[i]`; i is the aggregation's ident id.
 * The printer resolves probe names in keys; all three are borrowed.
 */
struct agg_store *agg_store_new(struct printer *printer,
				const struct agg_layout *layouts,
				uint32_t nlayouts, const struct bpf_maps *maps);
void agg_store_free(struct agg_store *store);

/* Take what the tables hold.  `is_final`: no program runs any more. */
void agg_store_drain(struct agg_store *store, bool is_final);
/*
 * The same, and give room back in tables that are half full (aggroom.c).
 * True: they still are, so come again soon.
 */
bool agg_store_drain_for_room(struct agg_store *store);
/*
 * Between these two an aggregation is drained once, at the first action that
 * wants it: what printa() shows is what clear() behind it removes.
 */
void agg_store_begin(struct agg_store *store);
void agg_store_end(struct agg_store *store);
/* Updates lost on that CPU since the last call. */
uint64_t agg_store_drops(struct agg_store *store, uint32_t cpu);

/* Actions.  All of them have the aggregations concerned drained first. */
bool agg_store_print(struct printer *printer, struct ident *const *idents,
		     uint32_t n, const struct format *format);
void agg_store_clear(struct agg_store *store, const struct ident *ident);
void agg_store_trunc(struct agg_store *store, const struct ident *ident,
		     int64_t n, bool has_n);
void agg_store_normalize(struct agg_store *store, const struct ident *ident,
			 uint64_t factor);
void agg_store_denormalize(struct agg_store *store, const struct ident *ident);

/*
 * Every element of every aggregation, in the order that printing has; by
 * variable, in order of first use.  The visitor says what becomes of it.
 */
struct agg_row {
	const struct agg_layout *layout;
	const uint8_t *key;
	const int64_t *values;
	uint64_t normal;
};
enum agg_walk { AGG_WALK_NEXT, AGG_WALK_STOP, AGG_WALK_CLEAR, AGG_WALK_REMOVE };
typedef enum agg_walk agg_visit(void *data, const struct agg_row *row);
void agg_store_walk(struct agg_store *store, agg_visit *visit, void *data);

/* End of the run: what no printa() has shown. */
void agg_store_print_rest(struct printer *printer);
/* -x top: the same now, in place of what the terminal shows. */
void agg_store_print_top(struct printer *printer);

/* --------------------------------------- inside run/: store and printer */

struct agg_element {
	uint64_t hash;
	uint32_t next;		/* index + 1 in the variable's bucket */
	uint64_t words[];	/* key, then values */
};

struct agg_variable {
	const struct agg_layout *layout;	/* ident NULL: never updated */
	struct agg_element **elements;
	uint32_t count, capacity;
	uint32_t *buckets;
	uint32_t nbuckets;
	uint64_t normal;
	bool is_printed;
	bool has_names;		/* some key is a probe id or an address */
	bool is_truncated;	/* trunc() has removed elements */
	uint32_t used;		/* entries in use, on the fullest CPU */
	uint64_t pass;		/* drained in this pass */
};

struct agg_store {
	struct printer *printer;
	const struct bpf_maps *maps;
	struct agg_variable *variables;
	uint32_t nvariables;
	/* by enum probe_name: name -> the probe id that stands for it */
	struct table *names;
	uint64_t *key;		/* scratch: a key being merged */
	int64_t *values;	/* scratch: values being merged */
	uint64_t *drops_seen;	/* by CPU */
	uint64_t pass;		/* number of the pass; 0: outside of one */
	uint64_t passes;	/* so far */
	bool is_per_cpu;	/* elements keep the values of each CPU, too */
	/*
	 * Some program may sleep: tables keep their entries, for no way is
	 * known to wait for it (aggroom.c).
	 */
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
				      struct agg_element *element,
				      uint32_t cpu)
{
	return agg_values(variable, element) +
	       (size_t)(cpu + 1) * variable->layout->nvalues;
}

/* Behind the values of all CPUs a word for each: did it change anything? */
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

struct agg_variable *agg_store_variable(struct agg_store *store,
					const struct ident *ident);
void agg_variable_drain(struct agg_store *store, struct agg_variable *variable,
			bool is_final);
/* For an action: drained, but once in a pass. */
void agg_variable_fetch(struct agg_store *store, struct agg_variable *variable);
/* Take an entry's values, whatever its tag and flag say. */
void agg_entry_take(struct agg_store *store, struct agg_variable *variable,
		    struct abi_agg_entry *entry, uint32_t cpu);
/* The element with these keys, or NULL. */
struct agg_element *agg_variable_find(const struct agg_variable *variable,
				      const uint64_t *key);
/* Order of keys that may come from different variables (aggprint.c). */
int agg_compare_keys(struct printer *printer, const struct agg_layout *la,
		     const uint8_t *a, const struct agg_layout *lb,
		     const uint8_t *b);
