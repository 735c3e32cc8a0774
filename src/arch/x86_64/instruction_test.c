/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder against objdump, over all of the C library, and by hand for
 * what that does not have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"

static unsigned length_of(const char *hex)
{
	uint8_t code[32];
	size_t size = 0;
	unsigned byte;
	int used;

	while (sscanf(hex, "%2x%n", &byte, &used) == 1) {
		code[size++] = (uint8_t)byte;
		hex += used;
	}
	return arch_instruction_length(code, size);
}

static void by_hand(void **state)
{
	static const struct {
		const char *hex;
		unsigned length;
	} cases[] = {
		{ "90", 1 },
		{ "55", 1 },
		{ "4889e5", 3 },
		{ "c3", 1 },
		{ "f30f1efa", 4 },
		{ "0f1f440000", 5 },
		{ "662e0f1f840000000000", 10 },
		{ "48b8112233445566778899", 10 },
		{ "66b81122", 4 },
		{ "b811223344", 5 },
		{ "48c7c011223344", 7 },
		{ "c745fc00000000", 7 },
		{ "66c745fc0000", 6 },
		{ "8b0425112233440000", 7 },
		{ "488b05112233440000", 7 },
		{ "f6c101", 3 },
		{ "f6d9", 2 },
		{ "f7c111223344", 6 },
		{ "66666448e811223344", 9 },
		{ "e811223344", 5 },
		{ "c8100000", 4 },
		{ "c21000", 3 },
		{ "0f8411223344", 6 },
		{ "c5f96ec6", 4 },
		{ "c4e27d78c0", 5 },
		{ "c5f877", 3 },
		{ "62f17c481006", 6 },
		{ "660f3a0fc108", 6 },
		{ "a11122334455667788", 9 },
		{ "67a111223344", 6 },
		{ "f00fbaaf0803000005", 9 },
		{ "06", 0 },
		{ "48", 0 },
		{ "e8112233", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(length_of(cases[i].hex), cases[i].length);
}

static void unsafe(void **state)
{
	static const struct {
		uint8_t code[12];
		size_t size;
		bool is_unsafe;
	} cases[] = {
		{ { 0xc3 }, 1, false },
		{ { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, 6, false },
		{ { 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 }, 10, true },
		{ { 0x3e, 0xff, 0xe0 }, 3, true },
		{ { 0x64, 0x48, 0x8b, 4, 0x25, 0x28, 0, 0, 0 }, 9, false },
		{ { 0xf0, 0xff, 0 }, 3, true },
		{ { 0xf4 }, 1, true },
		{ { 0xcc }, 1, true },
		{ { 0xe4, 1 }, 2, true },
		{ { 0xed }, 1, true },
		{ { 0xe8, 0, 0, 0, 0 }, 5, false },
		{ { 0xe0, 2 }, 2, false },
		{ { 0xeb, 2 }, 2, false },
		{ { 0x6d }, 1, true },
		{ { 0x6b, 0xc0, 1 }, 3, false },
		{ { 0xc5, 0xf8, 0x77 }, 3, true },
		{ { 0x0f, 5 }, 2, true },
		{ { 0x0f, 0x1f, 0x44, 0, 0 }, 5, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(arch_is_unsafe(cases[i].code, cases[i].size),
				 cases[i].is_unsafe);
}

static void flow(void **state)
{
	static const struct {
		uint8_t code[8];
		size_t size;
		enum arch_flow flow;
		int64_t target;
	} cases[] = {
		{ { 0x90 }, 1, GOES_ON, 0 },
		{ { 0xe8, 1, 0, 0, 0 }, 5, GOES_ON, 0 },
		{ { 0xe9, 0xf0, 0xff, 0xff, 0xff }, 5, GOES_JUMP, -11 },
		{ { 0xf2, 0xe9, 1, 0, 0, 0 }, 6, GOES_JUMP, 7 },
		{ { 0xeb, 0xfe }, 2, GOES_JUMP, 0 },
		{ { 0x74, 0x10 }, 2, GOES_BRANCH, 18 },
		{ { 0xe3, 0x80 }, 2, GOES_BRANCH, -126 },
		{ { 0x0f, 0x84, 0, 1, 0, 0 }, 6, GOES_BRANCH, 262 },
		{ { 0xff, 0xe0 }, 2, GOES_INDIRECT, 0 },
		{ { 0x3e, 0xff, 0xe0 }, 3, GOES_INDIRECT, 0 },
		{ { 0x41, 0xff, 0x64, 0x24, 8 }, 5, GOES_INDIRECT, 0 },
		{ { 0xff, 0xd0 }, 2, GOES_ON, 0 },
		{ { 0xc3 }, 1, GOES_RETURN, 0 },
		{ { 0xf3, 0xc3 }, 2, GOES_RETURN, 0 },
		{ { 0xc2, 8, 0 }, 3, GOES_RETURN, 0 },
		{ { 0x0f, 0x0b }, 2, GOES_STOP, 0 },
		{ { 0xf4 }, 1, GOES_STOP, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t target = 0;

		assert_int_equal(arch_flow(cases[i].code, cases[i].size,
					   &target),
				 cases[i].flow);
		if (cases[i].flow == GOES_JUMP || cases[i].flow == GOES_BRANCH)
			assert_int_equal(target, cases[i].target);
	}
}

/* "  2a010:\t48 89 e5 \tmov ..." */
static unsigned read_line(const char *line, uint8_t *code, bool *is_bad,
			  const char **text)
{
	unsigned count = 0, byte;
	int used;
	const char *at = strchr(line, ':');

	if (line[0] != ' ' || !at || at[1] != '\t')
		return 0;
	for (at += 2; sscanf(at, "%2x%n", &byte, &used) == 1 &&
		      at[used] == ' ' && count < 15;
	     at += used + 1)
		code[count++] = (uint8_t)byte;
	const char *tab = strchr(at, '\t');

	*text = tab ? tab + 1 : "";
	*is_bad = strstr(*text, "(bad)") || strstr(*text, ".byte");
	return count;
}

static void like_objdump(void **state)
{
	FILE *listing = popen(
		"objdump -d --insn-width=15 $(ldd /bin/sh | awk '/libc.so/ { print $3 }') 2>/dev/null",
		"r");
	char line[512];
	uint8_t code[16];
	unsigned long total = 0, wrong = 0;

	(void)state;
	assert_non_null(listing);
	while (fgets(line, sizeof(line), listing)) {
		bool is_bad = false;
		const char *text;
		unsigned length = read_line(line, code, &is_bad, &text);

		if (!length || is_bad)
			continue;
		total++;
		if (arch_instruction_length(code, length) == length)
			continue;
		/* lone prefixes, which objdump prints as instructions */
		if (!strncmp(text, "rex", 3) || !strncmp(text, "fs", 2) ||
		    !strncmp(text, "cs", 2) || !strncmp(text, "data16", 6))
			continue;
		if (wrong++ < 10)
			print_message("%u: %s",
				      arch_instruction_length(code, length),
				      line);
	}
	pclose(listing);
	if (total < 1000) {
		print_message("no objdump here\n");
		skip();
	}
	print_message("%lu instructions\n", total);
	assert_int_equal(wrong, 0);
}

static void places(void **state)
{
	static const uint8_t code[] = {
		0xf3, 0x0f, 0x1e, 0xfa,		/* endbr64 */
		0x55,				/* push %rbp */
		0x48, 0x89, 0xe5,		/* mov %rsp,%rbp */
		0xc5, 0xf9, 0x6e, 0xc6,		/* vmovd %esi,%xmm0 */
		0xc5, 0xfd, 0xd7, 0xc0,		/* vpmovmskb %ymm0,%eax */
		0xf3, 0xc3,			/* repz ret */
	};

	(void)state;
	assert_int_equal(arch_landing_pad(code, sizeof(code)), 4);
	assert_false(arch_is_unsafe(code + 4, 1));
	assert_true(arch_is_unsafe(code + 8, 4));
	assert_true(arch_is_harmless(code + 8, 4));
	assert_false(arch_is_harmless(code + 12, 4));
	assert_true(arch_is_return(code + 16, 2));
}

static void indirect(void **state)
{
	static const struct {
		const char *name;
		uint8_t code[10];
		struct arch_target operand;
		bool is_known, is_switch;
	} cases[] = {
		{ "jmp *%rax",
		  { 0xff, 0xe0 },
		  { false, 0, ARCH_NREGISTERS, 0, 0 },
		  true,
		  false },
		{ "jmp *%r11",
		  { 0x41, 0xff, 0xe3 },
		  { false, 11, ARCH_NREGISTERS, 0, 0 },
		  true,
		  false },
		{ "notrack jmp *%rax",
		  { 0x3e, 0xff, 0xe0 },
		  { false, 0, ARCH_NREGISTERS, 0, 0 },
		  true,
		  true },
		{ "jmp *0x18(%rdi)",
		  { 0xff, 0x67, 0x18 },
		  { true, 7, ARCH_NREGISTERS, 0, 0x18 },
		  true,
		  false },
		{ "jmp *-8(%r13)",
		  { 0x41, 0xff, 0x65, 0xf8 },
		  { true, 13, ARCH_NREGISTERS, 0, -8 },
		  true,
		  false },
		{ "jmp *0x1000(,%rax,8)",
		  { 0xff, 0x24, 0xc5, 0x00, 0x10, 0x00, 0x00 },
		  { true, ARCH_NREGISTERS, 0, 3, 0x1000 },
		  true,
		  false },
		{ "jmp *(%rbx,%r9,4)",
		  { 0x42, 0xff, 0x24, 0x8b },
		  { true, 3, 9, 2, 0 },
		  true,
		  false },
		{ "jmp *(%rsp)",
		  { 0xff, 0x24, 0x24 },
		  { true, 4, ARCH_NREGISTERS, 0, 0 },
		  true,
		  false },
		{ "jmp *0x100(%rip)",
		  { 0xff, 0x25, 0x00, 0x01, 0x00, 0x00 },
		  { true, 16, ARCH_NREGISTERS, 0, 0x106 },
		  true,
		  false },
		{ "jmp *%fs:(%rax)", { 0x64, 0xff, 0x20 }, { 0 }, false, false },
		{ "ret", { 0xc3 }, { 0 }, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arch_target found = { 0 };
		const struct arch_target *wanted = &cases[i].operand;
		bool is_known = arch_indirect(cases[i].code, 10, &found);

		if (is_known != cases[i].is_known ||
		    arch_is_switch(cases[i].code, 10) != cases[i].is_switch)
			fail_msg("%s", cases[i].name);
		if (is_known && (found.is_memory != wanted->is_memory ||
				 found.base != wanted->base ||
				 found.index != wanted->index ||
				 found.shift != wanted->shift ||
				 found.displacement != wanted->displacement))
			fail_msg("%s: base %u index %u shift %u %d",
				 cases[i].name, found.base, found.index,
				 found.shift, found.displacement);
	}
}

static void conditions(void **state)
{
	static const uint8_t jne_near[] = { 0x0f, 0x85, 1, 2, 3, 4 };
	static const uint8_t jle_short[] = { 0x7e, 0x10 };
	static const uint8_t jrcxz[] = { 0xe3, 0x10 };
	static const uint8_t add_rax_rdx[] = { 0x48, 0x01, 0xc2 };
	static const uint8_t add_r9_mem[] = { 0x4c, 0x03, 0x0f };
	static const uint8_t add_r10_rdi[] = { 0x49, 0x03, 0xfa };
	static const uint8_t syscall_[] = { 0x0f, 0x05 };
	static const uint8_t int_80[] = { 0xcd, 0x80 };
	unsigned condition;

	(void)state;
	assert_true(arch_condition(jne_near, 6, &condition));
	assert_int_equal(condition, 5);
	assert_true(arch_condition(jle_short, 2, &condition));
	assert_int_equal(condition, 14);
	assert_false(arch_condition(jrcxz, 2, &condition));
	assert_int_equal(arch_added_to(add_rax_rdx, 3), 2);
	assert_int_equal(arch_added_to(add_r9_mem, 3), -1);
	assert_int_equal(arch_added_to(add_r10_rdi, 3), 7);
	assert_true(arch_is_syscall(syscall_, 2));
	assert_true(arch_is_syscall(int_80, 2));
	assert_false(arch_is_syscall(jle_short, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indirect),
		cmocka_unit_test(conditions),
		cmocka_unit_test(by_hand),
		cmocka_unit_test(flow),
		cmocka_unit_test(unsafe),
		cmocka_unit_test(places),
		cmocka_unit_test(like_objdump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
