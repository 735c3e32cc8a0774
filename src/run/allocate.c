/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers that fit the machine.
 *
 * The kernel allocates all memory of a buffer when it is created, so we never
 * ask for an amount that would leave too little for others: all buffers
 * together may use half of the available memory.  With bufresize=auto the
 * largest kind is halved until they fit and the kernel agrees.  Sizes are
 * constants in the code, so the code is then generated again.  With
 * bufresize=manual it is an error.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run/internal.h"

enum {
	LEAST = 4 << 10,
	CHUNK_SHARE = 8,	/* of memory, for keys beyond the tables */
};

struct buffer {
	const char *name;
	uint64_t *size;
	uint64_t count; /* that many of that size */
	uint64_t asked;
};

enum { RINGS, SPECS, AGGS, ARRAYS, NBUFFERS };

static uint64_t available_memory(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long long kilobytes = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes ? (uint64_t)kilobytes << 10 : UINT64_MAX;
}

/* Memory whose size the program determines: it cannot be reduced. */
static uint64_t fixed_memory(const struct bpf_maps_config *sizes,
			     uint64_t ncpus)
{
	return bpf_scratch_size(sizes->scratch_slot_size) * ncpus +
	       sizes->globals_size +
	       (sizes->has_unwind ? sizes->unwind_size : 0);
}

static bool fits(const struct buffer *buffers, uint64_t room)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < NBUFFERS; i++)
		total += *buffers[i].size * buffers[i].count;
	return total <= room;
}

/* Halves the largest kind; false if nothing can become smaller. */
static bool lower_largest(struct buffer *buffers)
{
	struct buffer *largest = NULL;
	uint64_t most = 0;

	for (unsigned i = 0; i < NBUFFERS; i++) {
		uint64_t all = *buffers[i].size * buffers[i].count;

		if (*buffers[i].size <= LEAST || all <= most)
			continue;
		largest = &buffers[i];
		most = all;
	}
	if (!largest)
		return false;
	*largest->size /= 2;
	return true;
}

static void report(struct session *session, const struct buffer *buffer)
{
	static const struct { unsigned shift; const char *unit; } units[] = {
		{ 30, "g" }, { 20, "m" }, { 10, "k" }, { 0, " bytes" },
	};
	uint64_t size = *buffer->size;
	unsigned i = 0;

	if (size == buffer->asked ||
	    option_on(session->config.options, OPTION_QUIETRESIZE))
		return;
	while (size & ((1ull << units[i].shift) - 1))
		i++;
	session_warn(session, "%s size lowered to %llu%s", buffer->name,
		     (unsigned long long)(size >> units[i].shift),
		     units[i].unit);
}

static bool is_about_memory(int error)
{
	return error == -ENOMEM || error == -E2BIG;
}

static int regenerate(struct session *session)
{
	if (session->spec_limit > session->sizes.spec_size)
		session->spec_limit = session->sizes.spec_size;
	if (session->sizes.max_record > session->sizes.ring_size)
		return session_fail(session, -E2BIG,
				    "Enabling exceeds size of buffer");
	return session_generate(session);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * A size without room for a single element is a mistake: every store would be
 * lost.  Tables are never that small, but then the requested size has no
 * effect.
 */
int session_check_room(struct session *session)
{
	const struct bpf_maps_config *sizes = &session->sizes;
	struct { enum option_id id; uint64_t least; const char *what; } all[] = {
		{ OPTION_DYNVARSIZE, UINT64_MAX, "associative array" },
		{ OPTION_AGGSIZE, UINT64_MAX, "aggregation" },
	};

	for (uint32_t i = 0; i < sizes->narrays; i++) {
		const struct ir_array *array = &sizes->arrays[i];

		all[0].least = smaller(all[0].least, (uint64_t)array->key_size +
							     array->value_size);
	}
	for (uint32_t i = 0; i < sizes->naggregations; i++) {
		const struct ir_aggregation *agg = &sizes->aggregations[i];

		if (agg->nvalues && agg->key_size)
			all[1].least = smaller(all[1].least,
					       agg->key_size +
						       8ull * agg->nvalues);
	}
	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t asked = (uint64_t)
			option_number(session->config.options, all[i].id);

		if (all[i].least == UINT64_MAX || asked >= all[i].least)
			continue;
		return session_fail(
			session, -E2BIG,
			"%s is too small: %" PRIu64
			" bytes, and an element of an %s takes %" PRIu64
			" (-x %s=%" PRIu64 " has room for 64)",
			option_name(all[i].id), asked, all[i].what,
			all[i].least, option_name(all[i].id),
			64 * all[i].least);
	}
	return 0;
}

int session_allocate(struct session *session)
{
	struct bpf_maps_config *sizes = &session->sizes;
	bool is_manual = option_number(session->config.options,
				       OPTION_BUFRESIZE) != 0;
	uint64_t ncpus = bpf_possible_cpus(), room = available_memory() / 2;
	struct buffer buffers[NBUFFERS] = {
		[RINGS] = { "buffer", &sizes->ring_size, ncpus,
			    session->asked_ring },
		[SPECS] = { "speculation", &sizes->spec_size,
			    ncpus * sizes->nspec, session->asked_spec },
		[AGGS] = { "aggregation", &sizes->agg_size,
			   sizes->naggregations ? ncpus : 0,
			   session->asked_agg },
		[ARRAYS] = { "dynamic variable", &sizes->array_size,
			     sizes->narrays, sizes->array_size },
	};
	sizes->nchunks = bpf_chunk_count(sizes->chunk_size,
					 available_memory() / CHUNK_SHARE);
	const char *problem = NULL;
	bool is_lowered = false;
	int error;
	uint64_t fixed = fixed_memory(sizes, ncpus);

	if (fixed > room)
		return session_fail(
			session, -ENOMEM,
			"the variables and strings of the program take %" PRIu64
			"m, and no more than %" PRIu64
			"m of memory can be had (lower strsize or scratchsize)",
			fixed >> 20, room >> 20);
	room -= fixed;
	for (;;) {
		while (!fits(buffers, room)) {
			if (is_manual || !lower_largest(buffers))
				return session_fail(
					session, -ENOMEM,
					"buffers do not fit into memory (lower bufsize, specsize, aggsize or dynvarsize, or leave bufresize=auto)");
			is_lowered = true;
		}
		error = is_lowered ? regenerate(session) : 0;
		if (error)
			return error;
		error = bpf_maps_create(&session->maps, sizes, &problem);
		if (!is_about_memory(error) || is_manual ||
		    !lower_largest(buffers))
			break;
		is_lowered = true;
	}
	if (error)
		return session_fail(session, error, "%s",
				    problem ? problem : strerror(-error));
	for (unsigned i = 0; i < NBUFFERS; i++)
		report(session, &buffers[i]);
	return 0;
}
