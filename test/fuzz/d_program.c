/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile D in the back half of the compiler, without a kernel.
 *
 * The clauses of a probe are lowered with and without passes, and both forms
 * are verified, printed and interpreted.  They must do the same; and code for
 * the kernel must come out, or a sentence that says why not.  Then the group is
 * cut as if it were too long, and its pieces go the same way; one after the
 * other they must leave the same variables and aggregations as the whole.
 *
 * What cannot be compared: a program that takes the address of its own memory,
 * which differs from run to run.  What is not interpreted: programs with more
 * memory than a fuzzer should fill each time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/bpf.h"
#include "d_program.h"

enum {
	LOOPLIMIT = 40, LONGEST_NAME = 16, CONTEXT_WORDS = 32, NCPUS = 2, PIECES = 4,
	MOST_MEMORY = 1 << 20,
	MEMORY = 0x10000, MEMORY_SIZE = 4096,
};

/* What runs find, and what they leave behind. */
struct outcome {
	struct ir_world world;
	struct abi_state state;
	uint64_t context[CONTEXT_WORDS];
	struct text updates;
};

struct trial {
	const struct d_group *group;
	struct arena *arena;
	struct lower_session *session;
	struct fact_probe names;
	struct lower_group lower;
	/* in pieces, what goes from one to the next is after these */
	bool is_carried;
	uint32_t globals_size, self_size;
};

static void wrong(const struct ir_program *ir, const char *what,
		  const char *why)
{
	struct text out = { 0 };

	if (ir)
		ir_print(ir, &out);
	fprintf(stderr, "%s%s: %s\n", text_str(&out), what, why);
	abort();
}

/* --------------------------------------------------------- interpretation */

static bool read_memory(void *data, enum ir_space space, uint64_t address,
			void *to, size_t size)
{
	(void)data, (void)space;
	if (size > MEMORY_SIZE || address < MEMORY ||
	    address - MEMORY > MEMORY_SIZE - size)
		return false;
	for (size_t i = 0; i < size; i++) {
		uint64_t at = address - MEMORY + i;

		((uint8_t *)to)[i] = at % 37 == 36 ? 0 : (uint8_t)(at * 7);
	}
	return true;
}

static void note_update(void *data, uint32_t aggregation, const void *key,
			const struct ir_slot_value *values, uint32_t count)
{
	struct outcome *outcome = data;

	(void)key;
	for (uint32_t i = 0; i < count; i++)
		text_printf(&outcome->updates, "%u.%u: %d %lld %lld\n",
			    aggregation, values[i].slot, values[i].op,
			    (long long)values[i].value,
			    (long long)values[i].high);
}

/* Pieces of clauses get new numbers each time they are lowered. */
static void forget_clauses(struct text *records)
{
	for (size_t at = 0; at < records->n;) {
		struct abi_record *record = (void *)(records->p + at);

		record->clause = 0;
		at += record->size;
	}
}

static void outcome_start(const struct trial *t, struct outcome *outcome)
{
	struct ir_world *world = &outcome->world;

	*outcome = (struct outcome){
		.state = { .phase = t->lower.phase },
		.world = {
			.comm = "fuzz",
			.globals_size = t->session->globals_size,
			.self_size = t->session->self_size,
			.ncontext = CONTEXT_WORDS,
			.read = read_memory, .data = outcome,
			.aggregate = note_update, .arena = t->arena,
		},
	};
	world->state = &outcome->state;
	world->context = outcome->context;
	for (unsigned i = 0; i < IR_QUERY_COUNT; i++)
		world->queries[i] = 1000 + i;
	world->queries[IR_QUERY_CPU] = NCPUS - 1;
	world->queries[IR_QUERY_TASK] = MEMORY;
	world->queries[IR_QUERY_TASK_TYPED] = MEMORY;
	world->queries[IR_QUERY_USER_REGS] = MEMORY;
	for (unsigned i = 0; i < CONTEXT_WORDS; i++)
		outcome->context[i] = i % 2 ? MEMORY + 64 * i : i;
	world->globals = arena_alloc(t->arena, world->globals_size + 8);
	world->self = arena_alloc(t->arena, world->self_size + 8);
}

static void outcome_run(struct outcome *outcome, const struct ir_program *ir)
{
	int error = ir_run(ir, &outcome->world);

	if (error)
		wrong(ir, "the interpreter fails", strerror(-error));
	forget_clauses(&outcome->world.records);
}

static void outcome_end(struct outcome *outcome)
{
	text_free(&outcome->world.records);
	text_free(&outcome->updates);
}

/* The same variables, as far as they have sizes, and aggregations? */
static bool is_same(const struct outcome *x, const struct outcome *y,
		    size_t globals_size, size_t self_size)
{
	return !strcmp(text_str(&x->updates), text_str(&y->updates)) &&
	       !memcmp(x->world.globals, y->world.globals, globals_size) &&
	       !memcmp(x->world.self, y->world.self, self_size);
}

static bool is_same_records(const struct text *x, const struct text *y)
{
	return x->n == y->n && !memcmp(text_str(x), text_str(y), x->n);
}

static bool is_small(const struct trial *t, const struct ir_program *ir)
{
	uint64_t size = (uint64_t)t->session->globals_size +
			t->session->self_size + ir->max_record;

	for (uint32_t i = 0; i < ir->nobjects; i++)
		size += ir->objects[i].size;
	for (uint32_t i = 0; i < ir->narrays; i++)
		size += ir->arrays[i].value_size + ir->arrays[i].key_size;
	return size < MOST_MEMORY;
}

/* Does the interpreter know everything in it, and is it always the same? */
static bool can_run(const struct ir_program *ir, bool *is_comparable)
{
	*is_comparable = true;
	for (const struct ir_block *block = ir->blocks; block;
	     block = block->next)
		for (const struct ir_insn *insn = block->first; insn;
		     insn = insn->next) {
			if (insn->op == IR_ADDRESS)
				*is_comparable = false;
			if (insn->op == IR_ARRAY_SWEEP)
				return false;
		}
	return true;
}

static bool is_comparable(const struct trial *t, const struct ir_program *ir)
{
	bool comparable;

	return is_small(t, ir) && can_run(ir, &comparable) && comparable;
}

static void compare(const struct trial *t, const struct ir_program *plain,
		    const struct ir_program *passed)
{
	struct outcome before, after;
	bool comparable;

	if (!is_small(t, plain) || !can_run(plain, &comparable))
		return;
	outcome_start(t, &before);
	outcome_start(t, &after);
	outcome_run(&before, plain);
	outcome_run(&after, passed);
	if (comparable &&
	    (!is_same_records(&before.world.records, &after.world.records) ||
	     !is_same(&before, &after,
		      t->is_carried ? t->globals_size : t->session->globals_size,
		      t->is_carried ? t->self_size : t->session->self_size))) {
		struct text out = { 0 };

		ir_print(plain, &out);
		fprintf(stderr, "%sand after passes:\n", text_str(&out));
		wrong(passed, "passes", "change what the program does");
	}
	outcome_end(&before);
	outcome_end(&after);
}

/* Did a loop reach its limit, which counts the turns of one program? */
static bool is_limited(const struct outcome *outcome)
{
	const struct text *records = &outcome->world.records;
	bool limited = false;

	for (size_t at = 0; at < records->n;) {
		const struct abi_record *record = (const void *)(records->p +
								 at);

		if (record->kind == RECORD_FAULT)
			limited |= ((const struct abi_fault *)record)->code ==
				   FAULT_LOOPLIMIT;
		at += record->size;
	}
	return limited;
}

static void compare_pieces(const struct trial *t,
			   const struct ir_program *program,
			   struct ir_program *const *pieces, uint32_t count,
			   size_t globals_size, size_t self_size)
{
	struct outcome whole, cut;
	bool comparable = is_comparable(t, program);

	for (uint32_t i = 0; i < count; i++)
		comparable &= is_comparable(t, pieces[i]);
	if (!comparable)
		return;
	outcome_start(t, &whole);
	outcome_start(t, &cut);
	outcome_run(&whole, program);
	for (uint32_t i = 0; i < count; i++)
		outcome_run(&cut, pieces[i]);
	if (!is_limited(&whole) && !is_limited(&cut) &&
	    !is_same(&whole, &cut, globals_size, self_size)) {
		struct text out = { 0 };

		ir_print(program, &out);
		for (uint32_t i = 0; i < count; i++) {
			text_puts(&out, "and a piece of it:\n");
			ir_print(pieces[i], &out);
		}
		fputs(text_str(&out), stderr);
		wrong(NULL, "pieces", "differ from the whole");
	}
	outcome_end(&whole);
	outcome_end(&cut);
}

/* ------------------------------------------------------------------- code */

static void generate(const struct trial *t, struct ir_program *ir)
{
	const struct lower_session *session = t->session;
	const struct options *options = t->group->options;
	bool is_small = t->group->how & HOW_SMALL;
	uint32_t count = session->naggregations;
	struct bpf_agg_table *tables =
		arena_array_of(t->arena, struct bpf_agg_table, count);
	struct bpf_problem problem = { 0 };
	struct text out = { 0 };

	ir->aggregations = session->aggregations;
	ir->naggregations = count;
	ir->arrays = session->arrays;
	ir->narrays = session->narrays;
	if (bpf_agg_layout(session->aggregations, count,
			   is_small ? 4096 : 1 << 22, tables) > BPF_AGG_MOST)
		return;
	struct bpf_generate_config config = {
		.kind = raw_tracepoint_kind,
		.ring_size = is_small ? 1 << 12 : 1 << 22,
		.max_record = ir->max_record + 64,
		.policy = is_small ? POLICY_RING : POLICY_SWITCH,
		.counts_lost = is_small,
		.nspec = session->uses_speculation ? 3 : 0,
		.spec_size = 1 << 16, .spec_limit = 1 << 16,
		.unwind_size = 1 << 20,
		.waits_for_all = option_on(options, OPTION_BLOCKINGREADS),
		.agg_tables = tables,
		.chunk_size = is_small ? 0 :
			bpf_chunk_size(session->aggregations, count),
		.chunks_per_cpu = option_on(options, OPTION_AGGPERCPU),
	};

	if (config.max_record > config.ring_size)
		return;
	if (t->group->how & HOW_SLEEPS)
		config.kind = (struct bpf_kind){
			.type = BPF_PROG_TYPE_KPROBE,
			.is_sleepable = true,
			.overlaps = true,
		};
	const struct bpf_code *code = bpf_generate(t->arena, ir, &config,
						   &problem);

	if (code)
		bpf_disassemble(code, &out);
	else if (!problem.text)
		wrong(ir, "no code", "and no reason");
	text_free(&out);
}

/* ------------------------------------------------------------------ group */

static ir_reg read_argument(struct lower *lower, uint32_t n)
{
	return ir_load(&lower->b, ir_mem_of(IR_CONTEXT, 8 * (int64_t)n), 8,
		       false);
}

/* NULL: refused. */
static struct ir_program *lower(struct trial *t,
				const struct lower_group *group,
				bool without_passes)
{
	t->session->without_passes = without_passes;
	t->session->nepids = 0;

	struct ir_program *ir = lower_group(t->session, group);
	const char *problem = ir ? ir_verify(ir) : NULL;

	if (problem)
		wrong(ir, "malformed", problem);
	if (!ir && !t->session->error)
		wrong(NULL, "refused", "without a reason");
	return ir;
}

static struct ir_program *try_lowering(struct trial *t,
				       const struct lower_group *group)
{
	struct ir_program *plain = lower(t, group, true);
	struct ir_program *passed = plain ? lower(t, group, false) : NULL;
	struct text out = { 0 };

	if (!plain)
		return NULL;
	if (!passed)
		wrong(plain, "lowered only once", t->session->error);
	ir_print(passed, &out);
	text_free(&out);
	plain->arrays = passed->arrays = t->session->arrays;
	plain->narrays = passed->narrays = t->session->narrays;
	plain->aggregations = passed->aggregations = t->session->aggregations;
	plain->naggregations = passed->naggregations =
		t->session->naggregations;
	compare(t, plain, passed);
	generate(t, passed);
	return passed;
}

/* As session_expect_split() and session_split() do it. */
static void try_pieces(struct trial *t, const struct ir_program *whole)
{
	struct lower_group *group = &t->lower;
	uint32_t globals_size = t->session->globals_size;
	uint32_t self_size = t->session->self_size;
	struct ir_program *pieces[PIECES + 1];
	uint32_t count = 0;

	lower_cut_clauses(t->session, group, UINT16_MAX);
	/* turns are among what is carried: a loop that is written out takes none */
	t->is_carried = true;
	t->globals_size = globals_size;
	t->self_size = self_size;
	lower_carry(t->session, group, NCPUS, t->group->how & HOW_SLEEPS);
	while (count < PIECES && group->nclauses > 1) {
		uint32_t n = lower_split(t->session, group, group->nclauses / 2,
					 true);

		if (!n)
			break;
		struct lower_group first = *group;

		first.nclauses = n;
		first.next_part = count + 1;
		group->clauses += n;
		group->nclauses -= n;
		group->is_continued = true;
		pieces[count] = try_lowering(t, &first);
		if (!pieces[count++])
			return;
	}
	pieces[count] = try_lowering(t, group);
	if (pieces[count++])
		compare_pieces(t, whole, pieces, count, globals_size,
			       self_size);
}

static uint32_t phase_of(const struct probe_info *probe)
{
	if (!strcmp(probe->name, "BEGIN"))
		return PHASE_BEGIN;
	return strcmp(probe->name, "END") ? PHASE_ACTIVE : PHASE_END;
}

void d_session_start(struct lower_session *session, struct language *language)
{
	*session = (struct lower_session){
		.arena = language_arena(language),
		.language = language,
		.looplimit = LOOPLIMIT,
	};
	for (unsigned i = 0; i <= PROBE_NAME; i++)
		session->longest_name[i] = LONGEST_NAME;
}

void d_group_try(const struct d_group *group)
{
	const struct probe_info *probe = group->probe;
	struct trial t = {
		.group = group,
		.arena = group->session->arena,
		.session = group->session,
		.names = { .id = probe->id, .provider = probe->provider,
			   .module = probe->module,
			   .function = probe->function, .name = probe->name },
	};

	t.lower = (struct lower_group){
		.probes = &t.names,
		.nprobes = 1,
		.clauses = group->clauses,
		.nclauses = group->nclauses,
		.error_clauses = group->errors,
		.nerror_clauses = group->nerrors,
		.phase = phase_of(probe),
		.argument = read_argument,
	};
	struct ir_program *whole = try_lowering(&t, &t.lower);

	if (whole && group->how & HOW_SPLIT)
		try_pieces(&t, whole);
}
