/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that are not whole say so; those as long as asked for do not. */
#include "out/out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bpf/unwind.h"
#include "proc/symbols.h"

enum { WORD = 8, WORDS = 2048 };

static struct options options;
static struct printer printer;

static int setup(void **state)
{
	(void)state;
	options_init(&options);
	printer.options = &options;
	printer.symbols = symbols_new(NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	symbols_free(printer.symbols);
	options_free(&options);
	return 0;
}

/* The last line of a stack of so many frames, in room for `frames`. */
static const char *last_line(const struct function *function, uint64_t head,
			     uint32_t count, uint32_t frames, bool is_key)
{
	static struct text text;
	static uint64_t words[WORDS];
	bool is_user = function->form == SYMBOL_USTACK;
	uint32_t size = (frames + (is_user ? 1 : STACK_EXTRA)) * WORD;
	struct record_field key = { .function = function, .size = size };

	memset(words, 0, sizeof(words));
	for (uint32_t i = 0; i < count; i++)
		words[is_user + i] = 0x1000 + i;
	if (is_user)
		words[0] = head;
	if (is_key)
		symbol_key(&printer, &key, (uint8_t *)words);
	text_clear(&text);
	print_stack(&printer, &(struct print_value){
		.bytes = (uint8_t *)words, .size = size, .function = function,
	}, 0, &text);
	char *all = (char *)(uintptr_t)text_str(&text);

	all[strlen(all) - 1] = '\0';
	return strrchr(all, '\n') ? strrchr(all, '\n') + 1 : all;
}

static void test_user(void **state)
{
	static const struct function ustack = {
		.name = "ustack", .form = SYMBOL_USTACK,
	};
	const uint64_t full = (uint64_t)STACK_FULL << 32;
	const uint64_t lost = (uint64_t)STACK_LOST << 32;

	(void)state;
	assert_string_equal(last_line(&ustack, full, 100, 100, false),
			    "0x1063");
	assert_string_equal(last_line(&ustack, full, 1023, 1023, false),
			    "  [ cut: more than 1023 frames ]");
	assert_string_equal(last_line(&ustack, lost, 3, 100, false),
			    "  [ cut: no code at the return address ]");
	assert_string_equal(last_line(&ustack, full, 5, 5, false), "0x1004");
	assert_string_equal(last_line(&ustack, 0, 100, 100, false), "0x1063");
}

static void test_kernel(void **state)
{
	static const struct function stack = {
		.name = "stack", .form = SYMBOL_STACK,
	};
	uint32_t most = symbols_kernel_depth(printer.symbols);

	(void)state;
	for (int is_key = 0; is_key < 2; is_key++) {
		assert_string_equal(last_line(&stack, 0, 25, 20, is_key),
				    "0x1013");
		assert_string_equal(last_line(&stack, 0, 20, 20, is_key),
				    "0x1013");
		assert_string_equal(last_line(&stack, 0, 10, 5, is_key),
				    "0x1004");
		assert_string_equal(last_line(&stack, 0, most, most + 100,
					      is_key),
				    "  [ cut: see sysctl kernel.perf_event_max_stack ]");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user),
		cmocka_unit_test(test_kernel),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
