/* SPDX-License-Identifier: Apache-2.0 */
/*
 * String instructions in the kernel against the interpreter: all pairs of a
 * table of strings, in capacities that end in the middle of a word, on the
 * stack, in scratch, in globals and constants.
 */
#include "bpf/test_kernel.h"

enum { OUT = 1024, LONG = 700 };

static const char *const words[] = {
	"", "a", "b", "abcdefg", "abcdefgh", "abcdefgi", "abcdefghi",
	"abcdefghijklmno", "abcdefghijklmnop", "\x80\xff", "z",
};
enum { WORDS = sizeof(words) / sizeof(*words) };

/* A string with the least capacity, as a constant of the program. */
static struct ir_mem constant(struct bench *t, const char *text,
			      uint32_t *capacity)
{
	*capacity = (uint32_t)strlen(text) + 1;
	return ir_rodata(t->b.program, text, *capacity, 8);
}

static void test_pairs(void)
{
	for (unsigned i = 0; i < WORDS; i++) {
		struct bench t;

		bench_start(&t);
		for (unsigned j = 0; j < WORDS; j++) {
			uint32_t nx, ny, at = OUT + j * 64;
			struct ir_mem x = constant(&t, words[i], &nx);
			struct ir_mem y = constant(&t, words[j], &ny);

			output(&t, at,
			       ir_string_test(&t.b, IR_STRING_EQUAL, x, nx, y,
					      ny));
			output(&t, at + 8,
			       ir_string_test(&t.b, IR_STRING_COMPARE, x, nx, y,
					      ny));
			output(&t, at + 16, ir_string_length(&t.b, y, ny));
			/* without its NUL */
			if (ny > 1)
				output(&t, at + 24,
				       ir_string_test(&t.b, IR_STRING_COMPARE,
						      x, nx, y, ny - 1));
			if (ny > 1)
				output(&t, at + 32,
				       ir_string_length(&t.b, y, ny - 1));
		}
		bench_run(&t);
		bench_end(&t);
	}
}

static void test_copies(void)
{
	static const uint32_t capacities[] = { 1, 2, 7, 8, 9, 16, 20, 24 };

	for (unsigned i = 0; i < WORDS; i++) {
		struct bench t;

		bench_start(&t);
		for (unsigned j = 0; j < 8; j++) {
			uint32_t n, at = OUT + j * 64, room = capacities[j];
			struct ir_mem from = constant(&t, words[i], &n);
			struct ir_mem to = ir_object(&t.b, 24, "to");

			ir_string_copy(&t.b, to, room, from, n);
			ir_copy(&t.b, global_at(at), to, room);
			ir_string_copy(&t.b, global_at(at + 32), 24, to, room);
		}
		bench_run(&t);
		bench_end(&t);
	}
}

static void test_long(void)
{
	static const uint32_t lengths[] = {
		0, 5, 255, 256, 257, 511, 640, 699,
	};

	for (unsigned i = 0; i < 8; i++) {
		struct bench t;
		char text[LONG] = "";

		bench_start(&t);
		memset(text, 'q', lengths[i]);
		struct ir_mem from = ir_rodata(t.b.program, text, LONG, 8);
		struct ir_mem same = ir_object(&t.b, LONG, "same");
		struct ir_mem cut = ir_object(&t.b, 300, "cut");
		struct ir_mem wide = ir_object(&t.b, 1400, "wide");

		ir_string_copy(&t.b, same, LONG, from, LONG);
		ir_string_copy(&t.b, cut, 300, from, LONG);
		ir_string_copy(&t.b, wide, 1400, from, LONG);
		output(&t, OUT, ir_string_length(&t.b, same, LONG));
		output(&t, OUT + 8, ir_string_length(&t.b, cut, 300));
		output(&t, OUT + 16, ir_string_length(&t.b, wide, 1400));
		output(&t, OUT + 24,
		       ir_string_test(&t.b, IR_STRING_EQUAL, same, LONG, wide,
				      1400));
		output(&t, OUT + 32,
		       ir_string_test(&t.b, IR_STRING_EQUAL, cut, 300, wide,
				      1400));
		output(&t, OUT + 40,
		       ir_string_test(&t.b, IR_STRING_COMPARE, same, LONG, cut,
				      300));
		output(&t, OUT + 48,
		       ir_string_test(&t.b, IR_STRING_COMPARE, cut, 300, wide,
				      1400));
		ir_copy(&t.b, global_at(2048), same, LONG);
		ir_copy(&t.b, global_at(4096), cut, 300);
		ir_copy(&t.b, global_at(6144), wide, 1400);
		bench_run(&t);
		bench_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH_TEST(test_pairs),
		BENCH_TEST(test_copies),
		BENCH_TEST(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
