/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks into a tree, in time that is linear in the number of their frames.
 *
 * Inputs have millions of frames, most of which are in the tree already, so a
 * stack is not walked from the root.  What it shares with the stack before it is
 * known from that one.  Beyond that, the hash of a whole prefix (the outer part
 * of a stack) leads to its node; since a prefix is in the tree whenever a longer
 * one is, a binary search finds the longest.  A hash may lie, so the path that
 * was found is compared with the stack; if it differs, the stack is walked.
 */
#include "view/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "view/big.h"
#include "view/hash.h"

struct slot {
	uint32_t hash;
	uint32_t number; /* of a node, or of a frame + 1; 0: free */
};

/* Open addressing; the size is a power of two, at most half are taken. */
struct slots {
	struct slot *slots;
	uint32_t count, size;
};

struct profile_index {
	struct arena *arena;
	struct slots frames, nodes;
	uint64_t seed;
	uint32_t frame_capacity, node_capacity;
	int64_t sum, sum_before;
	/* the stack before: its frames, nodes and hashes of prefixes */
	uint32_t stack[PROFILE_DEPTH];
	uint32_t path[PROFILE_DEPTH + 1];
	uint32_t hashes[PROFILE_DEPTH + 1];
	uint32_t depth;
	bool is_settled;
};

/* ------------------------------------------------------------------- slots */

static inline struct slot *slot_at(const struct slots *slots, uint32_t hash)
{
	return &slots->slots[hash & (slots->size - 1)];
}

static inline struct slot *slot_after(const struct slots *slots,
				      struct slot *slot)
{
	return ++slot == slots->slots + slots->size ? slots->slots : slot;
}

static void slots_put(const struct slots *slots, struct slot entry)
{
	struct slot *slot = slot_at(slots, entry.hash);

	while (slot->number)
		slot = slot_after(slots, slot);
	*slot = entry;
}

static size_t slots_bytes(const struct slots *slots)
{
	return checked_mul(slots->size, sizeof(struct slot));
}

static void slots_grow(struct slots *slots)
{
	struct slots grown = { .count = slots->count,
			       .size = slots->size ? slots->size * 2 : 1024 };

	grown.slots = big_grow(NULL, 0, slots_bytes(&grown));
	for (uint32_t i = 0; i < slots->size; i++)
		if (slots->slots[i].number)
			slots_put(&grown, slots->slots[i]);
	big_free(slots->slots, slots_bytes(slots));
	*slots = grown;
}

static void slots_insert(struct slots *slots, uint32_t hash, uint32_t number)
{
	if (slots->count >= slots->size / 2)
		slots_grow(slots);
	slots_put(slots, (struct slot){ hash, number });
	slots->count++;
}

/* ------------------------------------------------------------------ frames */

uint32_t profile_frame(struct profile *profile, const char *name, size_t length,
		       const char *object, size_t object_length,
		       enum profile_kind kind)
{
	struct profile_index *index = profile->index;
	uint64_t whole = hash_bytes(index->seed + kind, name, length);

	if (!object)
		object_length = 0;
	whole = hash_bytes(whole, object, object_length);

	uint32_t hash = (uint32_t)whole;

	for (struct slot *slot = slot_at(&index->frames, hash); slot->number;
	     slot = slot_after(&index->frames, slot)) {
		const struct profile_frame *frame =
			&profile->frames[slot->number - 1];

		if (slot->hash == hash && frame->kind == kind &&
		    frame->length == length &&
		    frame->object_length == object_length &&
		    !memcmp(frame->name, name, length) &&
		    (!object_length ||
		     !memcmp(frame->object, object, object_length)))
			return slot->number - 1;
	}
	if (profile->nframes == index->frame_capacity) {
		index->frame_capacity = index->frame_capacity
						? index->frame_capacity * 2
						: 256;
		profile->frames =
			must_realloc(profile->frames,
				     checked_mul(index->frame_capacity,
						 sizeof(*profile->frames)));
	}
	profile->frames[profile->nframes++] = (struct profile_frame){
		.name = arena_strndup(index->arena, name, length),
		.object = object_length ? arena_strndup(index->arena, object,
							object_length)
					: "",
		.length = (uint32_t)length,
		.object_length = (uint32_t)object_length,
		.kind = kind,
	};
	profile->name_bytes += length + object_length + 2;
	slots_insert(&index->frames, hash, profile->nframes);
	return profile->nframes - 1;
}

/* ------------------------------------------------------------------- nodes */

static void grow_nodes(struct profile *profile, uint32_t capacity)
{
	size_t old = profile->index->node_capacity;

	profile->nodes = big_grow(profile->nodes, old * sizeof(*profile->nodes),
				  checked_mul(capacity,
					      sizeof(*profile->nodes)));
	if (profile->before)
		profile->before = big_grow(
			profile->before, old * sizeof(*profile->before),
			checked_mul(capacity, sizeof(*profile->before)));
	profile->index->node_capacity = capacity;
}

static uint32_t node_new(struct profile *profile, uint32_t parent,
			 uint32_t frame)
{
	struct profile_index *index = profile->index;

	if (profile->nnodes == index->node_capacity)
		grow_nodes(profile, index->node_capacity * 2);
	profile->nodes[profile->nnodes] =
		(struct profile_node){ .frame = frame, .parent = parent };
	return profile->nnodes++;
}

/* A node with this hash, which nearly always is the one; 0: there is none. */
static uint32_t node_guess(const struct profile_index *index, uint32_t hash)
{
	for (struct slot *slot = slot_at(&index->nodes, hash); slot->number;
	     slot = slot_after(&index->nodes, slot))
		if (slot->hash == hash)
			return slot->number;
	return 0;
}

static uint32_t node_find(const struct profile *profile, uint32_t hash,
			  uint32_t parent, uint32_t frame)
{
	const struct profile_index *index = profile->index;

	for (struct slot *slot = slot_at(&index->nodes, hash); slot->number;
	     slot = slot_after(&index->nodes, slot)) {
		const struct profile_node *node = &profile->nodes[slot->number];

		if (slot->hash == hash && node->frame == frame &&
		    node->parent == parent)
			return slot->number;
	}
	return 0;
}

/*
 * The depth of the longest prefix that has a node; `known` is one that has, and
 * path[] is filled up to it.
 */
static uint32_t find_longest(const struct profile *profile,
			     const uint32_t *frames, uint32_t known,
			     uint32_t depth)
{
	struct profile_index *index = profile->index;
	uint32_t low = known, high = depth, node = 0;

	/* All of it, often; else between what is there and what is not. */
	for (uint32_t middle = depth; low < high;) {
		uint32_t found = node_guess(index, index->hashes[middle]);

		if (found) {
			node = found;
			low = middle;
		} else {
			high = middle - 1;
		}
		middle = low + (high - low + 1) / 2;
	}

	uint32_t at = low;

	for (; at > known && profile->nodes[node].frame == frames[at - 1];
	     at--) {
		index->path[at] = node;
		node = profile->nodes[node].parent;
	}
	if (at == known && (low == known || node == index->path[known]))
		return low;
	/* Step by step. */
	for (low = known; low < depth; low++) {
		node = node_find(profile, index->hashes[low + 1],
				 index->path[low], frames[low]);
		if (!node)
			break;
		index->path[low + 1] = node;
	}
	return low;
}

/* The node of a stack, made if need be. */
static uint32_t node_of(struct profile *profile, const uint32_t *frames,
			uint32_t depth)
{
	struct profile_index *index = profile->index;
	uint32_t at = 0;

	while (at < depth && at < index->depth &&
	       frames[at] == index->stack[at])
		at++;
	for (uint32_t i = at; i < depth; i++) {
		index->stack[i] = frames[i];
		index->hashes[i + 1] = (uint32_t)mix(index->hashes[i] +
							     index->seed,
						     frames[i]);
	}
	index->depth = depth;
	if (at < depth)
		at = find_longest(profile, frames, at, depth);
	if (depth > profile->depth)
		profile->depth = depth;
	for (uint32_t i = at; i < depth; i++)
		__builtin_prefetch(slot_at(&index->nodes, index->hashes[i + 1]),
				   1);
	for (; at < depth; at++) {
		index->path[at + 1] = node_new(profile, index->path[at],
					       frames[at]);
		slots_insert(&index->nodes, index->hashes[at + 1],
			     index->path[at + 1]);
	}
	return index->path[depth];
}

/* What of a weight is added: the sum stays in its bounds. */
static int64_t admit(struct profile *profile, int64_t *sum, int64_t weight)
{
	if (weight < 0 || weight > PROFILE_MOST - *sum) {
		profile->nignored++;
		return 0;
	}
	*sum += weight;
	profile->index->is_settled = false;
	return weight;
}

static uint32_t cut_depth(struct profile *profile, uint32_t nframes)
{
	if (nframes <= PROFILE_DEPTH)
		return nframes;
	profile->ncut++;
	return PROFILE_DEPTH;
}

void profile_add(struct profile *profile, const uint32_t *frames,
		 uint32_t nframes, int64_t weight)
{
	weight = admit(profile, &profile->index->sum, weight);
	if (!weight)
		return;
	nframes = cut_depth(profile, nframes);
	/* The node first: making it may move the others. */
	uint32_t node = node_of(profile, frames, nframes);

	profile->nodes[node].self += weight;
}

void profile_add_before(struct profile *profile, const uint32_t *frames,
			uint32_t nframes, int64_t weight)
{
	if (!profile->before)
		profile->before =
			big_grow(NULL, 0,
				 checked_mul(profile->index->node_capacity,
					     sizeof(*profile->before)));
	weight = admit(profile, &profile->index->sum_before, weight);
	if (!weight)
		return;
	nframes = cut_depth(profile, nframes);
	uint32_t node = node_of(profile, frames, nframes);

	profile->before[node].self += weight;
}

uint32_t profile_place(struct profile *profile, const uint32_t *frames,
		       uint32_t nframes)
{
	profile->index->is_settled = false;
	return node_of(profile, frames, cut_depth(profile, nframes));
}

void profile_compare(struct profile *profile, const struct profile *other,
		     double scale)
{
	uint32_t *frames = must_alloc(checked_mul(other->nframes,
						  sizeof(*frames)));
	uint32_t stack[PROFILE_DEPTH];
	struct profile_walk walk = { .profile = other };

	for (uint32_t i = 0; i < other->nframes; i++) {
		const struct profile_frame *frame = &other->frames[i];

		frames[i] = profile_frame(profile, frame->name, frame->length,
					  frame->object, frame->object_length,
					  frame->kind);
	}
	profile_add_before(profile, NULL, 0, other->nodes[0].self);
	while (profile_next(&walk)) {
		const struct profile_node *node = &other->nodes[walk.node];

		stack[walk.depth - 1] = frames[node->frame];
		if (node->self)
			profile_add_before(
				profile, stack, walk.depth,
				(int64_t)((double)node->self * scale + 0.5));
	}
	free(frames);
}

/* ------------------------------------------------------------------ settle */

static int frame_compare(const void *a, const void *b, void *frames)
{
	const struct profile_frame *x = (const struct profile_frame *)frames +
					*(const uint32_t *)a;
	const struct profile_frame *y = (const struct profile_frame *)frames +
					*(const uint32_t *)b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->object, y->object);
	return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

/* The place of each frame in the order of names; the caller frees it. */
static uint32_t *rank_frames(const struct profile *profile)
{
	size_t n = (size_t)profile->nframes + 1;
	uint32_t *order = must_alloc(checked_mul(n, sizeof(*order)));
	uint32_t *ranks = must_alloc(checked_mul(n, sizeof(*ranks)));

	for (uint32_t i = 0; i < profile->nframes; i++)
		order[i] = i;
	qsort_r(order, profile->nframes, sizeof(*order), frame_compare,
		profile->frames);
	for (uint32_t i = 0; i < profile->nframes; i++)
		ranks[order[i]] = i;
	free(order);
	return ranks;
}

struct child {
	uint32_t rank, node;
};

static int child_compare(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Most nodes have one child: only the others need sorting. */
static void sort_children(struct profile *profile)
{
	struct profile_node *nodes = profile->nodes;
	uint32_t *ranks = rank_frames(profile);
	struct child *children = NULL;
	size_t capacity = 0;

	for (uint32_t i = 0; i < profile->nnodes; i++) {
		size_t count = 0;

		if (!nodes[i].first_child || !nodes[nodes[i].first_child].next)
			continue;
		for (uint32_t at = nodes[i].first_child; at;
		     at = nodes[at].next) {
			if (count == capacity) {
				capacity = capacity ? capacity * 2 : 64;
				children = must_realloc(
					children,
					checked_mul(capacity,
						    sizeof(*children)));
			}
			children[count++] =
				(struct child){ ranks[nodes[at].frame], at };
		}
		qsort(children, count, sizeof(*children), child_compare);
		nodes[i].first_child = children[0].node;
		for (size_t k = 0; k < count; k++)
			nodes[children[k].node].next =
				k + 1 < count ? children[k + 1].node : 0;
	}
	free(children);
	free(ranks);
}

void profile_settle(struct profile *profile)
{
	struct profile_node *nodes = profile->nodes;
	struct profile_weight *before = profile->before;

	if (profile->index->is_settled)
		return;
	for (uint32_t i = 0; i < profile->nnodes; i++) {
		nodes[i].total = nodes[i].self;
		nodes[i].first_child = 0;
		if (before)
			before[i].total = before[i].self;
	}
	for (uint32_t i = profile->nnodes - 1; i > 0; i--) {
		struct profile_node *parent = &nodes[nodes[i].parent];

		parent->total += nodes[i].total;
		if (before)
			before[nodes[i].parent].total += before[i].total;
		nodes[i].next = parent->first_child;
		parent->first_child = i;
	}
	sort_children(profile);
	profile->index->is_settled = true;
}

bool profile_next(struct profile_walk *walk)
{
	uint32_t child = walk->profile->nodes[walk->node].first_child;

	if (!child)
		return profile_skip(walk);
	walk->node = child;
	walk->depth++;
	return true;
}

bool profile_skip(struct profile_walk *walk)
{
	const struct profile_node *nodes = walk->profile->nodes;

	while (walk->node && !nodes[walk->node].next) {
		walk->node = nodes[walk->node].parent;
		walk->depth--;
	}
	walk->node = walk->node ? nodes[walk->node].next : 0;
	return walk->node != 0;
}

/* -------------------------------------------------------------------- life */

struct profile *profile_new(void)
{
	struct profile *profile = must_alloc(sizeof(*profile));
	struct profile_index *index = must_alloc(sizeof(*index));

	profile->index = index;
	index->arena = arena_new();
	/* An address that differs from run to run: no input knows it. */
	index->seed = mix((uintptr_t)index, (uintptr_t)profile_new);
	slots_grow(&index->frames);
	slots_grow(&index->nodes);
	grow_nodes(profile, 1024);
	profile->nnodes = 1;
	return profile;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	for (uint32_t i = 0; i < profile->nnotes; i++)
		free(profile->notes[i]);
	free(profile->notes);
	free(profile->title);
	free(profile->subtitle);
	free(profile->unit);
	size_t capacity = profile->index->node_capacity;

	big_free(profile->nodes, capacity * sizeof(*profile->nodes));
	if (profile->before)
		big_free(profile->before, capacity * sizeof(*profile->before));
	free(profile->frames);
	big_free(profile->index->frames.slots,
		 slots_bytes(&profile->index->frames));
	big_free(profile->index->nodes.slots,
		 slots_bytes(&profile->index->nodes));
	arena_free(profile->index->arena);
	free(profile->index);
	free(profile);
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = must_strdup(with);
}

void profile_set_title(struct profile *profile, const char *title)
{
	replace(&profile->title, title);
}

void profile_set_subtitle(struct profile *profile, const char *subtitle)
{
	replace(&profile->subtitle, subtitle);
}

void profile_set_unit(struct profile *profile, const char *unit)
{
	replace(&profile->unit, unit);
}

void profile_note(struct profile *profile, const char *format, ...)
{
	struct text text = { 0 };
	va_list args;

	va_start(args, format);
	text_vprintf(&text, format, args);
	va_end(args);
	profile->notes = must_realloc(profile->notes,
				      checked_mul((size_t)profile->nnotes + 1,
						  sizeof(*profile->notes)));
	profile->notes[profile->nnotes++] = must_strdup(text_str(&text));
	text_free(&text);
}
