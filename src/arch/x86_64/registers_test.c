/* SPDX-License-Identifier: Apache-2.0 */
/* Places against the system's header, conditions against the processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

#include <cmocka.h>

#include "arch/arch.h"

#define PLACE(name) offsetof(struct user_regs_struct, name)

static void places(void **state)
{
	static const size_t arguments[] = {
		PLACE(rdi), PLACE(rsi), PLACE(rdx), PLACE(rcx), PLACE(r8),
		PLACE(r9),
	};
	static const size_t numbered[ARCH_NREGISTERS] = {
		PLACE(rax), PLACE(rcx), PLACE(rdx), PLACE(rbx), PLACE(rsp),
		PLACE(rbp), PLACE(rsi), PLACE(rdi), PLACE(r8), PLACE(r9),
		PLACE(r10), PLACE(r11), PLACE(r12), PLACE(r13), PLACE(r14),
		PLACE(r15), PLACE(rip),
	};

	(void)state;
	assert_int_equal(ARCH_PC, PLACE(rip));
	assert_int_equal(ARCH_SP, PLACE(rsp));
	assert_int_equal(ARCH_FP, PLACE(rbp));
	assert_int_equal(ARCH_FLAGS, PLACE(eflags));
	assert_int_equal(ARCH_RESULT, PLACE(rax));
	assert_int_equal(ARCH_RESULT_HIGH, PLACE(rdx));
	assert_int_equal(ARCH_SYSCALL_NUMBER, PLACE(orig_rax));
	assert_int_equal(ARCH_MODE, PLACE(cs));
	assert_int_equal(ARCH_UREGS_SAVED * 8, PLACE(ss) + 8);
	for (uint32_t n = 0; n < ARCH_ARGUMENT_REGISTERS; n++)
		assert_int_equal(arch_argument_register(n), arguments[n]);
	for (uint32_t n = 0; n < ARCH_NREGISTERS; n++)
		assert_int_equal(arch_registers[n], numbered[n]);
	assert_int_equal(arch_syscall_arguments[3].native, PLACE(r10));
	assert_int_equal(arch_syscall_arguments[5].compat, PLACE(rbp));
}

/* A bit for each condition that holds with these flags. */
static unsigned asked(uint64_t flags)
{
	uint8_t holds[16];
	unsigned all = 0;

#define SET(n, condition) "set" condition " " #n "(%1)\n\t"
	/* what is below the stack pointer may be in use */
	__asm__ volatile(
		"lea -128(%%rsp), %%rsp\n\tpush %0\n\tpopf\n\t"
		"lea 128(%%rsp), %%rsp\n\t" SET(0, "o") SET(1, "no") SET(2, "b")
			SET(3, "ae") SET(4, "e") SET(5, "ne") SET(6, "be")
				SET(7, "a") SET(8, "s") SET(9, "ns")
					SET(10, "p") SET(11, "np") SET(12, "l")
						SET(13, "ge") SET(14, "le")
							SET(15, "g")
		:
		: "r"(flags), "r"(holds)
		: "cc", "memory");
	for (unsigned i = 0; i < 16; i++)
		all |= (unsigned)holds[i] << i;
	return all;
}

static unsigned computed(uint64_t flags)
{
	unsigned steps[ARCH_CONDITION_STEPS], all = 0;

	for (unsigned i = 0; i < ARCH_CONDITION_STEPS; i++) {
		const struct arch_step *step = &arch_condition_steps[i];

		steps[i] = step->kind == STEP_BIT ? flags >> step->a & 1
			   : step->kind == STEP_OR
				   ? steps[step->a] | steps[step->b]
				   : steps[step->a] ^ steps[step->b];
	}
	for (unsigned i = 0; i < 2 * ARCH_CONDITION_PAIRS; i++)
		all |= (steps[arch_conditions[i / 2]] ^ (i & 1)) << i;
	return all;
}

static void conditions(void **state)
{
	static const unsigned bits[] = { 0, 2, 6, 7, 11 };

	(void)state;
	for (unsigned which = 0; which < 32; which++) {
		uint64_t flags = 0x202; /* as they always are */

		for (unsigned i = 0; i < 5; i++)
			flags |= (uint64_t)(which >> i & 1) << bits[i];
		assert_int_equal(computed(flags), asked(flags));
	}
}

static void starts_of_functions(void **state)
{
	(void)state;
	assert_int_equal(arch_function_start(0xffffffff81000010),
			 0xffffffff81000010);
	assert_int_equal(arch_function_start(0xffffffff81000014),
			 0xffffffff81000010);
	assert_int_equal(arch_function_start(0xffffffff81000015), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(conditions),
		cmocka_unit_test(starts_of_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
