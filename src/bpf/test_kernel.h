/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * For tests: build an IR program, run it in the kernel (raw_tp by test run) and
 * in the interpreter, and compare the globals of the two.  Without privileges
 * tests are skipped with the reason.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "bpf/sys.h"

enum { GLOBALS = 16384, RING = 65536, AGG_SIZE = 1 << 20, LOOPLIMIT = 1000 };

struct bench {
	struct arena *arena;
	struct ir_builder b;
	struct ir_block *fault; /* not yet placed */
	struct bpf_maps maps;
	struct bpf_code *code;
	struct bpf_loaded *loaded;
	struct ir_world world;
	struct ir_aggregation aggs[8];
	uint32_t naggs, self_size;
	const struct ir_array *arrays;
	uint32_t narrays;
	uint64_t array_size;
	uint64_t ring_size;
	uint8_t inputs[GLOBALS]; /* what globals start with */
	struct bpf_kind kind;
	bool has_deadline;     /* loops have */
	bool may_be_too_large; /* for the stack or the verifier */
};

static inline bool bench_permitted(void)
{
	const char *problem = bpf_privilege_problem();

	if (problem)
		print_message("skipped: %s\n", problem);
	return !problem;
}

/*
 * BENCH_TEST(f) in a list of tests: f(void) runs where programs can be loaded,
 * and is skipped elsewhere.
 */
static inline void bench_test(void **state)
{
	void (*test)(void);

	if (!bench_permitted())
		skip();
	memcpy(&test, state, sizeof(test));
	test();
}

#define BENCH_TEST(f)                                   \
	{                                               \
#f, bench_test, NULL, NULL, (void *)(f) \
	}

static inline void bench_start(struct bench *t)
{
	memset(t, 0, sizeof(*t));
	t->arena = arena_new();
	t->b.program = ir_new(t->arena);
	t->b.block = ir_block_new(&t->b, "start");
	t->b.program->blocks = t->b.program->last_block = t->b.block;
	t->fault = t->b.fault = ir_block_new(&t->b, "fault");
	t->kind.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	t->ring_size = RING;
}

static inline bool bench_read(void *data, enum ir_space space, uint64_t address,
			      void *to, size_t size)
{
	(void)data;
	(void)space;
	/* Our own memory, mapped or not. */
	struct iovec here = { to, size };
	struct iovec there = { (void *)(uintptr_t)address, size };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) ==
	       (ssize_t)size;
}

/* Close the program: return, and a fault block that returns. */
static inline void bench_close(struct bench *t)
{
	struct ir_program *program = t->b.program;

	if (!ir_is_closed(&t->b))
		ir_return(&t->b);
	bool is_placed = false;

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		is_placed |= block == t->fault;
	if (!is_placed) {
		ir_enter(&t->b, t->fault);
		ir_return(&t->b);
	}
	ir_outline(program, LOOPLIMIT, t->has_deadline);
	program->aggregations = t->aggs;
	program->naggregations = t->naggs;
	program->arrays = t->arrays;
	program->narrays = t->narrays;
}

static inline void bench_load(struct bench *t)
{
	struct ir_program *program = t->b.program;
	struct bpf_agg_table tables[8];
	const char *error = NULL;
	struct bpf_problem problem = { 0 };

	bench_close(t);
	error = ir_verify(program);
	if (error)
		fail_msg("IR: %s", error);
	bpf_agg_layout(t->aggs, t->naggs, AGG_SIZE, tables);
	struct bpf_generate_config config = {
		.kind = t->kind, .program_index = 7,
		.ring_size = t->ring_size, .max_record = 40000,
		.agg_tables = tables,
	};

	t->code = bpf_generate(t->arena, program, &config, &problem);
	if (!t->code && t->may_be_too_large && problem.is_too_large)
		return;
	if (!t->code)
		fail_msg("generate: %s", problem.text);
	struct bpf_maps_config maps = {
		.ring_size = t->ring_size, .max_record = 40000,
		.globals_size = GLOBALS, .self_size = t->self_size,
		.scratch_slot_size = t->code->scratch_size,
		.aggregations = t->aggs, .naggregations = t->naggs,
		.agg_size = AGG_SIZE,
		.arrays = t->arrays, .narrays = t->narrays,
		.array_size = t->array_size,
	};

	if (bpf_maps_create(&t->maps, &maps, &error))
		fail_msg("maps: %s", error);
	memcpy(t->maps.globals, t->inputs, GLOBALS);
	t->loaded = bpf_load(t->arena, t->code, &t->maps, &t->kind, "test", 0,
			     &problem);
	if (t->loaded || (t->may_be_too_large && problem.is_too_large))
		return;
	struct text listing = { 0 };

	ir_print(program, &listing);
	bpf_disassemble(t->code, &listing);
	fputs(text_str(&listing), stderr);
	fail_msg("load: %s", problem.text);
}

static inline void bench_interpret(struct bench *t)
{
	struct ir_world *world = &t->world;

	world->globals_size = GLOBALS;
	world->globals = arena_copy(t->arena, t->inputs, GLOBALS);
	world->read = bench_read;
	assert_int_equal(ir_run(t->b.program, world), 0);
}

static inline void bench_compare(struct bench *t)
{
	for (uint32_t i = 0; i < GLOBALS; i += 8) {
		uint64_t kernel, interp;

		memcpy(&kernel, t->maps.globals + i, 8);
		memcpy(&interp, t->world.globals + i, 8);
		if (kernel == interp)
			continue;
		struct text listing = { 0 };

		ir_print(t->b.program, &listing);
		bpf_disassemble(t->code, &listing);
		fputs(text_str(&listing), stderr);
		fail_msg("global %u: kernel %#llx, interpreter %#llx", i,
			 (unsigned long long)kernel,
			 (unsigned long long)interp);
	}
}

/* Load, run in both worlds, compare. */
static inline void bench_run(struct bench *t)
{
	bench_load(t);
	if (!t->loaded)
		return;
	assert_int_equal(bpf_run_once(t->loaded), 0);
	bench_interpret(t);
	bench_compare(t);
}

static inline void bench_end(struct bench *t)
{
	bpf_unload(t->loaded);
	if (t->code)
		bpf_maps_close(&t->maps);
	text_free(&t->world.records);
	arena_free(t->arena);
}

/* Shorthand of tests. */
static inline struct ir_mem global_at(int64_t offset)
{
	return ir_mem_of(IR_GLOBAL, offset);
}

static inline ir_reg input(struct bench *t, uint32_t at, uint64_t value)
{
	memcpy(t->inputs + at, &value, 8);
	return ir_load(&t->b, global_at(at), 8, false);
}

static inline void output(struct bench *t, uint32_t at, ir_reg reg)
{
	ir_store(&t->b, global_at(at), reg, 8);
}

/* for (i = 0; i < count; i++); `count` is not known to the verifier */
struct counter {
	struct ir_block *header, *exit;
	ir_reg i;
};

static inline struct counter count_begin(struct ir_builder *b, ir_reg count)
{
	struct counter c = { .i = ir_reg_new(b->program) };
	struct ir_block *turn = ir_block_new(b, "turn");

	ir_move(b, c.i, ir_const(b, 0));
	c.header = ir_loop_begin(b);
	c.exit = ir_block_new(b, "exit");
	ir_branch(b, ir_binary(b, IR_SLT, c.i, count), turn, c.exit);
	ir_enter(b, turn);
	return c;
}

static inline void count_end(struct ir_builder *b, struct counter c)
{
	ir_move(b, c.i, ir_binary_imm(b, IR_ADD, c.i, 1));
	ir_loop_end(b, c.header, c.exit);
}
