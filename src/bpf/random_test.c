/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs, in the kernel and in the interpreter: values that are
 * changed in place, branches, faults, frame memory on both sides of the stack
 * budget, calls that destroy registers.  RANDOM_SEED and RANDOM_COUNT in the
 * environment choose others.
 */
#include "bpf/test_kernel.h"

enum { VALUES = 14, STATEMENTS = 40, OUT = 1024, TEXT = 2048 };

struct maker {
	struct bench *t;
	ir_reg values[VALUES];
	ir_reg address;			/* of the text, in our own memory */
	struct ir_mem small, large, string;
};

static unsigned chance(unsigned n)
{
	return (unsigned)random() % n;
}

static ir_reg any(struct maker *m)
{
	return m->values[chance(VALUES)];
}

static int64_t number(void)
{
	static const int64_t edges[] = {
		0, 1, -1, 7, 255, 65536, INT32_MAX, INT32_MIN,
		(int64_t)1 << 32, INT64_MAX, INT64_MIN,
	};

	return chance(3) ? edges[chance(11)] : random() - (1 << 30);
}

/* A new value for one of the registers, sometimes in terms of itself. */
static void arithmetic(struct maker *m)
{
	static const enum ir_op ops[] = {
		IR_ADD, IR_SUB, IR_MUL, IR_AND, IR_OR, IR_XOR, IR_SHL, IR_LSR,
		IR_ASR, IR_EQ, IR_ULT, IR_SLT, IR_SGE, IR_UGT, IR_UDIV, IR_SDIV,
		IR_SMOD, IR_NEG, IR_NOT, IR_EXTEND, IR_MOVE, IR_CONST,
	};
	enum ir_op op = ops[chance(sizeof(ops) / sizeof(*ops))];
	struct ir_insn *insn = ir_emit(&m->t->b, op);

	insn->dst = any(m);
	insn->imm = number();
	if (op == IR_CONST)
		return;
	insn->a = any(m);
	if (op == IR_EXTEND) {
		insn->size = (uint8_t)(1 << chance(4));
		insn->is_signed = chance(2);
	} else if (op == IR_UDIV || op == IR_SDIV || op == IR_SMOD) {
		insn->imm = insn->imm ? insn->imm : 3;
	} else if (op <= IR_SGE && op != IR_NEG && op != IR_NOT &&
		   op != IR_MOVE && chance(2)) {
		insn->b = any(m);
	}
}

static void memory(struct maker *m)
{
	struct ir_builder *b = &m->t->b;
	unsigned size = 1u << chance(4);
	struct ir_mem at = chance(2) ?
		ir_mem_at(m->small, 8 * chance(4)) :
		ir_mem_at(m->large, 8 * chance(50));

	switch (chance(6)) {
	case 0:
		ir_store(b, at, any(m), size);
		break;
	case 1:
		ir_move(b, any(m), ir_load(b, at, size, chance(2)));
		break;
	case 2:
		ir_copy(b, m->small, ir_mem_at(m->large, 8 * chance(40)),
			1 + chance(32));
		break;
	case 3:
		ir_copy(b, ir_mem_at(m->large, chance(100)), m->small,
			1 + chance(32));
		break;
	case 4:
		ir_clear(b, m->large, 1 + chance(400));
		break;
	default:
		ir_string_copy(b, m->string, 64,
			       global_at(TEXT + 8 * chance(4)), 1 + chance(60));
	}
}

/*
 * Mostly good; else in the first page, which is never there.  Other numbers
 * might hit memory that is mapped but not present, where the kernel's read
 * fails and the interpreter's does not.
 */
static ir_reg some_address(struct maker *m)
{
	if (chance(8))
		return m->address;
	return ir_binary_imm(&m->t->b, IR_AND, any(m), 0xfff);
}

static void question(struct maker *m)
{
	struct ir_builder *b = &m->t->b;
	uint32_t capacity = 1 + chance(63);

	switch (chance(5)) {
	case 0:
		ir_move(b, any(m), ir_string_length(b, m->string, capacity));
		break;
	case 1:
		ir_move(b, any(m),
			ir_string_test(b, chance(2) ? IR_STRING_EQUAL :
						      IR_STRING_COMPARE,
				       m->string, 64, global_at(TEXT),
				       capacity));
		break;
	case 2:
		ir_move(b, any(m),
			ir_read_string(b, m->string, IR_USER,
				       some_address(m), 64));
		break;
	case 3:
		ir_move(b, any(m),
			ir_read_scalar(b, IR_USER, some_address(m),
				       1u << chance(4), chance(2)));
		break;
	default:
		ir_fault_if(b, ir_binary_imm(b, IR_EQ, any(m), number()),
			    FAULT_ILLOP, any(m));
	}
}

static void statements(struct maker *m, unsigned count, unsigned depth)
{
	struct ir_builder *b = &m->t->b;

	while (count--) {
		unsigned kind = chance(10);

		if (kind < 6) {
			arithmetic(m);
		} else if (kind < 8) {
			memory(m);
		} else if (kind == 8) {
			question(m);
		} else if (depth) {
			struct ir_block *yes = ir_block_new(b, "yes");
			struct ir_block *after = ir_block_new(b, "after");
			ir_reg test = chance(2) ? any(m) :
				ir_binary(b, IR_SLT, any(m), any(m));

			ir_branch(b, test, yes, after);
			ir_enter(b, yes);
			statements(m, 1 + chance(6), depth - 1);
			ir_enter(b, after);
		}
	}
}

static void make_program(struct bench *t, const char *text)
{
	struct maker m = { .t = t };

	bench_start(t);
	m.small = ir_object(&t->b, 32, "small");
	m.large = ir_object(&t->b, 400, "large");
	m.string = ir_object(&t->b, 64, "string");
	ir_clear(&t->b, m.small, 32);
	ir_clear(&t->b, m.large, 400);
	ir_clear(&t->b, m.string, 64);
	memcpy(t->inputs + TEXT, text, 100);
	for (unsigned i = 0; i < VALUES; i++) {
		m.values[i] = ir_reg_new(t->b.program);
		ir_move(&t->b, m.values[i],
			input(t, i * 8, (uint64_t)number()));
	}
	m.address = input(t, VALUES * 8, (uintptr_t)text);
	statements(&m, STATEMENTS, 2);
	for (unsigned i = 0; i < VALUES; i++)
		output(t, OUT + i * 8, m.values[i]);
	ir_copy(&t->b, global_at(3072), m.small, 32);
	ir_copy(&t->b, global_at(4096), m.large, 400);
	ir_copy(&t->b, global_at(5120), m.string, 64);
	ir_return(&t->b);
	/* memory that a read failed to fill is nobody's */
	ir_enter(&t->b, t->fault);
	output(t, OUT + 512, ir_query(&t->b, IR_QUERY_FAULT_CODE));
	output(t, OUT + 520, ir_query(&t->b, IR_QUERY_FAULT_VALUE));
	output(t, OUT + 528, ir_query(&t->b, IR_QUERY_FAULT_SITE));
	for (unsigned i = 0; i < VALUES; i++)
		output(t, OUT + 256 + i * 8, m.values[i]);
}

static unsigned setting(const char *name, unsigned value)
{
	const char *text = getenv(name);

	return text ? (unsigned)strtoul(text, NULL, 10) : value;
}

static void test_random(void)
{
	static char text[128] = "the quick brown fox jumps over the lazy dog";
	unsigned seed = setting("RANDOM_SEED", 1);
	unsigned count = setting("RANDOM_COUNT", 80), refused = 0;

	for (unsigned i = 0; i < count; i++) {
		struct bench t;

		srandom(seed + i);
		make_program(&t, text);
		t.may_be_too_large = true;
		bench_run(&t);
		refused += !t.loaded;
		bench_end(&t);
	}
	/* Wild programs can be too much for the verifier; few may be. */
	print_message("%u of %u were too large to verify\n", refused, count);
	assert_true(refused * 10 <= count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
