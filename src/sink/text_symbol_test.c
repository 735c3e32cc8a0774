/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and stacks as text, with a resolver that knows four of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sink/render.h"

static const struct fact_frame known[] = {
	{ FRAME_KERNEL, 0x10, "vmlinux", "vfs_read", 0 },
	{ FRAME_USER, 0x21, "libc.so.6", "read", 0x11 },
	{ FRAME_USER, 0x30, "a\nb", NULL, 0 },
	{ FRAME_SCRIPT, 0x40, "[jit]", "<js> main /app.js:7", 0x123 },
};

static void find(void *context, bool is_user, uint32_t pid, uint64_t address,
		 struct fact_frame *frame)
{
	(void)context;
	assert_int_equal(pid, is_user ? 99 : 0);
	*frame = (struct fact_frame){
		.kind = is_user ? FRAME_USER : FRAME_KERNEL,
		.address = address,
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].address == address &&
		    is_user == (known[i].kind != FRAME_KERNEL))
			*frame = known[i];
}

static const char *walk(void *context, const struct fact_value *value,
			frame_visit *visit, void *data)
{
	struct fact_frame frame;
	uint64_t address;

	for (uint32_t n = 1; (address = fact_word(value, n)); n++) {
		find(context, true, 99, address, &frame);
		visit(data, &frame);
	}
	return fact_word(value, 0) ? "the stack cannot be read" : NULL;
}

static const struct resolver resolver = { .address = find, .stack = walk };

static struct options options;
static struct renderer renderer = { .options = &options,
				    .resolver = &resolver };

static int setup(void **state)
{
	(void)state;
	options_init(&options);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	options_free(&options);
	return 0;
}

static void test_symbols(void **state)
{
	static const struct {
		enum symbol_form form;
		uint64_t words[2];
		const char *expected;
	} cases[] = {
		{ SYMBOL_SYM, { 0x10 }, "vmlinux`vfs_read" },
		{ SYMBOL_MOD, { 0x10 }, "vmlinux" },
		{ SYMBOL_SYM, { 0x21 }, "0x21" },
		{ SYMBOL_USYM, { 99, 0x21 }, "libc.so.6`read" },
		{ SYMBOL_UADDR, { 99, 0x21 }, "libc.so.6`read+0x11" },
		{ SYMBOL_UMOD, { 99, 0x21 }, "libc.so.6" },
		{ SYMBOL_USYM, { 99, 0x10 }, "0x10" },
		{ SYMBOL_UADDR, { 99, 0x30 }, "a\\012b`0x30" },
		{ SYMBOL_UADDR, { 99, 0x40 }, "<js> main /app.js:7" },
		{ SYMBOL_UMOD, { 99, 0x40 }, "[jit]" },
		/* values of the types symaddr and usymaddr */
		{ SYMBOL_NONE, { 0x10 }, "vmlinux`vfs_read" },
		{ SYMBOL_NONE, { 99, 0x21 }, "libc.so.6`read+0x11" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text text = { 0 };
		const struct fact_value value = {
			.kind = FACT_SYMBOL, .symbol = cases[i].form,
			.bytes = (const uint8_t *)cases[i].words,
			.size = cases[i].words[0] == 99 ? 16 : 8,
		};

		render_symbol(&renderer, &value, &text);
		assert_string_equal(text_str(&text), cases[i].expected);
		text_free(&text);
	}
}

static void test_stacks(void **state)
{
	uint64_t words[] = { 0, 0x21, 0x77, 0x40, 0x30, 0 };
	const struct fact_value value = {
		.kind = FACT_STACK, .symbol = SYMBOL_USTACK,
		.bytes = (const uint8_t *)words, .size = sizeof(words),
	};
	struct text text = { 0 };

	(void)state;
	render_stack(&renderer, &value, 2, &text);
	assert_string_equal(text_str(&text),
			    "\n  libc.so.6`read+0x11\n  0x77\n"
			    "  <js> main /app.js:7\n  a\\012b`0x30\n");
	words[0] = 1;
	words[2] = 0;
	text_clear(&text);
	render_stack(&renderer, &value, 4, &text);
	assert_string_equal(text_str(&text),
			    "\n    libc.so.6`read+0x11\n"
			    "      [ cut: the stack cannot be read ]\n");
	/* on a terminal names have no control characters */
	words[1] = 0x30;
	words[0] = 0;
	text_clear(&text);
	renderer.is_visible = true;
	render_stack(&renderer, &value, 0, &text);
	renderer.is_visible = false;
	assert_string_equal(text_str(&text), "\na\\012b`0x30\n");
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_stacks),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
