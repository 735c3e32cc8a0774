/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every IR op in the kernel against the interpreter: arithmetic, memory,
 * strings, reads, thread-local variables, control.
 */
#include "arch/arch.h"
#include "bpf/test_kernel.h"

#include <sys/prctl.h>

static const uint64_t numbers[] = {
	0, 1, 2, 7, 63, 255, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
	0x100000000, 0x123456789abcdef0, INT64_MAX, (uint64_t)INT64_MIN,
	(uint64_t)-1, (uint64_t)-5,
};
enum { NUMBERS = sizeof(numbers) / sizeof(*numbers), OUT = 1024 };

static bool is_division(enum ir_op op)
{
	return op >= IR_UDIV && op <= IR_SMOD;
}

/* One operand against all others, as registers and as immediates. */
static void check_binary(enum ir_op op, unsigned i)
{
	struct bench t;

	bench_start(&t);
	ir_reg x = input(&t, 0, numbers[i]);

	for (unsigned j = 0; j < NUMBERS; j++) {
		if (is_division(op) && !numbers[j])
			continue;
		ir_reg y = input(&t, 8 + j * 8, numbers[j]);

		output(&t, OUT + j * 16, ir_binary(&t.b, op, x, y));
		output(&t, OUT + j * 16 + 8,
		       ir_binary_imm(&t.b, op, x, (int64_t)numbers[j]));
	}
	bench_run(&t);
	bench_end(&t);
}

static void test_binary(void)
{
	for (enum ir_op op = IR_ADD; op <= IR_SGE; op++)
		for (unsigned i = 0; i < NUMBERS; i++)
			if (op != IR_NEG && op != IR_NOT)
				check_binary(op, i);
}

static void test_same_register(void)
{
	struct bench t;

	bench_start(&t);
	ir_reg x = input(&t, 0, 100), y = input(&t, 8, 7);

	/* the destination is an operand, in both places */
	for (enum ir_op op = IR_ADD; op <= IR_ASR; op++) {
		ir_reg left = ir_reg_new(t.b.program);
		ir_reg right = ir_reg_new(t.b.program);

		ir_move(&t.b, left, x);
		ir_move(&t.b, right, y);
		struct ir_insn *insn = ir_emit(&t.b, op);

		insn->dst = left;
		insn->a = left;
		insn->b = right;
		output(&t, OUT + 32 * (uint32_t)op, left);
		insn = ir_emit(&t.b, op);
		insn->dst = right;
		insn->a = left;
		insn->b = right;
		output(&t, OUT + 32 * (uint32_t)op + 8, right);
	}
	bench_run(&t);
	bench_end(&t);
}

static void test_unary(void)
{
	struct bench t;
	uint32_t at = OUT;

	bench_start(&t);
	for (unsigned i = 0; i < NUMBERS; i++) {
		ir_reg x = input(&t, i * 8, numbers[i]);

		output(&t, at, ir_unary(&t.b, IR_NEG, x));
		output(&t, at + 8, ir_unary(&t.b, IR_NOT, x));
		at += 16;
		for (unsigned size = 1; size <= 8; size *= 2, at += 16) {
			output(&t, at, ir_extend(&t.b, x, size, false));
			output(&t, at + 8, ir_extend(&t.b, x, size, true));
		}
	}
	bench_run(&t);
	bench_end(&t);
}

/* More values alive than registers, across calls. */
static void test_pressure(void)
{
	struct bench t;
	ir_reg in[40];

	bench_start(&t);
	for (unsigned i = 0; i < 40; i++)
		in[i] = input(&t, i * 8, i * 1000003u);
	ir_reg when = ir_query(&t.b, IR_QUERY_TIMESTAMP);

	ir_fault_if(&t.b, ir_binary_imm(&t.b, IR_EQ, when, -1), FAULT_ILLOP, 0);
	for (unsigned i = 0; i < 40; i++)
		output(&t, OUT + i * 8,
		       ir_binary(&t.b, IR_ADD, in[i], in[39 - i]));
	bench_run(&t);
	assert_true(t.code->spills > 30);
	bench_end(&t);
}

static void test_memory(void)
{
	static const uint8_t table[] = { 1, 130, 3, 244, 5, 6, 7, 248, 9, 10 };
	struct bench t;
	uint32_t at = OUT;

	bench_start(&t);
	struct ir_mem constants = ir_rodata(t.b.program, table, sizeof(table),
					    8);
	struct ir_mem small = ir_object(&t.b, 24, "small");
	struct ir_mem large = ir_object(&t.b, 1000, "large");
	ir_reg x = input(&t, 0, 0x8899aabbccddeeff);

	ir_clear(&t.b, small, 24);
	ir_clear(&t.b, large, 1000);
	for (unsigned size = 1; size <= 8; size *= 2)
		for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
			output(&t, at,
			       ir_load(&t.b, constants, size, is_signed));
			ir_store(&t.b, ir_mem_at(small, 8), x, size);
			output(&t, at + 8,
			       ir_load(&t.b, ir_mem_at(small, 8), size,
				       is_signed));
			ir_store(&t.b, ir_mem_at(large, 900 + size), x, size);
			output(&t, at + 16,
			       ir_load(&t.b, ir_mem_at(large, 900 + size), size,
				       is_signed));
			at += 24;
		}
	/* copies of every odd length, between all kinds of places */
	for (uint32_t size = 1; size < 24; size += 3, at += 128) {
		ir_clear(&t.b, small, 24);
		ir_copy(&t.b, ir_mem_at(small, size % 2), constants,
			size > 10 ? 10 : size);
		ir_copy(&t.b, ir_mem_at(large, 64), small, 24);
		ir_copy(&t.b, global_at(at), ir_mem_at(large, 60), 48);
		ir_copy(&t.b, global_at(at + 64), small, size);
	}
	ir_copy(&t.b, global_at(8192), large, 1000);
	ir_atomic_add(&t.b, global_at(10240), x, 8);
	ir_atomic_add(&t.b, global_at(10248), x, 4);
	bench_run(&t);
	assert_true(t.code->scratch_size >= 1000);
	bench_end(&t);
}

/* An object that is read before it was written on one path. */
static void test_half_written(void)
{
	for (uint64_t way = 0; way < 2; way++) {
		struct bench t;

		bench_start(&t);
		struct ir_mem object = ir_object(&t.b, 16, "half");
		struct ir_block *yes = ir_block_new(&t.b, "yes");
		struct ir_block *after = ir_block_new(&t.b, "after");
		ir_reg x = input(&t, 0, way);

		ir_branch(&t.b, x, yes, after);
		ir_enter(&t.b, yes);
		ir_store(&t.b, object, x, 8);
		ir_enter(&t.b, after);
		ir_reg loaded = ir_load(&t.b, object, 8, false);

		output(&t, OUT, ir_binary(&t.b, IR_MUL, x, loaded));
		bench_load(&t);
		assert_int_equal(bpf_run_once(t.loaded), 0);
		bench_interpret(&t);
		bench_compare(&t);
		bench_end(&t);
	}
}

static void test_index(void)
{
	static const uint8_t table[] = { 10, 20, 30, 40, 50, 60, 70, 80 };
	struct bench t;
	uint32_t at = OUT;

	bench_start(&t);
	struct ir_mem constants = ir_rodata(t.b.program, table, 8, 8);
	struct ir_mem object = ir_object(&t.b, 64, "array");

	ir_clear(&t.b, object, 64);
	for (uint64_t i = 0; i < 8; i++, at += 24) {
		struct ir_mem mem = constants;

		mem.base = input(&t, (uint32_t)i * 8, i);
		mem.bound = 8;
		output(&t, at, ir_load(&t.b, mem, 1, false));
		mem = object;
		mem.base = ir_binary_imm(&t.b, IR_SHL,
					 input(&t, (uint32_t)i * 8, i), 3);
		mem.bound = 64;
		ir_store(&t.b, mem, mem.base, 8);
		output(&t, at + 8, ir_load(&t.b, mem, 8, false));
		mem = global_at(4096);
		mem.base = ir_binary_imm(&t.b, IR_MUL,
					 input(&t, (uint32_t)i * 8, i), 24);
		mem.bound = 8 * 24;
		ir_store(&t.b, ir_mem_at(mem, 16), mem.base, 8);
		output(&t, at + 16,
		       ir_load(&t.b, ir_mem_at(mem, 16), 8, false));
	}
	ir_copy(&t.b, global_at(8192), object, 64);
	bench_run(&t);
	bench_end(&t);
}

/* A record of a thread: created by the first store, zeros before. */
static void test_self(void)
{
	struct bench t;

	bench_start(&t);
	struct ir_mem self = ir_mem_of(IR_SELF, 0);
	struct ir_mem text = ir_rodata(t.b.program, "thread", 7, 8);
	struct ir_mem string = ir_object(&t.b, 64, "string");
	ir_reg x = input(&t, 0, 4711), zero = input(&t, 8, 0);

	t.self_size = 600;
	output(&t, OUT, ir_load(&t.b, self, 8, false));
	ir_store(&t.b, self, zero, 8);
	output(&t, OUT + 8, ir_load(&t.b, self, 8, false));
	ir_string_copy(&t.b, string, 64, ir_mem_at(self, 64), 256);
	output(&t, OUT + 16, ir_string_length(&t.b, string, 64));
	output(&t, OUT + 24,
	       ir_string_test(&t.b, IR_STRING_EQUAL, ir_mem_at(self, 64), 256,
			      text, 7));
	ir_copy(&t.b, global_at(OUT + 512), ir_mem_at(self, 320), 280);
	ir_store(&t.b, ir_mem_at(self, 16), x, 4);
	output(&t, OUT + 32, ir_load(&t.b, ir_mem_at(self, 16), 4, true));
	ir_string_copy(&t.b, ir_mem_at(self, 64), 256, text, 7);
	output(&t, OUT + 40, ir_string_length(&t.b, ir_mem_at(self, 64), 256));
	output(&t, OUT + 48,
	       ir_string_test(&t.b, IR_STRING_EQUAL, ir_mem_at(self, 64), 256,
			      text, 7));
	ir_atomic_add(&t.b, ir_mem_at(self, 16), x, 8);
	output(&t, OUT + 56, ir_load(&t.b, ir_mem_at(self, 16), 8, false));
	ir_clear(&t.b, ir_mem_at(self, 64), 256);
	output(&t, OUT + 64, ir_string_length(&t.b, ir_mem_at(self, 64), 256));
	t.world.self = arena_alloc(t.arena, t.self_size);
	t.world.self_size = t.self_size;
	bench_run(&t);
	assert_int_equal(t.maps.state->dynamic_drops, 0);
	/* The next firing sees what this one stored. */
	assert_int_equal(bpf_run_once(t.loaded), 0);
	bench_interpret(&t);
	bench_compare(&t);
	bench_end(&t);
}

static void test_reads(void)
{
	static const char text[] = "user memory";
	static char long_text[700];
	struct bench t;

	memset(long_text, 'x', sizeof(long_text) - 1);
	bench_start(&t);
	struct ir_mem small = ir_object(&t.b, 16, "small");
	struct ir_mem large = ir_object(&t.b, 512, "large");
	ir_reg at = input(&t, 0, (uintptr_t)text);
	ir_reg far = input(&t, 8, (uintptr_t)long_text);

	for (unsigned size = 1, n = 0; size <= 8; size *= 2, n++)
		output(&t, OUT + n * 8,
		       ir_read_scalar(&t.b, IR_USER, at, size, true));
	ir_read(&t.b, small, IR_USER, at, 11);
	output(&t, OUT + 64, ir_load(&t.b, small, 8, false));
	output(&t, OUT + 72, ir_read_string(&t.b, small, IR_USER, at, 16));
	ir_copy(&t.b, global_at(OUT + 128), small, 16);
	output(&t, OUT + 80, ir_read_string(&t.b, small, IR_USER, at, 5));
	ir_copy(&t.b, global_at(OUT + 160), small, 5);
	output(&t, OUT + 88, ir_read_string(&t.b, large, IR_USER, far, 512));
	ir_copy(&t.b, global_at(OUT + 192), large, 512);
	ir_read(&t.b, global_at(4096), IR_USER, far, 700);
	bench_run(&t);
	bench_end(&t);
}

/* A bad address leaves through the fault block, with its number. */
static void test_bad_read(void)
{
	static const enum ir_space spaces[] = { IR_USER, IR_KERNEL };

	for (unsigned i = 0; i < 6; i++) {
		struct bench t;

		bench_start(&t);
		struct ir_mem object = ir_object(&t.b, 16, "object");
		ir_reg at = input(&t, 0, 4660);

		t.b.clause = 2;
		if (i / 2 == 0)
			output(&t, OUT,
			       ir_read_scalar(&t.b, spaces[i % 2], at, 8,
					      false));
		else if (i / 2 == 1)
			ir_read(&t.b, object, spaces[i % 2], at, 12);
		else
			output(&t, OUT,
			       ir_read_string(&t.b, object, spaces[i % 2], at,
					      16));
		output(&t, OUT, at);
		ir_return(&t.b);
		ir_enter(&t.b, t.fault);
		output(&t, OUT + 8, ir_query(&t.b, IR_QUERY_FAULT_CODE));
		output(&t, OUT + 16, ir_query(&t.b, IR_QUERY_FAULT_VALUE));
		output(&t, OUT + 24, ir_query(&t.b, IR_QUERY_FAULT_SITE));
		bench_run(&t);
		assert_int_equal(*(uint64_t *)(t.maps.globals + OUT + 8),
				 FAULT_BADADDR);
		bench_end(&t);
	}
}

static void test_fault_if(void)
{
	for (uint64_t x = 0; x < 3; x++) {
		struct bench t;

		bench_start(&t);
		ir_reg a = input(&t, 0, x), value = input(&t, 8, 99);

		ir_fault_if(&t.b, a, FAULT_DIVZERO, value);
		ir_fault_if(&t.b, ir_binary_imm(&t.b, IR_EQ, a, 0),
			    FAULT_BADALIGN, a);
		output(&t, OUT, a);
		ir_return(&t.b);
		ir_enter(&t.b, t.fault);
		output(&t, OUT + 8, ir_query(&t.b, IR_QUERY_FAULT_CODE));
		output(&t, OUT + 16, ir_query(&t.b, IR_QUERY_FAULT_VALUE));
		bench_run(&t);
		bench_end(&t);
	}
}

/* What the kernel says about us. */
static void test_queries(void)
{
	struct bench t;

	bench_start(&t);
	for (unsigned q = 0; q <= IR_QUERY_RANDOM; q++)
		if (q != IR_QUERY_TASK_TYPED && q != IR_QUERY_USER_REGS)
			output(&t, OUT + q * 8,
			       ir_query(&t.b, (enum ir_query)q));
	struct ir_insn *comm = ir_emit(&t.b, IR_COMM);

	comm->mem = global_at(OUT + 512);
	/* the user's stack pointer, by a typed load from pt_regs */
	ir_reg regs = ir_query(&t.b, IR_QUERY_USER_REGS);

	output(&t, OUT + 600,
	       ir_load(&t.b, ir_mem_from(IR_TYPED, regs, ARCH_SP), 8, false));
	bench_load(&t);
	assert_int_equal(bpf_run_once(t.loaded), 0);
	const uint64_t *got = (uint64_t *)(t.maps.globals + OUT);
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t ns = now.tv_sec * 1000000000 + now.tv_nsec;

	assert_in_range(ns - (int64_t)got[IR_QUERY_TIMESTAMP], 0, 1000000000);
	clock_gettime(CLOCK_REALTIME, &now);
	ns = now.tv_sec * 1000000000 + now.tv_nsec;
	assert_in_range(ns - (int64_t)got[IR_QUERY_WALLTIME], 0, 1000000000);
	clock_gettime(CLOCK_BOOTTIME, &now);
	ns = now.tv_sec * 1000000000 + now.tv_nsec;
	assert_in_range(ns - (int64_t)got[IR_QUERY_BOOTTIME], 0, 1000000000);
	assert_int_equal(got[IR_QUERY_PID_TGID] >> 32, getpid());
	assert_int_equal(got[IR_QUERY_UID_GID] & 0xffffffff, getuid());
	assert_true(got[IR_QUERY_CPU] < t.maps.ncpus);
	assert_true(got[IR_QUERY_TASK] >> 63);
	char name[16] = "";

	prctl(PR_GET_NAME, name);
	assert_memory_equal(t.maps.globals + OUT + 512, name, 16);
	int64_t distance = (int64_t)(*(uint64_t *)(t.maps.globals + OUT + 600) -
				     (uintptr_t)&t);

	assert_in_range(distance + 1000000, 0, 2000000);
	bench_end(&t);
}

static void test_exit(void)
{
	struct bench t;
	struct abi_message message;

	bench_start(&t);
	ir_reg status = input(&t, 0, (uint64_t)-3);

	ir_emit(&t.b, IR_EXIT)->a = status;
	bench_load(&t);
	assert_false(bpf_control_read(&t.maps, &message));
	t.maps.state->phase = PHASE_ACTIVE;
	for (int i = 0; i < 300; i++) {
		assert_int_equal(bpf_run_once(t.loaded), 0);
		assert_int_equal(t.maps.state->phase, PHASE_STOPPED);
		assert_int_equal(t.maps.state->exit_status, -3);
		assert_int_equal(t.maps.state->exit_called, 1);
		assert_true(bpf_control_read(&t.maps, &message));
		assert_int_equal(message.kind, CONTROL_EXIT);
		assert_int_equal(message.value, -3);
		assert_false(bpf_control_read(&t.maps, &message));
	}
	bench_end(&t);
}

/* Scratch slots come back: more firings than there are slots. */
static void test_scratch_returns(void)
{
	struct bench t;

	bench_start(&t);
	struct ir_mem object = ir_object(&t.b, 2000, "large");
	ir_reg x = input(&t, 0, 5);

	ir_fault_if(&t.b, ir_binary_imm(&t.b, IR_EQ, x, 6), FAULT_ILLOP, x);
	ir_store(&t.b, ir_mem_at(object, 1992), x, 8);
	ir_fault_if(&t.b, ir_binary_imm(&t.b, IR_EQ, x, 5), FAULT_ILLOP, x);
	output(&t, OUT, ir_load(&t.b, ir_mem_at(object, 1992), 8, false));
	ir_return(&t.b);
	ir_enter(&t.b, t.fault);
	ir_atomic_add(&t.b, global_at(OUT + 8), x, 8);
	bench_load(&t);
	for (int i = 0; i < 100; i++)
		assert_int_equal(bpf_run_once(t.loaded), 0);
	assert_int_equal(t.maps.state->scratch_drops, 0);
	assert_int_equal(*(uint64_t *)(t.maps.globals + OUT + 8), 500);
	bench_end(&t);
}

/*
 * A program that keeps its CPU does so first, and lets it go before each exit:
 * preemption is allowed while interrupts are off.
 */
static void test_hold(void)
{
	const struct bpf_generate_config config = {
		.kind = raw_tracepoint_kind,
		.hold = { [HOLD_DISABLE] = 1, [HOLD_ENABLE] = 2,
			  [HOLD_SAVE] = 3, [HOLD_RESTORE] = 4 },
	};
	static const int32_t order[] = { 1, 3, 2, 4 };
	struct bpf_problem problem = { 0 };
	struct bench t;
	uint32_t calls = 0, exits = 0;

	bench_start(&t);
	output(&t, OUT, input(&t, 0, 5));
	bench_close(&t);
	t.code = bpf_generate(t.arena, t.b.program, &config, &problem);
	assert_non_null(t.code);
	for (uint32_t i = 0; i < t.code->count; i++) {
		const struct bpf_insn *insn = &t.code->insns[i];

		if (insn->code == (BPF_JMP | BPF_EXIT)) {
			assert_int_equal(calls, 4);
			calls = 1; /* another way leads from the start */
			exits++;
		}
		if (insn->code == (BPF_JMP | BPF_CALL) &&
		    insn->src_reg == BPF_PSEUDO_KFUNC_CALL) {
			assert_in_range(calls, 0, 3);
			assert_int_equal(insn->imm, order[calls++]);
		}
	}
	assert_true(exits > 0);
	t.code = NULL; /* it is not loaded, and has no maps */
	bench_end(&t);
}

/* A program that the verifier refuses is explained by its D text. */
static void test_rejected(void)
{
	static const char text[] = "BEGIN { trace(bad->pointer); }";
	const struct source source = { "test.d", text, sizeof(text) - 1, true };
	struct bpf_problem problem = { 0 };
	struct bench t;
	const char *error = NULL;

	bench_start(&t);
	ir_reg x = input(&t, 0, 5);

	t.b.place = (struct place){
		.source = &source, .offset = 14, .length = 12, .line = 1
	};
	output(&t, OUT, ir_load(&t.b, ir_mem_from(IR_TYPED, x, 0), 8, false));
	bench_close(&t);
	t.code = bpf_generate(t.arena, t.b.program,
			      &(struct bpf_generate_config){ .kind = t.kind },
			      &problem);
	assert_non_null(t.code);
	assert_int_equal(bpf_maps_create(&t.maps,
					 &(struct bpf_maps_config){
						 .globals_size = GLOBALS },
					 &error),
			 0);
	t.loaded = bpf_load(t.arena, t.code, &t.maps, &t.kind, "bad", 0,
			    &problem);
	assert_null(t.loaded);
	assert_non_null(strstr(problem.text, "at line 1 (\"bad->pointer\")"));
	assert_non_null(strstr(problem.text, "invalid mem access"));
	assert_false(problem.is_too_large);
	bench_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_binary),
		BENCH_TEST(test_same_register),
		BENCH_TEST(test_unary),
		BENCH_TEST(test_pressure),
		BENCH_TEST(test_memory),
		BENCH_TEST(test_half_written),
		BENCH_TEST(test_index),
		BENCH_TEST(test_self),
		BENCH_TEST(test_reads),
		BENCH_TEST(test_bad_read),
		BENCH_TEST(test_fault_if),
		BENCH_TEST(test_queries),
		BENCH_TEST(test_exit),
		BENCH_TEST(test_scratch_returns),
		BENCH_TEST(test_hold),
		BENCH_TEST(test_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
