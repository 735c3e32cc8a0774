/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From enabled probes to code.
 *
 * Probes of one provider and shape that run exactly the same clauses share a
 * program.  Finding them is one hash lookup per probe, so 50,000 probes of one
 * glob cost about as much as matching them.  Then every group is lowered.
 * Sizes are chosen only when all records and keys are known, and code can be
 * generated only with sizes, because masks of rings and tables are constants in
 * it.  Nothing here needs privileges or touches the kernel.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/internal.h"

enum {
	SMALL_RING = 64 << 10,		/* when only rare probes record */
	PAGE = 4 << 10,
	SPARE_GROUPS = 256,		/* for probes that appear later */
	SPARE_SCRATCH = 1 << 10,	/* and what they may need */
	LATER_SCRATCH = 32 << 10,
	RECORDS_IN_RING = 16,		/* at least this many of the longest */
	TOTAL_CAP = 256 << 20,		/* default sizes times CPUs */
	LARGEST = 256 << 20,		/* verifier: offsets < 2^29 */
	SPEC_CAP = 64 << 20,		/* the same for all speculations */
};

/* ------------------------------------------------------------- grouping */

struct group_index {
	uint32_t *slots; /* group number + 1 */
	uint32_t nslots;
};

static uint32_t shape_of(const struct probe *probe)
{
	const struct provider *provider = probe->provider;

	return provider->shape ? provider->shape(probe) : 0;
}

static uint32_t sources_of(const struct probe *probe)
{
	const struct provider *provider = probe->provider;

	return provider->sources ? provider->sources(probe) : 1;
}

static uint64_t group_hash(const struct enabling *enabling, uint32_t source)
{
	uint64_t hash = enabling->hash ^
			((uintptr_t)enabling->probe->provider >> 4);

	hash = (hash ^ shape_of(enabling->probe) ^ (uint64_t)source << 32) *
	       0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 31;
}

static bool belongs(const struct group *group, const struct enabling *enabling,
		    uint32_t source)
{
	const struct enabling *first = group->enablings[0];

	return first->probe->provider == enabling->probe->provider &&
	       group->probes.source == source &&
	       first->nclauses == enabling->nclauses &&
	       shape_of(first->probe) == shape_of(enabling->probe) &&
	       !memcmp(first->clauses, enabling->clauses,
		       enabling->nclauses * sizeof(enabling->clauses[0]));
}

/* NULL: no room is left. */
static struct group *group_of(struct session *session,
			      struct group_index *index,
			      const struct enabling *enabling, uint32_t source)
{
	uint64_t hash = group_hash(enabling, source);

	for (;; hash++) {
		uint32_t *slot = &index->slots[hash & (index->nslots - 1)];

		if (!*slot) {
			struct group *group =
				&session->groups[session->ngroups];

			if (session->ngroups == session->groups_capacity)
				return NULL;
			/*
			 * from an attempt that failed; parts belong to their
			 * head
			 */
			if (!group->part)
				free(group->enablings);
			*group = (struct group){ 0 };
			group->head = session->ngroups;
			group->parts_fd = -1;
			group->probes.source = source;
			*slot = ++session->ngroups;
			return group;
		}
		if (belongs(&session->groups[*slot - 1], enabling, source))
			return &session->groups[*slot - 1];
	}
}

static void group_add(struct group *group, struct enabling *enabling)
{
	if (group->nenablings == group->capacity) {
		group->capacity = group->capacity ? group->capacity * 2 : 4;
		group->enablings = must_realloc(group->enablings,
						checked_mul(group->capacity,
							    sizeof(enabling)));
	}
	group->enablings[group->nenablings++] = enabling;
}

/* Groups of the enablings from `first` on; false: no room is left. */
static bool make_groups(struct session *session, size_t first)
{
	size_t n = 0;
	struct group_index index = { .nslots = 16 };

	for (size_t i = first; i < session->enablings.count; i++)
		n += sources_of(
			vec_at(&session->enablings, i, struct enabling)->probe);
	if (!session->groups) {
		session->groups_capacity =
			(uint32_t)n + (session->follows ? SPARE_GROUPS : 0);
		session->groups =
			must_alloc(checked_mul(session->groups_capacity,
					       sizeof(struct group)));
	}
	while (index.nslots < 2 * n)
		index.nslots *= 2;
	index.slots = must_alloc(checked_mul(index.nslots, sizeof(uint32_t)));
	bool has_room = true;

	for (size_t i = first; has_room && i < session->enablings.count; i++) {
		struct enabling *enabling = vec_at(&session->enablings, i,
						   struct enabling);
		uint32_t sources = sources_of(enabling->probe);

		for (uint32_t s = 0;
		     has_room && enabling->nclauses && s < sources; s++) {
			struct group *group = group_of(session, &index,
						       enabling, s);

			has_room = group != NULL;
			if (group)
				group_add(group, enabling);
		}
	}
	free(index.slots);
	return has_room;
}

/* ------------------------------------------------------------- lowering */

static int fail_lowering(struct session *session)
{
	const struct lower_session *lowering = &session->lowering;
	struct diag diag = {
		.arena = session->arena,
		.failed = true,
		.place = lowering->error_place,
		.message = lowering->error ? lowering->error :
					     "program cannot be compiled",
	};
	struct text text = { 0 };

	if (diag.place.source)
		diag_print_line(&diag, TAGS_NONE, &text);
	else
		text_puts(&text, diag.message);
	int error = session_fail(session, -EINVAL, "%s", text_str(&text));

	text_free(&text);
	return error;
}

static void measure_name(uint32_t *longest, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	if (length > *longest)
		*longest = (uint32_t)length;
}

/* How long names can be in any group (name_capacity() in ir/lower_string.c). */
static void measure_names(struct session *session)
{
	uint32_t *longest = session->lowering.longest_name;

	for (size_t i = 0; i < session->enablings.count; i++) {
		const struct fact_probe *names =
			&vec_at(&session->enablings, i, struct enabling)->names;

		measure_name(&longest[PROBE_PROVIDER], names->provider);
		measure_name(&longest[PROBE_MODULE], names->module);
		measure_name(&longest[PROBE_FUNCTION], names->function);
		measure_name(&longest[PROBE_NAME], names->name);
	}
	/* ERROR's clauses are part of every group, under their own name. */
	measure_name(&longest[PROBE_PROVIDER], lower_error_probe.provider);
	measure_name(&longest[PROBE_NAME], lower_error_probe.name);
	session->lowering.has_later_names = session->follows;
}

static int lower_one(struct session *session, struct group *group)
{
	const struct enabling *first = group->enablings[0];
	const struct provider *provider = first->probe->provider;
	uint32_t n = group->nenablings;
	const struct probe **probes = arena_array_of(session->arena,
						     const struct probe *, n);
	struct fact_probe *names = arena_array_of(session->arena,
						  struct fact_probe, n);

	for (uint32_t i = 0; i < n; i++) {
		probes[i] = group->enablings[i]->probe;
		names[i] = group->enablings[i]->names;
	}
	group->probes = (struct probe_group){
		.provider = provider,
		.kind = { .type = provider->program_type },
		.probes = probes,
		.nprobes = n,
		.source = group->probes.source,
		.lower = {
			.probes = names,
			.nprobes = n,
			.clauses = first->clauses,
			.nclauses = first->nclauses,
			.error_clauses = (const struct clause *const *)
				session->error_clauses.items,
			.nerror_clauses =
				(uint32_t)session->error_clauses.count,
			.phase = PHASE_ACTIVE,
		},
	};
	int error = provider->context
			    ? provider->context(session->arena, &group->probes)
			    : 0;

	if (error)
		return session_fail(session, error,
				    "cannot enable probes of provider %s: %s",
				    provider->name, strerror(-error));
	group->ir = lower_group(&session->lowering, &group->probes.lower);
	return group->ir ? 0 : fail_lowering(session);
}

static bool is_enabled(const struct session *session,
		       const struct clause *clause)
{
	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct lower_group *lower =
			&session->groups[i].probes.lower;

		for (uint32_t n = 0; n < lower->nclauses; n++)
			if (lower->clauses[n] == clause)
				return true;
	}
	return false;
}

/*
 * Clauses that have no probe yet are lowered once and the result is discarded,
 * so that their variables and aggregations have a place and their records fit
 * when a probe appears.  What cannot be lowered without its probe is lowered
 * when it appears.
 */
static void foresee_clauses(struct session *session)
{
	static const struct fact_probe stand_in = {
		.provider = "", .module = "", .function = "", .name = "",
	};
	struct bpf_maps_config *sizes = &session->sizes;

	for (size_t i = 0; i < session->clauses.count; i++) {
		const struct clause *clause = vec_at(&session->clauses, i,
						     struct clause);
		struct lower_group group = {
			.probes = &stand_in, .nprobes = 1,
			.clauses = &clause, .nclauses = 1,
			.phase = PHASE_ACTIVE,
		};

		if (is_enabled(session, clause))
			continue;
		const struct ir_program *ir = lower_group(&session->lowering,
							  &group);

		session->lowering.error = NULL;
		if (ir && ir->max_record > sizes->max_record)
			sizes->max_record = ir->max_record;
	}
}

/* ---------------------------------------------------------------- sizes */

static uint64_t power_of_two(uint64_t n)
{
	uint64_t power = 1;

	while (power < n && power < 1ull << 40)
		power *= 2;
	return power;
}

static bool clause_records(const struct session *session,
			   const struct clause *clause)
{
	const struct schema *schema = &session->lowering.schema;
	const struct schema_clause *layout =
		clause->id < schema->nclauses ? schema->clauses[clause->id]
					      : NULL;

	return layout &&
	       (layout->actions || layout->records || layout->is_empty_clause);
}

static bool group_records(const struct session *session,
			  const struct group *group)
{
	const struct lower_group *lower = &group->probes.lower;

	for (uint32_t i = 0; i < lower->nclauses; i++)
		if (clause_records(session, lower->clauses[i]))
			return true;
	for (uint32_t i = 0; i < lower->nerror_clauses; i++)
		if (clause_records(session, lower->error_clauses[i]))
			return true;
	return false;
}

/* Fires once, or like a clock on one CPU. */
static bool is_rare(const struct group *group)
{
	if (group->probes.lower.phase != PHASE_ACTIVE)
		return true;
	for (uint32_t i = 0; i < group->nenablings; i++) {
		const struct probe *probe = group->enablings[i]->probe;

		if (!probe->provider->is_rare ||
		    !probe->provider->is_rare(probe))
			return false;
	}
	return true;
}

/* A default, reduced where many CPUs would multiply it. */
static uint64_t size_option(const struct session *session, enum option_id id)
{
	const struct options *options = session->config.options;
	int64_t number = option_number(options, id);
	uint64_t size = power_of_two(number < PAGE ? PAGE : (uint64_t)number);

	if (options->values[id].is_set)
		return size;
	while (size > SMALL_RING && size * bpf_possible_cpus() > TOTAL_CAP)
		size /= 2;
	return size;
}

/* How much END's clauses record together. */
static uint64_t end_size(const struct session *session)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct lower_group *lower =
			&session->groups[i].probes.lower;

		for (uint32_t n = 0;
		     lower->phase == PHASE_END && n < lower->nclauses; n++)
			if (clause_records(session, lower->clauses[n]))
				total += session->lowering.schema
						 .clauses[lower->clauses[n]->id]
						 ->size;
	}
	return total;
}

/* Reading the option afterwards gives the size used, as for rates. */
static void note_increase(struct session *session, uint64_t size)
{
	struct option_value *bufsize =
		&session->config.options->values[OPTION_BUFSIZE];

	/* anything larger will be lowered */
	if (bufsize->is_set && size <= LARGEST &&
	    (uint64_t)bufsize->number < size)
		bufsize->number = (int64_t)size;
}

/*
 * A speculation may use exactly specsize bytes per CPU; the mapping is the next
 * power of two.
 */
_Static_assert(OPTION_NSPEC_MOST == (int)SPEC_MOST,
	       "there are as many speculations as programs know ids for");

static void choose_speculation(struct session *session)
{
	const struct options *options = session->config.options;
	struct bpf_maps_config *sizes = &session->sizes;
	int64_t nspec = option_number(options, OPTION_NSPEC);
	int64_t limit = option_number(options, OPTION_SPECSIZE);

	if (!session->lowering.uses_speculation)
		return;
	sizes->nspec = nspec < 1 ? 1 : (uint32_t)nspec;
	session->spec_limit = limit < 0 ? 0 : (uint64_t)limit & ~7ull;
	sizes->spec_size = power_of_two(limit < PAGE ? PAGE : (uint64_t)limit);
	if (options->values[OPTION_SPECSIZE].is_set)
		return;
	while (sizes->spec_size > SMALL_RING &&
	       sizes->spec_size * sizes->nspec * bpf_possible_cpus() > SPEC_CAP)
		sizes->spec_size /= 2;
	if (session->spec_limit > sizes->spec_size)
		session->spec_limit = sizes->spec_size;
}

/* A size that no code can be generated for counts as asked, and is lowered. */
static int limit_sizes(struct session *session)
{
	struct bpf_maps_config *sizes = &session->sizes;
	struct { uint64_t *size, *asked, most; } all[] = {
		{ &sizes->ring_size, &session->asked_ring, LARGEST },
		{ &sizes->spec_size, &session->asked_spec, LARGEST },
		{ &sizes->agg_size, &session->asked_agg, BPF_AGG_MOST },
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		*all[i].asked = *all[i].size;
		if (*all[i].size <= all[i].most)
			continue;
		if (option_number(session->config.options, OPTION_BUFRESIZE))
			return session_fail(
				session, -E2BIG,
				"no buffer can be larger than %" PRIu64
				"m per CPU (lower bufsize, specsize or aggsize, or leave bufresize=auto)",
				all[i].most >> 20);
		*all[i].size = all[i].most;
	}
	if (session->spec_limit > sizes->spec_size)
		session->spec_limit = sizes->spec_size;
	return 0;
}

static int choose_sizes(struct session *session)
{
	struct bpf_maps_config *sizes = &session->sizes;
	uint64_t bufsize = size_option(session, OPTION_BUFSIZE);
	bool is_busy = false;

	sizes->max_record = sizeof(struct abi_fault);
	if (session->follows)
		foresee_clauses(session);
	for (uint32_t i = 0; i < session->ngroups; i++) {
		const struct group *group = &session->groups[i];

		if (group->ir->max_record > sizes->max_record)
			sizes->max_record = group->ir->max_record;
		if (!group_records(session, group))
			continue;
		is_busy |= !is_rare(group);
		session->has_records |= group->probes.lower.phase ==
					PHASE_ACTIVE;
	}
	sizes->max_record = round_up(sizes->max_record, 8);
	session->policy = (enum abi_policy)
		option_number(session->config.options, OPTION_BUFPOLICY);
	if (session->policy == POLICY_RING)
		sizes->max_record += 8;
	if (sizes->max_record > bufsize)
		return session_fail(session, -E2BIG,
				    "Enabling exceeds size of buffer");
	if (session->policy == POLICY_FILL && end_size(session) > bufsize)
		return session_fail(
			session, -E2BIG,
			"END enablings exceed size of principal buffer");
	note_increase(session, bufsize);
	sizes->ring_size = bufsize;
	if (!is_busy && session->policy == POLICY_SWITCH &&
	    !session->config.options->values[OPTION_BUFSIZE].is_set) {
		uint64_t records = session->clauses.count > RECORDS_IN_RING / 2
					   ? session->clauses.count * 2
					   : RECORDS_IN_RING;
		uint64_t enough = power_of_two(sizes->max_record * records);

		if (enough < SMALL_RING)
			enough = SMALL_RING;
		if (enough < bufsize)
			sizes->ring_size = enough;
	}
	sizes->globals_size = session->lowering.globals_size;
	sizes->self_size = session->lowering.self_size;
	sizes->aggregations = session->lowering.aggregations;
	sizes->naggregations = session->lowering.naggregations;
	sizes->agg_size = size_option(session, OPTION_AGGSIZE);
	/* an explicit size is the limit */
	if (!session->config.options->values[OPTION_AGGSIZE].is_set)
		sizes->chunk_size = bpf_chunk_size(sizes->aggregations,
						   sizes->naggregations);
	sizes->unwind_size = session_unwind_size(session);
	sizes->arrays = session->lowering.arrays;
	sizes->narrays = session->lowering.narrays;
	sizes->array_size = (uint64_t)option_number(session->config.options,
						    OPTION_DYNVARSIZE);

	choose_speculation(session);
	int error = session_check_room(session);

	return error ? error : limit_sizes(session);
}

/* ----------------------------------------------------------------- code */

/* How programs keep their CPU, on kernels where they would lose it. */
static void choose_hold(struct session *session, struct bpf_generate_config *to)
{
	struct types *types = language_types(session->lowering.language);
	uint32_t hold[HOLD_FUNCTIONS];

	if (!types || !bpf_has(FEATURE_SLEEPABLE_RAW_TP))
		return;
	for (uint32_t i = 0; i < HOLD_FUNCTIONS; i++) {
		struct type *type = types_function(types, "vmlinux",
						   bpf_hold_name(i));

		if (!type)
			return;
		hold[i] = type->btf_id;
	}
	if (bpf_hold_works(hold))
		memcpy(to->hold, hold, sizeof(hold));
}

static struct bpf_code *generate(struct session *session, uint32_t index,
				 struct bpf_problem *problem)
{
	const struct bpf_maps_config *sizes = &session->sizes;
	struct group *group = &session->groups[index];

	/* later groups may have added to the session's list */
	group->ir->aggregations = sizes->aggregations;
	group->ir->naggregations = sizes->naggregations;
	group->ir->arrays = sizes->arrays;
	group->ir->narrays = sizes->narrays;
	struct bpf_generate_config config = {
			.kind = group->probes.kind,
			.program_index = index,
			.ring_size = sizes->ring_size,
			.max_record = sizes->max_record,
			.policy = session->policy,
			.counts_lost = option_on(session->config.options,
						 OPTION_COUNTLOST),
			.nspec = sizes->nspec,
			.spec_size = sizes->spec_size,
			.spec_limit = session->spec_limit,
			.unwind_size = sizes->unwind_size,
			.waits_for_all = option_on(session->config.options,
						   OPTION_BLOCKINGREADS),
			.agg_tables = session->agg_tables,
			.chunk_size = session->sizes.chunk_size,
			.chunks_per_cpu = option_on(session->config.options,
						    OPTION_AGGPERCPU),
	};

	choose_hold(session, &config);
	return bpf_generate(session->arena, group->ir, &config, problem);
}

int session_generate_group(struct session *session, uint32_t index)
{
	struct bpf_maps_config *sizes = &session->sizes;
	struct bpf_problem problem;
	struct bpf_code *code;

	/*
	 * generating code takes time and memory: skip it if it will be cut
	 * anyway
	 */
	session->groups[index].code = NULL;
	while (session_should_split(&session->groups[index])) {
		const struct group *group = &session->groups[index];

		session_expect_split(session, &session->groups[index]);
		if (!session_split(session, index,
				   session_must_split(group) ? SPLIT_MUST
							     : SPLIT_SHORT))
			break;
	}
	do {
		problem = (struct bpf_problem){ 0 };
		code = generate(session, index, &problem);
		session->groups[index].code = code;
		if (!code && !problem.is_too_large)
			break;
		session_expect_split(session, &session->groups[index]);
	} while ((!code || session_should_split(&session->groups[index])) &&
		 session_split(
			 session, index,
			 code && !session_must_split(&session->groups[index])
				 ? SPLIT_SHORT
				 : SPLIT_MUST));
	if (!code)
		return session_fail_large(session, index, &problem);
	for (uint32_t i = 0; i < code->nrelocs; i++)
		sizes->has_unwind |= code->relocs[i].role == MAP_UNWIND;
	if (code->scratch_size > sizes->scratch_slot_size)
		sizes->scratch_slot_size = code->scratch_size;
	return 0;
}

/* A probe that appears later may run clauses that were separate until then. */
static void spare_scratch(struct session *session)
{
	uint64_t wanted = SPARE_SCRATCH;

	for (uint32_t i = 0; i < session->ngroups; i++)
		wanted += session->groups[i].code->scratch_size;
	if (wanted > LATER_SCRATCH)
		wanted = LATER_SCRATCH;
	if (wanted > session->sizes.scratch_slot_size)
		session->sizes.scratch_slot_size = (uint32_t)wanted;
}

int session_generate(struct session *session)
{
	struct bpf_maps_config *sizes = &session->sizes;

	session->agg_tables = arena_array_of(session->arena,
					     struct bpf_agg_table,
					     sizes->naggregations);
	if (bpf_agg_layout(sizes->aggregations, sizes->naggregations,
			   sizes->agg_size, session->agg_tables) > BPF_AGG_MOST)
		return session_fail(
			session, -E2BIG,
			"one entry of each aggregation takes more than 512m per CPU (lower strsize, or use shorter keys)");
	/* groups that are split appear again at the end */
	for (uint32_t i = 0; i < session->ngroups; i++) {
		int error = session_generate_group(session, i);

		if (error)
			return error;
	}
	if (session->follows)
		spare_scratch(session);
	return 0;
}

static bool is_allowed(const struct session *session)
{
	if (option_on(session->config.options, OPTION_DESTRUCTIVE))
		return true;
	for (size_t i = 0; i < session->clauses.count; i++)
		if (vec_at(&session->clauses, i, struct clause)->is_destructive)
			return false;
	return true;
}

static int choose_cpu(struct session *session)
{
	int64_t cpu = option_number(session->config.options, OPTION_CPU);
	char path[64];

	if (cpu < 0)
		return 0;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%lld",
		 (long long)cpu);
	if (cpu >= bpf_possible_cpus() || access(path, F_OK))
		return session_fail(session, -EINVAL,
				    "there is no CPU %lld (option cpu)",
				    (long long)cpu);
	session->lowering.has_cpu = true;
	session->lowering.cpu = (uint32_t)cpu;
	return 0;
}

int session_prepare(struct session *session)
{
	if (session->is_prepared)
		return session->error ? session->error_number : 0;
	session->is_prepared = true;
	if (session->error)
		return session->error_number;
	if (!is_allowed(session))
		return session_fail(session, -EACCES,
				    "Destructive actions not allowed");
	if (option_on(session->config.options, OPTION_GRABANON))
		return session_fail(session, -ENOENT,
				    "No anonymous tracing state");
	int error = choose_cpu(session);

	session->lowering.looplimit = (uint32_t)
		option_number(session->config.options, OPTION_LOOPLIMIT);
	if (!error)
		error = session_find_namespace(session);
	make_groups(session, 0);
	measure_names(session);
	for (uint32_t i = 0; i < session->ngroups && !error; i++)
		error = lower_one(session, &session->groups[i]);
	if (!error)
		error = choose_sizes(session);

	if (!error)
		error = session_generate(session);
	if (!error)
		error = sweep_prepare(session);
	return error ? error : session_oncpu_generate(session);
}

/* Maps exist and stay as they are: nothing may need more than they have. */
static bool has_grown(const struct session *session, const struct group *group)
{
	const struct bpf_maps_config *sizes = &session->sizes;
	const struct lower_session *lowering = &session->lowering;

	return lowering->globals_size > sizes->globals_size ||
	       lowering->self_size > sizes->self_size ||
	       lowering->naggregations != sizes->naggregations ||
	       lowering->narrays != sizes->narrays ||
	       round_up(group->ir->max_record, 8) > sizes->max_record;
}

int session_remake_group(struct session *session, uint32_t index)
{
	struct group *group = &session->groups[index];
	int error = lower_one(session, group);

	if (!error && has_grown(session, group))
		error = session_fail(
			session, -ENOSPC,
			"what the clauses need was not known when tracing began");
	if (!error)
		error = session_generate_group(session, index);
	if (error)
		return error;
	error = bpf_scratch_grow(&session->maps,
				 session->sizes.scratch_slot_size);
	return error ? session_fail(session, error,
				    "no scratch memory for new probes: %s",
				    strerror(-error))
		     : 0;
}

int session_prepare_more(struct session *session, size_t first_enabling)
{
	uint32_t first = session->ngroups;

	if (!make_groups(session, first_enabling)) {
		session->ngroups = first;
		return session_fail(session, -ENOSPC,
				    "too many probes have come while tracing");
	}
	for (uint32_t i = first; i < session->ngroups; i++) {
		int error = session_remake_group(session, i);

		if (error) {
			session->ngroups = first;
			return error;
		}
	}
	return 0;
}
