/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Python's frames, from structures that this process has in its own
 * memory: whole ones of every layout, and damaged ones, which must do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/cpython.c"
#include "runtime/test_world.h"

enum { PAGE = 4096, PAGES = 4 };

/* A code object and what it points to, each on a page. */
static struct world {
	uint8_t code[PAGE], name[PAGE], file[PAGE], table[PAGE];
} * world;
static struct python python;

static int start(void **state)
{
	(void)state;
	world = world_new(sizeof(*world), &runtime_cpython, &python);
	return !world;
}

static int stop(void **state)
{
	(void)state;
	world_free(world);
	return 0;
}

/* A str object: width 1, 2 or 4; 0: ASCII. */
static void put_str(uint8_t *at, const void *characters, size_t length,
		    unsigned width)
{
	unsigned kind = width ? width : 1;

	put(at + 16, length, 8);
	put(at + 32, kind << 2 | 1 << 5 | (width ? 0 : 1u << 6), 4);
	memcpy(at + (width ? python.layout.text_other
			   : python.layout.text_ascii),
	       characters, length * kind);
}

static void make_world(const struct layout *layout, const void *table,
		       size_t size)
{
	memset(world, 0, sizeof(*world));
	python = (struct python){ *layout, 0x1234 };
	put(world->code + 8, python.code_type, 8);
	put(world->code + layout->name, (uint64_t)world->name, 8);
	put(world->code + layout->filename, (uint64_t)world->file, 8);
	put(world->code + layout->table, (uint64_t)world->table, 8);
	put(world->code + layout->line, 100, 4);
	put_str(world->name, "Outer.method", 12, 0);
	put_str(world->file, "/srv/app.py", 11, 0);
	put(world->table + 16, size, 8);
	memcpy(world->table + 32, table, size);
}

static const struct layout *layout_of(unsigned minor)
{
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (versions[i].minor == minor)
			return &versions[i].layout;
	return NULL;
}

static uint64_t line_at(uint32_t index)
{
	struct runtime_frame frame = { 0 };
	const char *why = NULL;

	assert_int_equal(runtime_cpython.name_frame(&process,
						    (uint64_t)world->code,
						    index, &frame, &why),
			 1);
	assert_string_equal(frame.function, "Outer.method");
	assert_string_equal(frame.file, "/srv/app.py");
	return frame.line;
}

/* What Python's own functions make of these tables. */
static void lines(void **state)
{
	/* bytes of code, lines: 100 up to 6, 102 up to 256, 357 after that */
	static const uint8_t pairs[] = { 6, 2, 250, 0, 0, 127, 0, 127, 2, 1 };
	/* the same with code without a line from 6 to 10 */
	static const uint8_t with_sign[] = { 6, 0, 4, 0x80, 10, 3, 2, 0xff };
	/*
	 * 2 instructions of line 100 (short form), 8 of 101 (one line on), 1 of
	 * none, 3 of 101 + 300 (long form), 1 of 399 (no columns)
	 */
	static const uint8_t entries[] = {
		0x80 | 1, 0x11, 0x80 | 11 << 3 | 7, 4, 9, 0x80 | 15 << 3,
		0x80 | 14 << 3 | 2, 0x40 | (600 & 63), 600 >> 6, 0, 1, 1,
		0x80 | 13 << 3, 5,
	};

	(void)state;
	make_world(layout_of(9), pairs, sizeof(pairs));
	assert_int_equal(line_at(2), 100);
	assert_int_equal(line_at(3), 102);
	assert_int_equal(line_at(127), 102);
	assert_int_equal(line_at(128), 356);
	make_world(layout_of(10), with_sign, sizeof(with_sign));
	assert_int_equal(line_at(0), 100);
	assert_int_equal(line_at(3), 0);
	assert_int_equal(line_at(5), 103);
	assert_int_equal(line_at(10), 102);
	for (unsigned minor = 11; minor <= 13; minor++) {
		make_world(layout_of(minor), entries, sizeof(entries));
		assert_int_equal(line_at(0), 100);
		assert_int_equal(line_at(1), 100);
		assert_int_equal(line_at(2), 101);
		assert_int_equal(line_at(9), 101);
		assert_int_equal(line_at(10), 0);
		assert_int_equal(line_at(11), 401);
		assert_int_equal(line_at(13), 401);
		assert_int_equal(line_at(14), 399);
		assert_int_equal(line_at(15), 0);
		assert_int_equal(line_at(UINT32_MAX), 0);
	}
}

static void texts(void **state)
{
	static const uint8_t latin[] = { 'g', 'r', 0xf6, 0xdf, 'e' };
	static const uint16_t wide[] = { 0x4e2d, 'x', 0xd800 };
	static const uint32_t widest[] = { 0x1f600, 0x7fffffff };
	struct runtime_frame frame;
	const char *why;

	(void)state;
	make_world(layout_of(11), "", 0);
	put_str(world->name, latin, 5, 1);
	put_str(world->file, wide, 3, 2);
	assert_int_equal(runtime_cpython.name_frame(&process,
						    (uint64_t)world->code, 0,
						    &frame, &why),
			 1);
	assert_string_equal(frame.function, "größe");
	assert_string_equal(frame.file, "中x�");
	put_str(world->name, widest, 2, 4);
	put(world->file + 16, UINT64_MAX, 8);
	assert_int_equal(runtime_cpython.name_frame(&process,
						    (uint64_t)world->code, 0,
						    &frame, &why),
			 1);
	assert_string_equal(frame.function, "😀�");
	assert_true(strlen(frame.file) < TEXT_MOST);
}

static void not_code(void **state)
{
	struct runtime_frame frame;
	const char *why = NULL;

	(void)state;
	make_world(layout_of(12), "", 0);
	put(world->code + 8, 0x4321, 8);
	assert_int_equal(runtime_cpython.name_frame(&process,
						    (uint64_t)world->code, 0,
						    &frame, &why),
			 0);
	assert_non_null(strstr(why, "no code object"));
	assert_int_equal(runtime_cpython.name_frame(&process, 8, 0, &frame,
						    &why),
			 0);
	assert_non_null(strstr(why, "cannot be read"));
}

/* What 3.13 says of itself: as Debian's does, or one number is too large. */
static void offsets(void **state)
{
	static const struct {
		uint8_t word;
		uint64_t offset, most;
	} rows[] = {
		{ 23, 72, UINT16_MAX },	 { 29, 8, 79 },	   { 30, 0, 79 },
		{ 31, 56, 79 },		 { 33, 70, 79 },   { 35, 112, 136 },
		{ 37, 128, 136 },	 { 38, 136, 248 }, { 39, 68, 136 },
		{ 43, 200, UINT16_MAX },
	};
	uint64_t words[44] = { 0, 0x30d00f0 };
	struct runtime_symbol symbol = { .address = (uint64_t)words };
	struct layout layout = *layout_of(13);

	(void)state;
	memcpy(words, "xdebugpy", 8);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		words[rows[i].word] = rows[i].offset;
	assert_true(read_offsets(&process, &symbol, &layout));
	assert_memory_equal(&layout.frame_code, &layout_of(13)->frame_code,
			    sizeof(layout) -
				    offsetof(struct layout, frame_code) -
				    2 * sizeof(layout.text_ascii));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		words[rows[i].word] = rows[i].most;
		assert_true(read_offsets(&process, &symbol, &layout));
		words[rows[i].word] = rows[i].most + 1;
		assert_false(read_offsets(&process, &symbol, &layout));
		words[rows[i].word] = rows[i].offset;
	}
}

/* Anything may be anywhere: it ends, and nothing of ours is touched. */
static void damaged(void **state)
{
	enum { TURNS = 20000, HURTS = 4 };
	static const uint8_t entries[] = { 0x80 | 1, 0x11, 0x80 | 14 << 3, 3 };
	unsigned seed = 1;

	(void)state;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct runtime_frame frame;
		const char *why;
		uint8_t *bytes = (uint8_t *)world;

		make_world(&versions[turn % 5].layout, entries,
			   sizeof(entries));
		for (unsigned i = 0; i < HURTS; i++) {
			size_t page = (size_t)rand_r(&seed) % PAGES * PAGE;

			bytes[page + (size_t)rand_r(&seed) % 256] =
				(uint8_t)rand_r(&seed);
		}
		put(world->code + 8, python.code_type, 8);
		runtime_cpython.name_frame(&process, (uint64_t)world->code,
					   (uint32_t)rand_r(&seed) & 0x3ffff,
					   &frame, &why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(texts),
		cmocka_unit_test(not_code),
		cmocka_unit_test(offsets),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
