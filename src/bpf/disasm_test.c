/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listing, and through it the constructors: each kind of instruction has
 * the form that the kernel's own log gives it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "bpf/bpf.h"
#include "bpf/emit.h"

static const struct {
	const char *text;
	struct bpf_insn insn;
} cases[] = {
	{ "(0f) r1 += r2", { 0x0f, 1, 2, 0, 0 } },
	{ "(07) r10 += -8", { 0x07, 10, 0, 0, -8 } },
	{ "(bf) r6 = r1", { 0xbf, 6, 1, 0, 0 } },
	{ "(bc) w3 = w4", { 0xbc, 3, 4, 0, 0 } },
	{ "(87) r2 = -r2", { 0x87, 2, 0, 0, 0 } },
	{ "(c7) r2 s>>= 63", { 0xc7, 2, 0, 0, 63 } },
	{ "(dc) r0 = be64 r0", { 0xdc, 0, 0, 0, 64 } },
	{ "(79) r1 = *(u64 *)(r10 - 16)", { 0x79, 1, 10, -16, 0 } },
	{ "(71) r1 = *(u8 *)(r2 + 3)", { 0x71, 1, 2, 3, 0 } },
	{ "(63) *(u32 *)(r5 + 12) = r0", { 0x63, 5, 0, 12, 0 } },
	{ "(7a) *(u64 *)(r5 + 8) = 1", { 0x7a, 5, 0, 8, 1 } },
	{ "(db) lock *(u64 *)(r1 + 0) += r0", { 0xdb, 1, 0, 0, 0 } },
	{ "(db) r2 = fetch lock *(u64 *)(r1 + 0) |= r2",
	  { 0xdb, 1, 2, 0, 0x41 } },
	{ "(db) r0 = cmpxchg *(u64 *)(r1 + 8), r0, r3",
	  { 0xdb, 1, 3, 8, 0xf1 } },
	{ "(1d) if r0 == r1 goto 3", { 0x1d, 0, 1, 2, 0 } },
	{ "(c5) if r0 s< 0 goto 0", { 0xc5, 0, 0, -1, 0 } },
	{ "(76) if w0 s>= 0 goto 2", { 0x76, 0, 0, 1, 0 } },
	{ "(05) goto 4", { 0x05, 0, 0, 3, 0 } },
	{ "(85) call ktime_get_ns", { 0x85, 0, 0, 0, 5 } },
	{ "(95) exit", { 0x95, 0, 0, 0, 0 } },
	{ "(85) call function 5 of the kernel's BTF", { 0x85, 0, 2, 0, 5 } },
};

static void test_forms(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct bpf_insn insn = cases[i].insn;
		struct bpf_code code = { .insns = &insn, .count = 1 };
		struct text out = { 0 };

		bpf_disassemble(&code, &out);
		char *newline = strchr(out.p, '\n');

		*newline = '\0';
		assert_string_equal(out.p + 7, cases[i].text);
		text_free(&out);
	}
}

static bool same(struct bpf_insn a, struct bpf_insn b)
{
	return !memcmp(&a, &b, sizeof(a));
}

static void test_constructors(void **state)
{
	struct bpf_insn pair[2];

	(void)state;
	assert_true(same(insn_alu(BPF_ADD, R1, R2), cases[0].insn));
	assert_true(same(insn_alu_imm(BPF_ADD, R10, -8), cases[1].insn));
	assert_true(same(insn_mov(R6, R1), cases[2].insn));
	assert_true(same(insn_mov32(R3, R4), cases[3].insn));
	assert_true(same(insn_neg(R2), cases[4].insn));
	assert_true(same(insn_alu_imm(BPF_ARSH, R2, 63), cases[5].insn));
	assert_true(same(insn_big_endian(R0, 8), cases[6].insn));
	assert_true(same(insn_load(8, R1, R10, -16), cases[7].insn));
	assert_true(same(insn_load(1, R1, R2, 3), cases[8].insn));
	assert_true(same(insn_store(4, R5, 12, R0), cases[9].insn));
	assert_true(same(insn_store_imm(8, R5, 8, 1), cases[10].insn));
	assert_true(same(insn_atomic(8, BPF_ADD, R1, 0, R0), cases[11].insn));
	assert_true(same(insn_atomic(8, BPF_OR | BPF_FETCH, R1, 0, R2),
			 cases[12].insn));
	assert_true(same(insn_atomic(8, BPF_CMPXCHG, R1, 8, R3),
			 cases[13].insn));
	assert_true(same(insn_jump(BPF_JEQ, R0, R1, 2), cases[14].insn));
	assert_true(same(insn_jump_imm(BPF_JSLT, R0, 0, -1), cases[15].insn));
	assert_true(same(insn_jump32_imm(BPF_JSGE, R0, 0, 1), cases[16].insn));
	assert_true(same(insn_goto(3), cases[17].insn));
	assert_true(same(insn_call(BPF_FUNC_ktime_get_ns), cases[18].insn));
	assert_true(same(insn_exit(), cases[19].insn));
	assert_true(same(insn_call_kernel(5), cases[20].insn));
	insn_const64(pair, R3, 0x1122334455667788);
	assert_int_equal(pair[0].code, 0x18);
	assert_int_equal(pair[0].imm, 0x55667788);
	assert_int_equal(pair[1].imm, 0x11223344);
	assert_true(insn_is_wide(&pair[0]));
}

/* Labels, maps and long constants, as an emitter makes them. */
static void test_emitter(void **state)
{
	struct emitter e = { .arena = arena_new() };
	struct text out = { 0 };
	label there = label_new(&e), back = label_new(&e);

	(void)state;
	label_bind(&e, back);
	emit_const(&e, R1, -1);
	emit_const(&e, R2, INT64_MIN);
	emit_mov(&e, R3, R3);
	emit_add(&e, R3, 0);
	emit_jump(&e, insn_jump_imm(BPF_JEQ, R1, 0, 0), there);
	emit_map(&e, R1, MAP_AGGREGATION, 3);
	emit_map_value(&e, R1, MAP_STATE, 8);
	emit_goto(&e, back);
	label_bind(&e, there);
	emit(&e, insn_exit());
	emit_finish(&e);
	assert_null(e.problem.text);
	struct bpf_code code = {
		.insns = e.insns, .count = e.count, .relocs = e.relocs,
		.nrelocs = e.nrelocs, .stack_used = 32,
	};

	bpf_disassemble(&code, &out);
	assert_string_equal(text_str(&out),
			    "    0: (b7) r1 = -1\n"
			    "    1: (18) r2 = 0x8000000000000000 ll\n"
			    "    3: (15) if r1 == 0 goto 9\n"
			    "    4: (18) r1 = map aggregation 3\n"
			    "    6: (18) r1 = &state + 8\n"
			    "    8: (05) goto 0\n"
			    "    9: (95) exit\n"
			    "; 10 instructions, 32 bytes of stack, 0 spilled\n");
	text_free(&out);
	arena_free(e.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_constructors),
		cmocka_unit_test(test_emitter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
