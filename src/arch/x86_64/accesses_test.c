/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of functions as compilers make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arch/arch.h"

static void accessor(void **state)
{
	/* cmpq $0, 0x563d50(%rip); je; mov 0x563d50(%rip), %edi; jmp */
	static const uint8_t key[] = {
		0x48, 0x83, 0x3d, 0x50, 0x3d, 0x56, 0x00, 0x00, 0x0f,
		0x84, 0x1f, 0xc8, 0xf2, 0xff, 0x8b, 0x3d, 0x50, 0x3d,
		0x56, 0x00, 0xe9, 0xa7, 0x8a, 0xf2, 0xff,
	};
	/* mov 0x16(%rip), %rax; push %rbx; lea 0x870(%rax), %rbx; mov -8(%rcx), %rax */
	static const uint8_t pointer[] = {
		0x48, 0x8b, 0x05, 0x16, 0, 0, 0, 0x53, 0x48, 0x8d, 0x98,
		0x70, 0x08, 0, 0, 0x48, 0x8b, 0x41, 0xf8,
	};
	struct arch_access found[4];

	(void)state;
	assert_int_equal(arch_accesses(key, sizeof(key), found, 4), 1);
	assert_int_equal(found[0].size, 4);
	assert_true(found[0].is_relative);
	assert_int_equal(found[0].value, 0x563d50 + 20);
	assert_int_equal(arch_accesses(pointer, sizeof(pointer), found, 4), 3);
	assert_int_equal(found[0].size, 8);
	assert_int_equal(found[0].value, 0x16 + 7);
	assert_int_equal(found[1].size, 0);
	assert_false(found[1].is_relative);
	assert_int_equal(found[1].value, 0x870);
	assert_int_equal(found[2].value, -8);
	assert_int_equal(arch_accesses(pointer, sizeof(pointer), found, 2), 2);
}

static void thread_slot(void **state)
{
	/* mov 8(%rsp), %rdi; mov %fs:-8, %rax */
	static const uint8_t load[] = {
		0x48, 0x8b, 0x7c, 0x24, 0x08, 0x64, 0x48, 0x8b,
		0x04, 0x25, 0xf8, 0xff, 0xff, 0xff,
	};
	/* mov %r14, %fs:0x10; mov %r14, %fs:(%rcx) */
	static const uint8_t store[] = {
		0x64, 0x4c, 0x89, 0x34, 0x25, 0x10, 0, 0, 0,
	};
	static const uint8_t indirect[] = {
		0x64, 0x4c, 0x89, 0x31, 0x25, 0x10, 0, 0, 0, 0,
	};
	int32_t slot = 0;

	(void)state;
	assert_true(arch_thread_slot(load, sizeof(load), &slot));
	assert_int_equal(slot, -8);
	assert_false(arch_thread_slot(load, sizeof(load) - 1, &slot));
	assert_true(arch_thread_slot(store, sizeof(store), &slot));
	assert_int_equal(slot, 0x10);
	assert_false(arch_thread_slot(indirect, sizeof(indirect), &slot));
}

/* Whatever the bytes are, nothing behind them is read. */
static void garbage(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (unsigned turn = 0; turn < 100000; turn++) {
		size_t size = (size_t)rand_r(&seed) % 24 + 1;
		uint8_t *code = malloc(size);
		struct arch_access found[8];

		for (size_t i = 0; i < size; i++)
			code[i] = rand_r(&seed) & 3 ? (uint8_t)rand_r(&seed)
						    : 0x8b;
		int32_t slot;

		assert_true(arch_accesses(code, size, found, 8) <= 8);
		arch_thread_slot(code, size, &slot);
		free(code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accessor),
		cmocka_unit_test(thread_slot),
		cmocka_unit_test(garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
