/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opreport --callgraph: a block for each function.
 *
 *	samples  %        image name       symbol name
 *	-----------------------------------------------
 *	  30     75.0000  prog             main
 *	  10     25.0000  prog             init
 *	40       80.0000  prog             work
 *	  40    100.0000  prog             work [self]
 *	-----------------------------------------------
 *
 * The line that is not indented is the function, with the samples in itself;
 * above it are its callers.  OProfile keeps no stacks, only who called whom, so
 * the stacks are an estimate: the samples of a function are divided among its
 * callers as often as each called it, those among theirs, and so on.  The
 * samples of every function are exact.
 */
#include "view/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
	MOST_DEPTH = 128,
	MOST_STEPS = 1 << 20, /* then stacks end where they are */
};

struct call {
	uint32_t caller; /* a frame */
	uint32_t next;	 /* index + 1 */
	int64_t weight;
};

struct function {
	int64_t self;
	uint32_t calls;	 /* index + 1 of the first call to it */
	bool is_on_path; /* no function calls itself in an estimate */
};

struct graph {
	struct reader *reader;
	struct function *functions; /* by frame */
	uint32_t nfunctions;
	struct call *calls;
	uint32_t ncalls, capacity;
	unsigned nnames; /* columns between the percentage and the symbol */
	struct reader_list callers; /* of the block, and their weights */
	struct reader_list path;
	int64_t *weights;
	uint32_t nweights;
	uint32_t steps;
};

static struct function *function_of(struct graph *graph, uint32_t frame)
{
	if (frame >= graph->nfunctions) {
		uint32_t count = frame * 2 + 64;

		graph->functions = must_realloc(
			graph->functions,
			checked_mul(count, sizeof(struct function)));
		memset(graph->functions + graph->nfunctions, 0,
		       (count - graph->nfunctions) * sizeof(struct function));
		graph->nfunctions = count;
	}
	return &graph->functions[frame];
}

static void add_call(struct graph *graph, uint32_t caller, uint32_t frame,
		     int64_t weight)
{
	struct function *function = function_of(graph, frame);

	if (graph->ncalls == graph->capacity) {
		graph->capacity = graph->capacity ? graph->capacity * 2 : 256;
		graph->calls = must_realloc(graph->calls,
					    checked_mul(graph->capacity,
							sizeof(struct call)));
	}
	graph->calls[graph->ncalls++] = (struct call){ caller, function->calls,
						       weight };
	function->calls = graph->ncalls;
}

/* ------------------------------------------------------------------- lines */

static struct str take_word(struct str *rest)
{
	*rest = str_trim(*rest);
	return str_cut(rest, ' ');
}

/* The names of columns have single blanks in them. */
static void read_heading(struct graph *graph, struct str line)
{
	graph->nnames = 0;
	if (memmem(line.p, line.n, "image name", 10))
		graph->nnames++;
	if (memmem(line.p, line.n, "app name", 8))
		graph->nnames++;
}

static bool read_function(struct graph *graph, struct str line, uint32_t *frame,
			  int64_t *weight)
{
	struct str rest = line, image = STR(""), word = take_word(&rest);
	enum profile_kind kind = PROFILE_USER;

	if (!str_weight(word, weight))
		return false;
	take_word(&rest);
	for (unsigned i = 0; i < graph->nnames; i++) {
		word = take_word(&rest);
		image = i ? image : word;
	}
	rest = str_trim(rest);
	if (!rest.n)
		return false;
	if (str_starts(image, "vmlinux") || str_starts(image, "no-vmlinux") ||
	    (image.n > 3 && !memcmp(image.p + image.n - 3, ".ko", 3)))
		kind = PROFILE_KERNEL;
	*frame = reader_function(graph->reader, rest, str_basename(image),
				 kind);
	return true;
}

static void add_caller(struct graph *graph, uint32_t frame, int64_t weight)
{
	reader_push(&graph->callers, frame);
	if (graph->callers.capacity > graph->nweights) {
		graph->nweights = graph->callers.capacity;
		graph->weights = must_realloc(graph->weights,
					      checked_mul(graph->nweights,
							  sizeof(int64_t)));
	}
	graph->weights[graph->callers.count - 1] = weight;
}

static void read_blocks(struct graph *graph)
{
	bool is_below = false; /* after the function of the block */
	struct str line;

	while (reader_line(graph->reader, &line)) {
		uint32_t frame;
		int64_t weight;

		if (str_starts(line, "---")) {
			graph->callers.count = 0;
			is_below = false;
		} else if (str_starts(line, "samples")) {
			read_heading(graph, line);
		} else if (!read_function(graph, line, &frame, &weight) ||
			   (is_below && *line.p == ' ')) {
			continue; /* callees are the callers of other blocks */
		} else if (*line.p == ' ') {
			add_caller(graph, frame, weight);
		} else {
			function_of(graph, frame)->self += weight;
			for (uint32_t i = 0; i < graph->callers.count; i++)
				add_call(graph, graph->callers.frames[i], frame,
					 graph->weights[i]);
			graph->callers.count = 0;
			is_below = true;
		}
	}
}

/* ---------------------------------------------------------------- estimate */

static void add_path(struct graph *graph, int64_t weight)
{
	struct reader *reader = graph->reader;

	for (uint32_t i = 0; i < graph->path.count; i++)
		reader_push(&reader->user, graph->path.frames[i]);
	reader_add(reader, weight);
}

static void divide(struct graph *graph, uint32_t frame, int64_t weight)
{
	double sum = 0, seen = 0;
	int64_t given = 0;
	uint32_t first = function_of(graph, frame)->calls;

	reader_push(&graph->path, frame);
	function_of(graph, frame)->is_on_path = true;
	if (graph->path.count < MOST_DEPTH && graph->steps < MOST_STEPS)
		for (uint32_t at = first; at; at = graph->calls[at - 1].next)
			if (!function_of(graph, graph->calls[at - 1].caller)
				     ->is_on_path)
				sum += (double)graph->calls[at - 1].weight;
	for (uint32_t at = first; at && sum > 0;
	     at = graph->calls[at - 1].next) {
		struct call call = graph->calls[at - 1];

		graph->steps++;
		if (function_of(graph, call.caller)->is_on_path)
			continue;
		seen += (double)call.weight;

		int64_t until = seen >= sum ? weight
					    : (int64_t)((double)weight *
							(seen / sum));

		if (until > given)
			divide(graph, call.caller, until - given);
		given = until > given ? until : given;
	}
	if (given < weight)
		add_path(graph, weight - given);
	function_of(graph, frame)->is_on_path = false;
	graph->path.count--;
}

void read_oprofile(struct reader *reader)
{
	struct graph graph = { .reader = reader, .nnames = 1 };

	read_blocks(&graph);
	for (uint32_t i = 0; i < graph.nfunctions; i++)
		if (graph.functions[i].self) {
			graph.steps = 0;
			divide(&graph, i, graph.functions[i].self);
		}
	free(graph.functions);
	free(graph.calls);
	free(graph.callers.frames);
	free(graph.path.frames);
	free(graph.weights);
}
