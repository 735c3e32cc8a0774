/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs, in the kernel and in the interpreter: values that are
 * changed in place, branches, faults, frame memory on both sides of the stack
 * budget, calls that destroy registers, loops with break and continue, functions
 * that are compiled once and called from anywhere, from loops and from one
 * another.  RANDOM_SEED and RANDOM_COUNT in the environment select others.
 */
#include "bpf/test_kernel.h"

enum { VALUES = 14, STATEMENTS = 40, OUT = 1024, TEXT = 2048, FUNCTIONS = 2 };

/* Words of a function's frame: all values, the address, what went wrong. */
enum { FRAME_ADDRESS = VALUES, FRAME_NOTE, FRAME_VALUE, FRAME_WORDS };

struct function {
	uint32_t routine;
	struct ir_mem frame;
};

struct maker {
	struct bench *t;
	ir_reg values[VALUES];
	ir_reg address; /* of the text, in our own memory */
	struct ir_mem small, large, string;
	struct function functions[FUNCTIONS]; /* each may call those before */
	unsigned nfunctions;
	struct ir_block *step, *exit; /* of the innermost loop, or NULL */
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
		IR_SMOD, IR_NEG, IR_NOT, IR_BITS, IR_EXTEND, IR_MOVE, IR_CONST,
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
		   op != IR_BITS && op != IR_MOVE && chance(2)) {
		insn->b = any(m);
	}
}

static void memory(struct maker *m)
{
	struct ir_builder *b = &m->t->b;
	unsigned size = 1u << chance(4);
	struct ir_mem at = chance(2) ? ir_mem_at(m->small, 8 * chance(4))
				     : ir_mem_at(m->large, 8 * chance(50));

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
			ir_string_test(b,
				       chance(2) ? IR_STRING_EQUAL
						 : IR_STRING_COMPARE,
				       m->string, 64, global_at(TEXT),
				       capacity));
		break;
	case 2:
		ir_move(b, any(m),
			ir_read_string(b, m->string, IR_USER, some_address(m),
				       64));
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

static void statements(struct maker *m, unsigned count, unsigned depth);

static void condition(struct maker *m, unsigned depth)
{
	struct ir_builder *b = &m->t->b;
	struct ir_block *yes = ir_block_new(b, "yes");
	struct ir_block *after = ir_block_new(b, "after");
	ir_reg test = chance(2) ? any(m) : ir_binary(b, IR_SLT, any(m), any(m));

	ir_branch(b, test, yes, after);
	ir_enter(b, yes);
	statements(m, 1 + chance(6), depth);
	if (m->exit && !chance(3))
		ir_goto(b, chance(2) ? m->step : m->exit);
	ir_enter(b, after);
}

/* A few turns; now and then as many as values say, up to the limit. */
static void loop(struct maker *m, unsigned depth)
{
	struct ir_builder *b = &m->t->b;
	struct ir_block *step = m->step, *exit = m->exit;
	ir_reg count = chance(4) ? ir_binary_imm(b, IR_AND, any(m), 7)
				 : ir_const(b, chance(5));

	if (!chance(8))
		ir_move(b, count, any(m));

	struct counter c = count_begin(b, count);

	m->step = ir_block_new(b, "step");
	m->exit = c.exit;
	/* an object of the loop is zeroed in each turn */
	struct ir_mem object = ir_object(b, 16, "object");
	ir_reg value = any(m);

	ir_move(b, value,
		ir_binary(b, IR_ADD, value, ir_load(b, object, 8, false)));
	ir_store(b, object, any(m), 8);
	statements(m, 2 + chance(8), depth);
	ir_enter(b, m->step);
	count_end(b, c);
	m->step = step;
	m->exit = exit;
}

static struct ir_mem frame_word(const struct function *f, unsigned n)
{
	return ir_mem_at(f->frame, 8 * (int64_t)n);
}

static void store_values(struct maker *m, const struct function *f)
{
	for (unsigned i = 0; i < VALUES; i++)
		ir_store(&m->t->b, frame_word(f, i), m->values[i], 8);
}

/* It gets the values, changes them, and returns or faults. */
static void make_function(struct maker *m)
{
	struct ir_builder *b = &m->t->b;
	struct ir_function_state aside;
	struct maker inner = *m;
	struct function f = { .frame = ir_object(b, 8 * FRAME_WORDS, "frame") };

	ir_function_begin(b, &aside);
	struct ir_block *fault = b->fault = ir_block_new(b, "fault");

	for (unsigned i = 0; i < VALUES; i++) {
		inner.values[i] = ir_reg_new(b->program);
		ir_move(b, inner.values[i],
			ir_load(b, frame_word(&f, i), 8, false));
	}
	inner.address = ir_load(b, frame_word(&f, FRAME_ADDRESS), 8, false);
	statements(&inner, STATEMENTS / 4, 1);
	store_values(&inner, &f);
	ir_leave(b, 0);
	ir_enter(b, fault);
	ir_store(b, frame_word(&f, FRAME_NOTE),
		 ir_query(b, IR_QUERY_FAULT_NOTE), 8);
	ir_store(b, frame_word(&f, FRAME_VALUE),
		 ir_query(b, IR_QUERY_FAULT_VALUE), 8);
	store_values(&inner, &f);
	ir_leave(b, 1);
	f.routine = ir_function_end(b, &aside, "function");
	m->functions[m->nfunctions++] = f;
}

static void call(struct maker *m, const struct function *f)
{
	struct ir_builder *b = &m->t->b;
	struct ir_block *good = ir_block_new(b, "good"),
			*bad = ir_block_new(b, "bad");

	store_values(m, f);
	ir_store(b, frame_word(f, FRAME_ADDRESS), m->address, 8);

	ir_reg failed = ir_invoke(b, f->routine);

	for (unsigned i = 0; i < VALUES; i += 1 + chance(3))
		ir_move(b, m->values[i],
			ir_load(b, frame_word(f, i), 8, false));
	ir_branch(b, failed, bad, good);
	ir_enter(b, bad);
	ir_reg note = ir_load(b, frame_word(f, FRAME_NOTE), 8, false);
	ir_reg value = ir_load(b, frame_word(f, FRAME_VALUE), 8, false);
	struct ir_insn *again = ir_emit(b, IR_FAULT_AGAIN);

	again->a = note;
	again->b = value;
	again->target = b->fault;
	ir_enter(b, good);
}

static void statements(struct maker *m, unsigned count, unsigned depth)
{
	while (count--) {
		unsigned kind = chance(20);

		if (kind < 12)
			arithmetic(m);
		else if (kind < 16)
			memory(m);
		else if (kind < 18)
			question(m);
		else if (kind == 18 && m->nfunctions && chance(2))
			call(m, &m->functions[chance(m->nfunctions)]);
		else if (depth && chance(3))
			condition(m, depth - 1);
		else if (depth)
			loop(m, depth - 1);
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
	while (m.nfunctions < FUNCTIONS)
		make_function(&m);
	for (unsigned i = 0; i < VALUES; i++) {
		m.values[i] = ir_reg_new(t->b.program);
		ir_move(&t->b, m.values[i],
			input(t, i * 8, (uint64_t)number()));
	}
	m.address = input(t, VALUES * 8, (uintptr_t)text);
	statements(&m, STATEMENTS, 2);
	/* what nothing calls would have been removed */
	for (unsigned i = 0; i < FUNCTIONS; i++)
		call(&m, &m.functions[i]);
	for (unsigned i = 0; i < VALUES; i++)
		output(t, OUT + i * 8, m.values[i]);
	ir_copy(&t->b, global_at(3072), m.small, 32);
	ir_copy(&t->b, global_at(4096), m.large, 400);
	ir_copy(&t->b, global_at(5120), m.string, 64);
	ir_return(&t->b);
	/* memory that a read failed to fill is undefined */
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
	/* Random programs can be too large for stack or verifier; few may be. */
	print_message("%u of %u were too large\n", refused, count);
	assert_true(refused * 10 <= count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
