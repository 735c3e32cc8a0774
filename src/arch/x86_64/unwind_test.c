/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processing of a copied stack, without the kernel: this process copies its
 * own stack into a slot, as a program would, and gets its own functions back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bpf/unwind.h"
#include "proc/process.h"
#include "proc/symbols.h"
#include "proc/unwind.h"

enum { FRAMES = 64, SIZE = 16 << 20 };

static uint64_t *memory;
static struct symbols *symbols;
static struct unwind *unwind;

static int start(void **state)
{
	(void)state;
	memory = calloc(1, SIZE);
	symbols = symbols_new(processes_new(NULL, NULL));
	unwind = unwind_new((uint8_t *)memory, SIZE, symbols);
	return !memory;
}

static int stop(void **state)
{
	(void)state;
	unwind_free(unwind);
	processes_free(symbols_processes(symbols));
	symbols_free(symbols);
	free(memory);
	return 0;
}

/* As bpf/unwind.bpf.c does it; not above what there is of the stack. */
static __attribute__((noinline, no_sanitize("address"))) void copy_stack(
	uint64_t id, uint64_t layout)
{
	uint64_t *slot = (uint64_t *)((uint8_t *)memory + UNWIND_SLOTS_AT +
				      (id % UNWIND_SLOTS) * UNWIND_SLOT_SIZE);
	uint64_t pc, sp, fp;

	__asm__ volatile("lea 0(%%rip), %0\n"
			 "mov %%rsp, %1\n"
			 "mov %%rbp, %2\n"
			 : "=r"(pc), "=r"(sp), "=r"(fp));
	slot[SLOT_ID] = id;
	slot[SLOT_PID] = (uint64_t)getpid();
	slot[SLOT_LAYOUT] = layout;
	slot[SLOT_EXACT] = layout + 2;
	slot[SLOT_PC] = pc;
	slot[SLOT_SP] = slot[SLOT_FROM] = sp;
	slot[SLOT_FP] = fp;
	slot[SLOT_CAP] = (1 + FRAMES) * sizeof(uint64_t);
	slot[SLOT_LENGTH] = UNWIND_COPY / 8;
	const volatile uint64_t *from = (const volatile uint64_t *)sp;

	for (size_t i = 0; i < UNWIND_COPY / 8 / sizeof(*from); i++)
		slot[UNWIND_SLOT_HEAD / sizeof(*slot) + i] = from[i];
	slot[SLOT_STATE] = 2;
}

static __attribute__((noinline)) void middle(uint64_t id, uint64_t layout)
{
	copy_stack(id, layout);
	__asm__ volatile("");
}

static bool has_name(const uint64_t *frames, const char *name)
{
	struct symbol symbol;

	for (unsigned i = 0; i < FRAMES && frames[i]; i++)
		if (symbols_user(symbols, (uint32_t)getpid(), frames[i] - 1,
				 &symbol) &&
		    symbol.name && !strcmp(symbol.name, name))
			return true;
	return false;
}

static uint64_t own_layout(void)
{
	struct processes *processes = symbols_processes(symbols);
	struct process *process = process_of(processes, (uint32_t)getpid());

	assert_true(process_read(processes, process));
	assert_non_null(process->space);
	return process->space->layout;
}

static void own_stack(void **state)
{
	uint64_t words[1 + FRAMES] = {
		(uint64_t)getpid() | (uint64_t)STACK_PENDING << 32, 5,
	};
	uint64_t layout = own_layout();

	(void)state;
	assert_true(layout != 0);
	middle(5, layout);
	unwind_complete(unwind, (uint8_t *)words, sizeof(words));
	assert_int_equal((uint32_t)words[0], getpid());
	assert_int_equal(STACK_STATUS(words[0]), STACK_WHOLE);
	assert_true(has_name(words + 1, "copy_stack"));
	assert_true(has_name(words + 1, "middle"));
	assert_true(has_name(words + 1, "own_stack"));
	assert_true(has_name(words + 1, "main"));
}

/*
 * The same number again names what was found; one that never existed names
 * nothing.
 */
static void numbers(void **state)
{
	uint64_t caller[2] = {
		(uint64_t)getpid() | (uint64_t)STACK_PENDING << 32, 7,
	};
	uint64_t words[3] = { 4 | (uint64_t)STACK_PENDING << 32, 99 };
	uint64_t whole[3] = { 4, 0x1234, 0x5678 };

	(void)state;
	middle(7, own_layout());
	unwind_look(unwind);
	unwind_complete_caller(unwind, (uint8_t *)caller);
	assert_int_equal(caller[0], getpid());
	assert_true(has_name((uint64_t[FRAMES]){ caller[1] }, "middle"));
	unwind_complete(unwind, (uint8_t *)words, sizeof(words));
	assert_int_equal(STACK_STATUS(words[0]), STACK_BUSY);
	assert_int_equal(words[1], 0);
	unwind_complete(unwind, (uint8_t *)whole, sizeof(whole));
	assert_int_equal(whole[2], 0x5678);
}

/* A process that is gone and was never reported: frame pointers. */
static void unknown_process(void **state)
{
	uint64_t words[1 + FRAMES] = { (uint64_t)STACK_PENDING << 32, 9 };
	uint64_t *slot = (uint64_t *)((uint8_t *)memory + UNWIND_SLOTS_AT +
				      9 * UNWIND_SLOT_SIZE);
	pid_t child = fork();

	(void)state;
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	middle(9, 12345);
	slot[SLOT_PID] = (uint64_t)child;
	unwind_complete(unwind, (uint8_t *)words, sizeof(words));
	assert_int_equal((uint32_t)words[0], child);
	assert_int_equal(STACK_STATUS(words[0]), STACK_BUSY);
	assert_true(words[1] != 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(own_stack, start, stop),
		cmocka_unit_test_setup_teardown(numbers, start, stop),
		cmocka_unit_test_setup_teardown(unknown_process, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
