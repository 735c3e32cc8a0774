/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The weighted stacks of a run: what flame graphs and the like are made of.
 *
 * Every aggregation with a stack in its key takes part.  A row becomes one
 * stack of frames, outermost first: the other keys in their order, the user
 * stack, the kernel stack on top of it.  Its weight is the number that the
 * aggregation shows, or for a histogram how many values it counted.
 *
 * 1. The rows come from snapshots, whose sum is all that was counted, whatever
 *    clear(), trunc() and printa() did.  A recording may have none: then it is
 *    the table that was shown last.
 * 2. Values are merged by their function (a maximum stays one), and become
 *    weights when everything is there.
 * 3. Stacks that differ in addresses only are one: frames are functions.
 */

#include "facts/sink.h"
#include "view/profile.h"

extern const struct sink_class stacks_class;

/* Does some aggregation have a stack in its key?  NULL, or the reason. */
const char *stacks_refuse(const struct schema *schema);

/* The keys of -x flameby, largest first; good until the sink is closed. */
struct stacks_group {
	const char *name;
	uint32_t frame; /* its number here */
	int64_t weight;
};
const struct stacks_group *stacks_groups(struct sink *sink, uint32_t *count);

/*
 * A profile of everything, or of those in one group without the key of the
 * group; to be freed.
 */
struct profile *stacks_profile(struct sink *sink,
			       const struct stacks_group *group);
