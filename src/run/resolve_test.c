/* SPDX-License-Identifier: Apache-2.0 */
/* Incomplete stacks say so; those with the requested length do not. */
#include "run/resolve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bpf/unwind.h"
#include "builtin/stack.h"
#include "ir/abi.h"
#include "proc/symbols.h"
#include "sink/render.h"

enum { WORD = 8, WORDS = 2048 };

static struct options options;
static struct live_resolver live;
static struct resolver resolver;

static int setup(void **state)
{
	(void)state;
	options_init(&options);
	live.options = &options;
	live.symbols = symbols_new(processes_new(NULL, NULL));
	resolver = live_resolver(&live);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	processes_free(symbols_processes(live.symbols));
	symbols_free(live.symbols);
	options_free(&options);
	return 0;
}

/* The last line of a stack with this many frames, in room for `frames`. */
static const char *last_line(enum symbol_form form, uint64_t head,
			     uint32_t count, uint32_t frames, bool is_key)
{
	static struct text text;
	static uint64_t words[WORDS];
	bool is_user = form == SYMBOL_USTACK;
	uint32_t size = (frames + (is_user ? 1 : STACK_EXTRA)) * WORD;
	const struct renderer renderer = {
		.options = &options, .resolver = &resolver,
	};
	const struct schema_field key = {
		.kind = FACT_STACK, .symbol = form, .size = size,
	};

	memset(words, 0, sizeof(words));
	for (uint32_t i = 0; i < count; i++)
		words[is_user + i] = 0x1000 + i;
	if (is_user)
		words[0] = head;
	if (is_key)
		resolve_key(&live, &key, (uint8_t *)words);
	struct fact_value value = fact_value_of(&key, (const uint8_t *)words,
						NULL, NULL);

	text_clear(&text);
	render_stack(&renderer, &value, 0, &text);
	char *all = (char *)(uintptr_t)text_str(&text);

	all[strlen(all) - 1] = '\0';
	return strrchr(all, '\n') ? strrchr(all, '\n') + 1 : all;
}

static void test_user(void **state)
{
	const enum symbol_form ustack = SYMBOL_USTACK;
	const uint64_t full = (uint64_t)STACK_FULL << 32;
	const uint64_t lost = (uint64_t)STACK_LOST << 32;

	(void)state;
	assert_string_equal(last_line(ustack, full, 100, 100, false), "0x1063");
	assert_string_equal(last_line(ustack, full, 1023, 1023, false),
			    "  [ cut: more than 1023 frames ]");
	assert_string_equal(last_line(ustack, lost, 3, 100, false),
			    "  [ cut: no code at the return address ]");
	assert_string_equal(last_line(ustack, full, 5, 5, false), "0x1004");
	assert_string_equal(last_line(ustack, 0, 100, 100, false), "0x1063");
}

static void test_kernel(void **state)
{
	const enum symbol_form stack = SYMBOL_STACK;
	uint32_t most = symbols_kernel_depth(live.symbols);

	(void)state;
	for (int is_key = 0; is_key < 2; is_key++) {
		assert_string_equal(last_line(stack, 0, 25, 20, is_key),
				    "0x1013");
		assert_string_equal(last_line(stack, 0, 20, 20, is_key),
				    "0x1013");
		assert_string_equal(last_line(stack, 0, 10, 5, is_key),
				    "0x1004");
		assert_string_equal(
			last_line(stack, 0, most, most + 100, is_key),
			"  [ cut: see sysctl kernel.perf_event_max_stack ]");
	}
}

static void see_frame(void *data, const struct fact_frame *frame)
{
	uint64_t *seen = data;

	seen[++seen[0]] = frame->address;
}

/* The function's own frame is left out, wherever the stack is shown. */
static void test_own_frame(void **state)
{
	const struct schema_field key = {
		.kind = FACT_STACK, .symbol = SYMBOL_STACK,
		.size = (2 + STACK_EXTRA) * WORD,
	};

	(void)state;
	for (int is_key = 0; is_key < 2; is_key++) {
		uint64_t words[2 + STACK_EXTRA] = { ABI_OWN_FRAME, 0x1000,
						    0x1001, 0x1002 };
		uint64_t seen[4] = { 0 };

		if (is_key)
			resolve_key(&live, &key, (uint8_t *)words);
		struct fact_value value =
			fact_value_of(&key, (const uint8_t *)words, NULL, NULL);

		resolver.stack(resolver.context, &value, see_frame, seen);
		assert_int_equal(seen[0], 2);
		assert_int_equal(seen[1], 0x1000);
		assert_int_equal(seen[2], 0x1001);
	}
}

/* A function of this process: by name, at its start and past it. */
static void test_names(void **state)
{
	uint64_t start = (uint64_t)(uintptr_t)last_line;
	uint32_t pid = (uint32_t)getpid();
	struct fact_frame frame;

	(void)state;
	resolver.address(resolver.context, true, pid, start + 4, &frame);
	assert_int_equal(frame.kind, FRAME_USER);
	assert_int_equal(frame.address, start + 4);
	assert_string_equal(frame.object, "resolve_test");
	assert_string_equal(frame.function, "last_line");
	assert_int_equal(frame.offset, 4);
	resolver.address(resolver.context, true, pid, 16, &frame);
	assert_null(frame.object);
	assert_null(frame.function);
	assert_int_equal(frame.address, 16);
	option_set(&options, "noresolve", NULL, ORIGIN_COMMAND);
	resolver.address(resolver.context, true, pid, start, &frame);
	assert_null(frame.object);
	option_set(&options, "noresolve", "no", ORIGIN_COMMAND);
}

/* Keys that print alike become the same bytes. */
static void test_keys(void **state)
{
	uint64_t start = (uint64_t)(uintptr_t)last_line;
	uint64_t words[3] = { 7, (uint64_t)getpid(), start + 9 };
	struct schema_field key = {
		.kind = FACT_SYMBOL, .symbol = SYMBOL_USYM, .offset = 8,
		.size = 16,
	};

	(void)state;
	resolve_key(&live, &key, (uint8_t *)words);
	assert_int_equal(words[0], 7);
	assert_int_equal(words[2], start);
	key.symbol = SYMBOL_UADDR;
	words[2] = start + 9;
	resolve_key(&live, &key, (uint8_t *)words);
	assert_int_equal(words[2], start + 9);
	key.symbol = SYMBOL_UMOD;
	resolve_key(&live, &key, (uint8_t *)words);
	assert_true(words[2] < start);
	uint64_t module = words[2];

	words[2] = (uint64_t)(uintptr_t)test_kernel;
	resolve_key(&live, &key, (uint8_t *)words);
	assert_int_equal(words[2], module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_own_frame),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
