/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile as text: the functions that cost most, each with its callers and
 * callees, and the tree of calls.
 *
 * The total of a function counts every stack once, however often the function
 * is in it.  So do its callers and callees: what counts is the outermost call.
 * Parts below half a percent are left out and added up.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/visible.h"
#include "view/write.h"

enum { MOST_FUNCTIONS = 20, MOST_NEIGHBOURS = 5 };

static const double least_percent = 0.5;

struct cost {
	int64_t self, total;
	uint32_t frame;
};

static void put_frame(FILE *out, const struct profile_frame *frame)
{
	struct text name = { 0 }, shown = { 0 };

	frame_text(&name, frame);
	text_add_visible(&shown, text_str(&name), name.n, VISIBLE_LINE);
	fprintf(out, "%s\n", text_str(&shown));
	text_free(&name);
	text_free(&shown);
}

/* By falling self, then by falling total, then as they came. */
/* The largest first; equal ones by name, whatever was read first. */
static int compare(const void *a, const void *b, void *data)
{
	const struct cost *x = a, *y = b;
	const struct profile_frame *frames = data, *fx = &frames[x->frame],
				   *fy = &frames[y->frame];

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	int order = strcmp(fx->name, fy->name);

	return order ? order : strcmp(fx->object, fy->object);
}

/*
 * Walks the tree; is called with whether the frame of a node is on no node
 * below it.
 */
typedef void visit_node(void *data, uint32_t node, bool is_outermost);

static void walk_nodes(const struct profile *profile, visit_node *visit,
		       void *data)
{
	struct profile_walk walk = { .profile = profile };
	uint32_t *nested = must_alloc(checked_mul((size_t)profile->nframes + 1,
						  sizeof(*nested)));
	uint32_t *path = must_alloc(checked_mul((size_t)profile->depth + 2,
						sizeof(*path)));
	uint32_t depth = 0;

	while (profile_next(&walk)) {
		uint32_t frame = profile->nodes[walk.node].frame;

		for (; depth >= walk.depth; depth--)
			nested[path[depth]]--;
		depth = walk.depth;
		path[depth] = frame;
		visit(data, walk.node, !nested[frame]++);
	}
	free(nested);
	free(path);
}

/* --------------------------------------------------------------- functions */

struct functions {
	const struct profile *profile;
	struct cost *costs;
	/* for the neighbours of one function */
	uint32_t frame;
	struct cost *callers, *callees;
	bool *is_outermost; /* by node */
};

static void add_cost(void *data, uint32_t node, bool is_outermost)
{
	struct functions *functions = data;
	const struct profile_node *at = &functions->profile->nodes[node];
	struct cost *cost = &functions->costs[at->frame];

	cost->self += at->self;
	functions->is_outermost[node] = is_outermost;
	if (is_outermost)
		cost->total += at->total;
}

static void put_neighbours(FILE *out, const struct functions *functions,
			   struct cost *costs, const char *arrow, int64_t whole)
{
	uint32_t nframes = functions->profile->nframes;

	qsort_r(costs, nframes, sizeof(*costs), compare,
		functions->profile->frames);
	for (uint32_t i = 0; i < nframes && i < MOST_NEIGHBOURS; i++) {
		if (percent_of(costs[i].self, whole) < least_percent)
			break;
		fprintf(out, "                  %s %5.1f%%  ", arrow,
			percent_of(costs[i].self, whole));
		put_frame(out, &functions->profile->frames[costs[i].frame]);
	}
}

/* Fills the lists of neighbours: who is below and above the function. */
static void find_neighbours(struct functions *functions)
{
	const struct profile *profile = functions->profile;

	for (uint32_t i = 0; i < profile->nframes; i++)
		functions->callers[i] = functions->callees[i] =
			(struct cost){ .frame = i };
	for (uint32_t i = 1; i < profile->nnodes; i++) {
		const struct profile_node *node = &profile->nodes[i];
		uint32_t parent = node->parent;

		if (!parent)
			continue;
		if (node->frame == functions->frame &&
		    functions->is_outermost[i])
			functions->callers[profile->nodes[parent].frame].self +=
				node->total;
		if (profile->nodes[parent].frame == functions->frame &&
		    functions->is_outermost[parent])
			functions->callees[node->frame].self += node->total;
	}
}

static void put_functions(FILE *out, const struct profile *profile)
{
	uint32_t nframes = profile->nframes;
	struct functions functions = { .profile = profile };
	int64_t whole = profile->nodes[0].total;

	functions.costs = must_alloc(checked_mul((size_t)nframes * 3 + 1,
						 sizeof(struct cost)));
	functions.callers = functions.costs + nframes;
	functions.callees = functions.callers + nframes;
	functions.is_outermost = must_alloc(profile->nnodes);
	for (uint32_t i = 0; i < nframes; i++)
		functions.costs[i].frame = i;
	walk_nodes(profile, add_cost, &functions);
	if (nframes)
		qsort_r(functions.costs, nframes, sizeof(struct cost), compare,
			profile->frames);
	fprintf(out, "\n   self   total  function; <- callers, -> callees\n");
	for (uint32_t i = 0; i < nframes && i < MOST_FUNCTIONS; i++) {
		const struct cost *cost = &functions.costs[i];

		if (percent_of(cost->self, whole) < least_percent)
			break;
		fprintf(out, "%6.1f%% %6.1f%%  ", percent_of(cost->self, whole),
			percent_of(cost->total, whole));
		put_frame(out, &profile->frames[cost->frame]);
		functions.frame = cost->frame;
		find_neighbours(&functions);
		put_neighbours(out, &functions, functions.callers, "<-", whole);
		put_neighbours(out, &functions, functions.callees, "->", whole);
	}
	free(functions.costs);
	free(functions.is_outermost);
}

/* -------------------------------------------------------------------- tree */

static void put_tree(FILE *out, const struct profile *profile)
{
	struct profile_walk walk = { .profile = profile };
	const struct profile_node *nodes = profile->nodes;
	int64_t whole = nodes[0].total;
	bool more;
	uint64_t nleft = 0;

	fprintf(out, "\n  total    self  calls\n");
	for (more = profile_next(&walk); more;) {
		const struct profile_node *node = &nodes[walk.node];

		if (percent_of(node->total, whole) < least_percent) {
			nleft++;
			more = profile_skip(&walk);
			continue;
		}
		fprintf(out, "%6.1f%% %6.1f%%  %*s",
			percent_of(node->total, whole),
			percent_of(node->self, whole), (int)walk.depth * 2 - 2,
			"");
		put_frame(out, &profile->frames[node->frame]);
		more = profile_next(&walk);
	}
	if (nleft)
		fprintf(out, "%llu parts below %g%% are not shown\n",
			(unsigned long long)nleft, least_percent);
}

bool write_tree(FILE *out, const struct profile *profile,
		const struct picture_options *options)
{
	fprintf(out, "%s: %lld %s\n", picture_title(profile, options),
		(long long)profile->nodes[0].total, profile_unit(profile));
	put_functions(out, profile);
	put_tree(out, profile);
	return !ferror(out);
}
