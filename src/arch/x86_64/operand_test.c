/* SPDX-License-Identifier: Apache-2.0 */
/* Every form of an argument: what the text says, and what it evaluates to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "provider/usdt_argument.h"

enum { SITE = 0x1000, SYMBOL = 0x5000 };

static bool find_symbol(void *data, struct str name, uint64_t *address)
{
	(void)data;
	*address = SYMBOL;
	return str_is(name, "sym") || str_is(name, "a.b_1");
}

/* The place in struct pt_regs is also what the register holds, * 0x01010101. */
static const struct {
	const char *text, *type;
	enum arch_operand_kind kind;
	int base, index, scale, shift;
	int64_t value;
	bool is_relative;
	const char *thread_member;
} cases[] = {
	{ "-4@%eax", "int32_t", OPERAND_REGISTER, 80, -1, 1, 0, 0, 0, NULL },
	{ "4@%eax", "uint32_t", OPERAND_REGISTER, 80, -1, 1, 0, 0, 0, NULL },
	{ "8@%rbx", "uint64_t", OPERAND_REGISTER, 40, -1, 1, 0, 0, 0, NULL },
	{ "-8@%rsp", "int64_t", OPERAND_REGISTER, 152, -1, 1, 0, 0, 0, NULL },
	{ "1@%ah", "uint8_t", OPERAND_REGISTER, 80, -1, 1, 8, 0, 0, NULL },
	{ "-1@%dh", "int8_t", OPERAND_REGISTER, 96, -1, 1, 8, 0, 0, NULL },
	{ "1@%sil", "uint8_t", OPERAND_REGISTER, 104, -1, 1, 0, 0, 0, NULL },
	{ "1@%bpl", "uint8_t", OPERAND_REGISTER, 32, -1, 1, 0, 0, 0, NULL },
	{ "2@%cx", "uint16_t", OPERAND_REGISTER, 88, -1, 1, 0, 0, 0, NULL },
	{ "8@%r8", "uint64_t", OPERAND_REGISTER, 72, -1, 1, 0, 0, 0, NULL },
	{ "4@%r8d", "uint32_t", OPERAND_REGISTER, 72, -1, 1, 0, 0, 0, NULL },
	{ "-2@%r12w", "int16_t", OPERAND_REGISTER, 24, -1, 1, 0, 0, 0, NULL },
	{ "1@%r15b", "uint8_t", OPERAND_REGISTER, 0, -1, 1, 0, 0, 0, NULL },
	{ "1@%r9l", "uint8_t", OPERAND_REGISTER, 64, -1, 1, 0, 0, 0, NULL },
	{ "%rdi", "uint64_t", OPERAND_REGISTER, 112, -1, 1, 0, 0, 0, NULL },
	{ "4@$5", "uint32_t", OPERAND_CONSTANT, -1, -1, 1, 0, 5, 0, NULL },
	{ "-4@$-5", "int32_t", OPERAND_CONSTANT, -1, -1, 1, 0, -5, 0, NULL },
	{ "8@$0x10", "uint64_t", OPERAND_CONSTANT, -1, -1, 1, 0, 16, 0, NULL },
	{ "-8@$-9223372036854775808", "int64_t", OPERAND_CONSTANT, -1, -1, 1, 0,
	  INT64_MIN, 0, NULL },
	{ "8@$18446744073709551615", "uint64_t", OPERAND_CONSTANT, -1, -1, 1, 0,
	  -1, 0, NULL },
	{ "8@$sym+4", "uint64_t", OPERAND_CONSTANT, -1, -1, 1, 0,
	  SYMBOL + 4 - SITE, 1, NULL },
	{ "8@-24(%rbp)", "uint64_t", OPERAND_MEMORY, 32, -1, 1, 0, -24, 0,
	  NULL },
	{ "4@(%r12)", "uint32_t", OPERAND_MEMORY, 24, -1, 1, 0, 0, 0, NULL },
	{ "8@(%rax,%rcx,8)", "uint64_t", OPERAND_MEMORY, 80, 88, 8, 0, 0, 0,
	  NULL },
	{ "8@16(%rax,%r10)", "uint64_t", OPERAND_MEMORY, 80, 56, 1, 0, 16, 0,
	  NULL },
	{ "8@-8(,%rcx,4)", "uint64_t", OPERAND_MEMORY, -1, 88, 4, 0, -8, 0,
	  NULL },
	{ "-4@sym(%rip)", "int32_t", OPERAND_MEMORY, -1, -1, 1, 0,
	  SYMBOL - SITE, 1, NULL },
	{ "8@sym+4(%rip)", "uint64_t", OPERAND_MEMORY, -1, -1, 1, 0,
	  SYMBOL + 4 - SITE, 1, NULL },
	{ "8@4+a.b_1(%rip)", "uint64_t", OPERAND_MEMORY, -1, -1, 1, 0,
	  SYMBOL + 4 - SITE, 1, NULL },
	{ "8@sym-4", "uint64_t", OPERAND_MEMORY, -1, -1, 1, 0,
	  SYMBOL - 4 - SITE, 1, NULL },
	{ "8@0x601040", "uint64_t", OPERAND_MEMORY, -1, -1, 1, 0, 0x601040, 0,
	  NULL },
	{ "8@%fs:40", "uint64_t", OPERAND_MEMORY, -1, -1, 1, 0, 40, 0,
	  "fsbase" },
	{ "8@%gs:-8(%rax)", "uint64_t", OPERAND_MEMORY, 80, -1, 1, 0, -8, 0,
	  "gsbase" },
	{ "8@%ds:(%rax)", "uint64_t", OPERAND_MEMORY, 80, -1, 1, 0, 0, 0,
	  NULL },
};

static void understands_every_form(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct usdt_argument argument;

		assert_int_equal(usdt_arguments_parse(arena, cases[i].text,
						      SITE, find_symbol, NULL,
						      &argument, 1),
				 1);
		if (argument.operand.kind != cases[i].kind)
			fail_msg("%s: %s", cases[i].text,
				 argument.operand.problem);
		assert_string_equal(usdt_argument_type(&argument),
				    cases[i].type);
		assert_int_equal(argument.operand.base, cases[i].base);
		assert_int_equal(argument.operand.index, cases[i].index);
		assert_int_equal(argument.operand.scale, cases[i].scale);
		assert_int_equal(argument.operand.shift, cases[i].shift);
		assert_int_equal(argument.operand.value, cases[i].value);
		assert_int_equal(argument.operand.is_relative,
				 cases[i].is_relative);
		if (cases[i].thread_member)
			assert_string_equal(argument.operand.thread_member,
					    cases[i].thread_member);
		else
			assert_null(argument.operand.thread_member);
	}
	arena_free(arena);
}

static const struct {
	const char *text, *problem;
} bad[] = {
	{ "8f@%xmm0", "it is floating point" },
	{ "-8f@8(%rsp)", "it is floating point" },
	{ "8@%xmm3", "it is floating point" },
	{ "16@%rax", "its size is not one of 1, 2, 4, 8" },
	{ "0@%rax", "its size is not one of 1, 2, 4, 8" },
	{ "4@other(%rip)", "the file has no symbol other" },
	{ "4@", "its operand is not understood" },
	{ "@%rax", "its operand is not understood" },
	{ "4@%", "its operand is not understood" },
	{ "4@%r7", "its operand is not understood" },
	{ "4@%r16", "its operand is not understood" },
	{ "4@%r8x", "its operand is not understood" },
	{ "4@%eaxx", "its operand is not understood" },
	{ "4@$", "its operand is not understood" },
	{ "4@$5x", "its operand is not understood" },
	{ "4@(%rax", "its operand is not understood" },
	{ "4@(%rax,)", "its operand is not understood" },
	{ "4@(%rax,%rcx,3)", "its operand is not understood" },
	{ "4@(%ah)", "its operand is not understood" },
	{ "4@8(%rax)8", "its operand is not understood" },
	{ "4@--8(%rax)", "its operand is not understood" },
	{ "4@sym+sym", "its operand is not understood" },
	{ "4@*%rax", "its operand is not understood" },
	{ "4@%zs:8", "its operand is not understood" },
	{ "99999999999999999999@%rax", "its operand is not understood" },
};

static void says_what_it_cannot_read(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct usdt_argument argument;

		assert_int_equal(usdt_arguments_parse(arena, bad[i].text, SITE,
						      find_symbol, NULL,
						      &argument, 1),
				 1);
		assert_int_equal(argument.operand.kind, OPERAND_UNREADABLE);
		assert_string_equal(argument.operand.problem, bad[i].problem);
		assert_non_null(usdt_argument_type(&argument));
	}
	arena_free(arena);
}

static void counts_arguments(void **state)
{
	struct arena *arena = arena_new();
	struct usdt_argument arguments[2];

	(void)state;
	assert_int_equal(usdt_arguments_parse(arena, "", SITE, NULL, NULL,
					      arguments, 2),
			 0);
	assert_int_equal(usdt_arguments_parse(arena, " 8@%rax  -4@$1\t8@%rbx ",
					      SITE, NULL, NULL, arguments, 2),
			 3);
	assert_int_equal(arguments[0].operand.base, 80);
	assert_int_equal(arguments[1].operand.value, 1);
	assert_false(usdt_argument_same(&arguments[0], &arguments[1]));
	assert_true(usdt_argument_same(&arguments[0], &arguments[0]));
	arena_free(arena);
}

/* ------------------------------------------------------------------ values */

static const uint8_t user_memory[16] = {
	0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87,
	0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
};

enum { MEMORY = 0x20000 };

static bool read_memory(void *data, enum ir_space space, uint64_t address,
			void *to, size_t size)
{
	(void)data;
	if (space != IR_USER || address < MEMORY ||
	    address + size > MEMORY + sizeof(user_memory))
		return false;
	memcpy(to, user_memory + (address - MEMORY), size);
	return true;
}

static int64_t evaluate(const char *text, unsigned *faults)
{
	struct arena *arena = arena_new();
	struct usdt_argument argument;
	struct lower lower = { .b = { .program = ir_new(arena) } };
	uint64_t context[21] = {
		[10] = 0xfedcba9876543210, [11] = MEMORY, [12] = 4,
		[16] = MEMORY + 0x100,
	};
	int64_t result = 0;
	struct ir_world world = {
		.context = context, .ncontext = 21, .read = read_memory,
		.globals = (uint8_t *)&result, .globals_size = sizeof(result),
	};
	struct ir_block *done = ir_block_new(&lower.b, "done");

	usdt_arguments_parse(arena, text, SITE, find_symbol, NULL, &argument,
			     1);
	ir_enter(&lower.b, ir_block_new(&lower.b, "start"));
	lower.b.fault = done;
	ir_store(&lower.b, (struct ir_mem){ .space = IR_GLOBAL },
		 usdt_argument_lower(&lower, &argument), 8);
	ir_enter(&lower.b, done);
	ir_return(&lower.b);
	ir_renumber(lower.b.program);
	assert_null(ir_verify(lower.b.program));
	assert_int_equal(ir_run(lower.b.program, &world), 0);
	*faults = world.nfaults;
	arena_free(arena);
	return result;
}

static void evaluates(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
		unsigned faults;
	} values[] = {
		{ "8@%rax", (int64_t)0xfedcba9876543210, 0 },
		{ "4@%eax", 0x76543210, 0 },
		{ "1@%ah", 0x32, 0 },
		{ "-2@%rax", 0x3210, 0 },
		{ "-4@$-5", -5, 0 },
		{ "4@$-5", 0xfffffffb, 0 },
		{ "1@$300", 44, 0 },
		{ "1@(%rcx)", 0x10, 0 },
		{ "-1@8(%rcx)", -8, 0 },
		{ "1@8(%rcx)", 0xf8, 0 },
		{ "-4@4(%rcx,%rdx)", -0x4050608, 0 },
		{ "2@(%rcx,%rdx,2)", 0xf9f8, 0 },
		{ "8@-4(%rcx,%rdx,1)", (int64_t)0x8776655443322110, 0 },
		{ "8@12(%rcx)", 0, 1 },
		{ "1@sym-0x4100", 0x10, 0 }, /* site 0x1000 is at rip */
		{ "8@$sym", MEMORY + 0x4100, 0 },
		{ "8@%xmm0", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		unsigned faults;
		int64_t value = evaluate(values[i].text, &faults);

		if (value != values[i].value || faults != values[i].faults)
			fail_msg("%s is %llx, with %u faults", values[i].text,
				 (long long)value, faults);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(understands_every_form),
		cmocka_unit_test(says_what_it_cannot_read),
		cmocka_unit_test(counts_arguments),
		cmocka_unit_test(evaluates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
