/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A profile: weighted stacks, merged into one tree.
 *
 * Readers of text (view/read.h) and sinks add stacks; writers (view/write.h)
 * draw the tree.  Every path from the root is a stack that was added, or the
 * outer part of one.
 *
 * 1. A parent's number is lower than those of its children; node 0 is the root.
 * 2. `self`: weight of stacks that end here.  `total` and the children are right
 *    after profile_settle() only.
 * 3. The sum of all weights is at most PROFILE_MOST, which a number of
 *    JavaScript holds exactly.  What is beyond it is not added.
 * 4. A profile may have a second set of weights: those of the run before, which
 *    it is compared with.  A path that exists only there has a total of 0.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum profile_kind {
	PROFILE_KERNEL,
	PROFILE_USER,
	PROFILE_SCRIPT, /* of an interpreter or its compiler */
	PROFILE_INLINED,
	PROFILE_KEY, /* no function: a name of a process, a CPU ... */
	PROFILE_KINDS
};

enum { PROFILE_DEPTH = 4096 }; /* frames of a stack; inner ones are cut */
#define PROFILE_MOST ((int64_t)1 << 53)

struct profile_frame {
	const char *name, *object; /* not NULL; "" as object: none */
	uint32_t length, object_length;
	enum profile_kind kind;
};

struct profile_node {
	uint32_t frame, parent;
	uint32_t first_child, next; /* 0: none */
	int64_t self, total;
};

struct profile_weight {
	int64_t self, total;
};

struct profile {
	struct profile_node *nodes;
	uint32_t nnodes;
	/* by node, of the run before; NULL: there is none */
	struct profile_weight *before;
	struct profile_frame *frames;
	uint32_t nframes;
	size_t name_bytes; /* of all frames */
	/* shown by writers; NULL: the writer's default */
	char *title, *subtitle, *unit;
	char **notes; /* what is missing, in sentences */
	uint32_t nnotes;
	uint32_t depth;	   /* of the deepest stack */
	uint64_t ncut;	   /* stacks that were deeper than PROFILE_DEPTH */
	uint64_t nignored; /* weights that were negative or too large */
	struct profile_index *index;
};

struct profile *profile_new(void);
void profile_free(struct profile *profile);

/*
 * The number of a frame: its name, its object (or NULL) and what it is.  The
 * same three have the same number.
 */
uint32_t profile_frame(struct profile *profile, const char *name, size_t length,
		       const char *object, size_t object_length,
		       enum profile_kind kind);
/* A stack, outermost frame first. */
void profile_add(struct profile *profile, const uint32_t *frames,
		 uint32_t nframes, int64_t weight);
/* The same for the run before. */
void profile_add_before(struct profile *profile, const uint32_t *frames,
			uint32_t nframes, int64_t weight);
/* The node of a stack, made without a weight if need be; 0: an empty one. */
uint32_t profile_place(struct profile *profile, const uint32_t *frames,
		       uint32_t nframes);
/* All stacks of `other`, as the run before, each weight times `scale`. */
void profile_compare(struct profile *profile, const struct profile *other,
		     double scale);

void profile_set_title(struct profile *profile, const char *title);
void profile_set_subtitle(struct profile *profile, const char *subtitle);
void profile_set_unit(struct profile *profile, const char *unit);
void profile_note(struct profile *profile, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Totals, and children sorted by name.  Needed before writing. */
void profile_settle(struct profile *profile);

/*
 * Nodes in the order of a walk from the root, each before its children.  Set
 * `node` to 0 to start; false after the last.  `depth` is 1 for what is on the
 * root.
 */
struct profile_walk {
	const struct profile *profile;
	uint32_t node, depth;
};
bool profile_next(struct profile_walk *walk);
/* The same, but without what is above the current node. */
bool profile_skip(struct profile_walk *walk);

static inline const struct profile_frame *profile_frame_of(
	const struct profile *profile, uint32_t node)
{
	return &profile->frames[profile->nodes[node].frame];
}
