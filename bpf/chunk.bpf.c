/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of aggregations out of a chunk (src/bpf/chunk_take.c). */
#include "library.h"

/* An entry as src/ir/abi.h has it: tag, touched, key, values. */
enum { TOUCHED = 8, EMPTY = 0, BUSY = 1, OPEN_BIT = 1 };

struct taking {
	char *to, *from;
	uint64_t caps;
	uint64_t entry, values; /* size; where in it values begin */
	uint64_t at;		/* the entry under way */
	uint64_t all;		/* those that were not touched, too */
};

/*
 * A word of the chunk.  Entries end within it; that is tested for the verifier
 * alone, which needs it right before the access.
 */
INLINE uint64_t *word_of(char *p, uint64_t at, uint64_t cap)
{
	uint64_t limit = padded(cap) - 7;

#ifdef __bpf__
	asm volatile("%[at] &= -8\n"
		     "if %[at] < %[limit] goto +1\n"
		     "%[at] = 0\n"
		     : [at] "+r"(at)
		     : [limit] "r"(limit));
#else
	if (at >= limit)
		at = 0;
#endif
	return (uint64_t *)(p + at);
}

INLINE uint64_t exchange(char *p, uint64_t at, uint64_t cap, uint64_t value)
{
	return __atomic_exchange_n(word_of(p, at, cap), value,
				   __ATOMIC_ACQ_REL);
}

/* The flag comes before the values, as it must: see store.c in src/agg. */
static long take_word(uint32_t turn, void *context)
{
	struct taking *t = context;
	uint64_t within = (uint64_t)turn * 8, at = t->at + within;
	uint64_t cap = CAP_MEM(t->caps), word;

	if (within == TOUCHED || within >= fresh(t->values))
		word = exchange(t->from, at, cap, word_at(t->to, at, cap));
	else
		word = word_at(t->from, at, cap);
	put_word(t->to, at, cap, word);
	return 0;
}

static long take_entry(uint32_t turn, void *context)
{
	struct taking *t = context;
	uint64_t cap = CAP_MEM(t->caps);

	t->at = turn * t->entry;
	uint64_t tag = word_at(t->from, t->at, cap);
	uint64_t touched = word_at(t->from, t->at + TOUCHED, cap);

	if (fresh(tag) <= BUSY || !fresh(touched | t->all))
		put_word(t->to, t->at, cap, 0);
	else
		repeat(t->entry >> 3, take_word, t);
	return 0;
}

/*
 * mem (which has the identities of values) = the entries of the chunk at
 * source that were updated, or all of them; others get tag 0.  Values and
 * flags go back to what mem had.  a: size of an entry, and where its values
 * begin << 32; b: how many entries, and all << 32.
 */
LIBRARY(take)
{
	struct taking t = {
		mem,
		(char *)source,
		caps,
		(uint64_t)a & 0xffffffff,
		(uint64_t)a >> 32,
		unknown(0),
		(uint64_t)b >> 32,
	};

	repeat((uint64_t)b & 0xffffffff, take_entry, &t);
	return 0;
}

struct retiring {
	char *chunk;
	uint64_t caps, entry;
	uint64_t changed;
};

static long retire_entry(uint32_t turn, void *context)
{
	struct retiring *r = context;
	uint64_t cap = CAP_MEM(r->caps), at = turn * r->entry;
	uint64_t tag = word_at(r->chunk, at, cap);

	if (fresh(tag) == EMPTY)
		__sync_val_compare_and_swap(word_of(r->chunk, at, cap), EMPTY,
					    BUSY);
	else if (fresh(tag) != BUSY && fresh(tag) & OPEN_BIT)
		exchange(r->chunk, at, cap, tag - OPEN_BIT);
	else
		return 0;
	r->changed += 1;
	return 0;
}

/*
 * Makes programs pass over all entries of the chunk at mem: their tags lose
 * the bit that they compare, which take() does not mind; EMPTY ones are BUSY.
 * An entry that is being claimed is open again when its program publishes it.
 * a: size of an entry; b: how many.  How many were open.
 */
LIBRARY(retire)
{
	struct retiring r = { mem, caps, (uint64_t)a, unknown(0) };

	repeat((uint64_t)b, retire_entry, &r);
	return (int64_t)r.changed;
}
