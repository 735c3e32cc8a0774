/* SPDX-License-Identifier: Apache-2.0 */
/* Associative arrays: the kernel's hash tables against the interpreter. */
#include "bpf/test_kernel.h"

enum { SMALL, BLOCK, THREAD };

static const struct ir_array arrays[] = {
	[SMALL] = { .key_size = 8, .value_size = 8, .name = "small" },
	[BLOCK] = { .key_size = 272, .value_size = 272, .name = "block" },
	[THREAD] = { .key_size = 24, .value_size = 8, .name = "thread",
		     .is_self = true },
};

static void start(struct bench *t)
{
	bench_start(t);
	t->arrays = arrays;
	t->narrays = sizeof(arrays) / sizeof(arrays[0]);
	t->array_size = 1 << 16;
	t->world.arena = t->arena;
}

static struct ir_mem key_of(struct bench *t, uint32_t array, ir_reg word)
{
	struct ir_mem key = ir_object(&t->b, arrays[array].key_size, "key");

	ir_clear(&t->b, key, arrays[array].key_size);
	ir_store(&t->b, key, word, 8);
	return key;
}

static struct ir_insn *array_op(struct bench *t, enum ir_op op, uint32_t array,
				struct ir_mem key)
{
	struct ir_insn *insn = ir_emit(&t->b, op);

	insn->imm = array;
	insn->source = key;
	insn->imm2 = arrays[array].key_size;
	return insn;
}

static ir_reg scalar_op(struct bench *t, enum ir_op op, struct ir_mem key,
			ir_reg value, unsigned size)
{
	struct ir_insn *insn = array_op(t, op, SMALL, key);

	insn->a = value;
	insn->size = (uint8_t)size;
	insn->is_signed = op != IR_ARRAY_STORE;
	insn->dst = ir_reg_new(t->b.program);
	return insn->dst;
}

static void test_scalars(void)
{
	for (unsigned size = 4; size <= 8; size += 4) {
		struct bench t;
		uint32_t at = 512;

		start(&t);
		struct ir_mem key = key_of(&t, SMALL, input(&t, 0, 7));
		struct ir_mem other = key_of(&t, SMALL, input(&t, 8, 8));
		ir_reg value = input(&t, 16, (uint64_t)-5);
		ir_reg minus = input(&t, 24, 5), zero = input(&t, 32, 0);
		const struct {
			enum ir_op op;
			struct ir_mem key;
			ir_reg value;
		} steps[] = {
			{ IR_ARRAY_LOAD, key, 0 },
			{ IR_ARRAY_STORE, key, value },
			{ IR_ARRAY_LOAD, key, 0 },
			{ IR_ARRAY_STORE, key, minus },
			{ IR_ARRAY_LOAD, other, 0 },
			{ IR_ARRAY_ADD, key, value }, /* 0: removed */
			{ IR_ARRAY_DELETE, key, 0 },
			{ IR_ARRAY_ADD, other, value },
			{ IR_ARRAY_ADD, other, zero },
			{ IR_ARRAY_LOAD, other, 0 },
			{ IR_ARRAY_STORE, other, zero },
			{ IR_ARRAY_LOAD, other, 0 },
			{ IR_ARRAY_DELETE, other, 0 },
		};

		for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
			bool is_delete = steps[i].op == IR_ARRAY_DELETE;
			ir_reg result = scalar_op(&t, steps[i].op, steps[i].key,
						  steps[i].value,
						  is_delete ? 0 : size);

			output(&t, at, result);
			at += 8;
		}
		bench_run(&t);
		assert_int_equal(t.maps.state->dynamic_drops, 0);
		bench_end(&t);
	}
}

static void test_blocks(void)
{
	struct bench t;

	start(&t);
	struct ir_mem key = key_of(&t, BLOCK, input(&t, 0, 7));
	struct ir_mem other = key_of(&t, BLOCK, input(&t, 8, 9));
	struct ir_mem value = ir_object(&t.b, 272, "value");
	struct ir_mem copy = ir_object(&t.b, 272, "copy");
	struct ir_insn *insn;

	for (uint32_t i = 64; i < 64 + 272; i++)
		t.inputs[i] = (uint8_t)i;
	ir_copy(&t.b, value, global_at(64), 272);
	for (unsigned i = 0; i < 2; i++) {
		insn = array_op(&t, IR_ARRAY_WRITE, BLOCK, key);
		insn->mem = value;
		insn->dst = ir_reg_new(t.b.program);
		output(&t, 1024 + 8 * i, insn->dst);
		ir_store(&t.b, value, ir_const(&t.b, 99), 8);
	}
	array_op(&t, IR_ARRAY_READ, BLOCK, key)->mem = copy;
	ir_copy(&t.b, global_at(2048), copy, 272);
	array_op(&t, IR_ARRAY_READ, BLOCK, other)->mem = copy;
	ir_copy(&t.b, global_at(4096), copy, 272);
	bench_run(&t);
	bench_end(&t);
}

static void test_sweep(void)
{
	struct bench t;

	start(&t);
	ir_reg one = input(&t, 0, 1), two = input(&t, 8, 2);
	struct ir_mem keys[4];

	for (unsigned i = 0; i < 4; i++) {
		keys[i] = key_of(&t, THREAD, i % 2 ? one : two);
		ir_store(&t.b, ir_mem_at(keys[i], 8), i < 3 ? two : one, 8);
		ir_store(&t.b, ir_mem_at(keys[i], 16),
			 ir_const(&t.b, (int64_t)i), 8);
		ir_reg value = ir_const(&t.b, 10 + (int64_t)i);
		struct ir_insn *insn = array_op(&t, IR_ARRAY_STORE, THREAD,
						keys[i]);

		insn->a = value;
		insn->size = 8;
	}
	struct ir_insn *sweep = ir_emit(&t.b, IR_ARRAY_SWEEP);

	sweep->imm = THREAD;
	sweep->a = sweep->b = two;
	for (unsigned i = 0; i < 4; i++) {
		struct ir_insn *insn = array_op(&t, IR_ARRAY_LOAD, THREAD,
						keys[i]);

		insn->size = 8;
		insn->dst = ir_reg_new(t.b.program);
		output(&t, 512 + 8 * i, insn->dst);
	}
	bench_run(&t);
	assert_int_equal(((uint64_t *)t.maps.globals)[64], 0);
	assert_int_equal(((uint64_t *)t.maps.globals)[65], 11);
	bench_end(&t);
}

static void test_full(void)
{
	struct bench t;

	start(&t);
	t.array_size = 1; /* one element at least */
	for (unsigned i = 0; i < 3; i++) {
		struct ir_mem key = key_of(&t, SMALL, input(&t, 8 * i, i));

		scalar_op(&t, IR_ARRAY_STORE, key, ir_const(&t.b, 4), 8);
		scalar_op(&t, IR_ARRAY_ADD, key, ir_const(&t.b, 4), 8);
	}
	bench_load(&t);
	assert_int_equal(bpf_run_once(t.loaded), 0);
	assert_int_equal(t.maps.state->dynamic_drops, 4);
	bench_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_scalars),
		BENCH_TEST(test_blocks),
		BENCH_TEST(test_sweep),
		BENCH_TEST(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
