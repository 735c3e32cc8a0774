/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of PHP's frames, from structures that this process has in its own memory:
 * whole ones, and damaged ones, which must do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/php.c"
#include "runtime/test_world.h"

enum { FILE_AT = 136, ROOM = 256, LONG = 1024 };

/* A function and what leads to its names. */
static struct world {
	uint8_t function[ROOM], class[ROOM];
	uint8_t name[LONG], scope[LONG], file[LONG];
} * world;
static struct php php;

static int start(void **state)
{
	(void)state;
	world = world_new(sizeof(*world), &runtime_php, &php);
	return !world;
}

static int stop(void **state)
{
	(void)state;
	world_free(world);
	return 0;
}

static uint64_t put_text(uint8_t *at, const char *text)
{
	put(at + STRING_LENGTH, strlen(text), 8);
	memcpy(at + STRING_TEXT, text, strlen(text));
	return (uint64_t)at;
}

/* Shop::sell() of /srv/app.php */
static void make_world(void)
{
	memset(world, 0, sizeof(*world));
	memset(&php, 0, sizeof(php));
	php.filename = FILE_AT;
	put(world->function, USER_FUNCTION, 1);
	put(world->function + FUNCTION_NAME, put_text(world->name, "sell"), 8);
	put(world->function + FUNCTION_SCOPE, (uint64_t)world->class, 8);
	put(world->function + FILE_AT, put_text(world->file, "/srv/app.php"),
	    8);
	put(world->class + CLASS_NAME, put_text(world->scope, "Shop"), 8);
}

static unsigned name_it(uint32_t detail, struct runtime_frame *frame,
			const char **why)
{
	*frame = (struct runtime_frame){ 0 };
	return name_frame(&process, (uint64_t)world->function, detail, frame,
			  why);
}

static void expect(uint32_t detail, const char *function, const char *file,
		   uint64_t line)
{
	struct runtime_frame frame;
	const char *why = NULL;

	assert_int_equal(name_it(detail, &frame, &why), 1);
	assert_string_equal(frame.function, function);
	assert_string_equal(frame.file, file);
	assert_int_equal(frame.line, line);
}

static void names(void **state)
{
	(void)state;
	make_world();
	expect(12, "Shop::sell", "/srv/app.php", 12);
	expect(RUNTIME_DETAIL_MOST, "Shop::sell", "/srv/app.php", 0);
	/* The class is gone, but was known. */
	put(world->class + CLASS_NAME, 0, 8);
	expect(12, "Shop::sell", "/srv/app.php", 12);
	put(world->function + FUNCTION_SCOPE, 0, 8);
	expect(12, "sell", "/srv/app.php", 12);
	/* of a file, of a text, of C */
	put(world->function + FUNCTION_NAME, 0, 8);
	expect(3, "{main}", "/srv/app.php", 3);
	put(world->function, EVAL_CODE, 1);
	expect(3, "eval", "/srv/app.php", 3);
	make_world();
	put(world->function, 1, 1);
	expect(3, "Shop::sell", "", 0);
}

/* Names of any length, and longer than memory. */
static void longest(void **state)
{
	struct runtime_frame frame;
	const char *why;

	(void)state;
	make_world();
	memset(world->name + STRING_TEXT, 'n', LONG - STRING_TEXT);
	memset(world->scope + STRING_TEXT, 's', LONG - STRING_TEXT);
	put(world->name + STRING_LENGTH, UINT64_MAX, 8);
	put(world->scope + STRING_LENGTH, UINT64_MAX, 8);
	put(world->file + STRING_LENGTH, UINT64_MAX, 8);
	assert_int_equal(name_it(12, &frame, &why), 1);
	assert_int_equal(strlen(frame.function), 2 * (NAME_MOST - 1) + 2);
	assert_string_equal(frame.file, "/srv/app.php");
}

static void not_functions(void **state)
{
	struct runtime_frame frame;
	const char *why = NULL;

	(void)state;
	make_world();
	put(world->function, EVAL_CODE + 1, 1);
	assert_int_equal(name_it(1, &frame, &why), 0);
	assert_non_null(strstr(why, "no function"));
	make_world();
	put(world->function + FUNCTION_NAME, 8, 8);
	assert_int_equal(name_it(1, &frame, &why), 0);
	assert_non_null(strstr(why, "name of the function"));
	assert_int_equal(name_frame(&process, 8, 0, &frame, &why), 0);
	assert_non_null(strstr(why, "cannot be read"));
}

/* Anything may be anywhere: it ends, and nothing of ours is touched. */
static void damaged(void **state)
{
	enum { TURNS = 20000, HURTS = 4 };
	unsigned seed = 1;

	(void)state;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct runtime_frame frame;
		const char *why;
		uint8_t *bytes = (uint8_t *)world;

		make_world();
		for (unsigned i = 0; i < HURTS; i++) {
			size_t at = (size_t)rand_r(&seed) % sizeof(*world);

			/* where numbers and pointers are, mostly */
			bytes[turn % 2 ? at : at % (ROOM + 64)] =
				(uint8_t)rand_r(&seed);
		}
		assert_true(name_it((uint32_t)rand_r(&seed) & 0x3ffff, &frame,
				    &why) <= 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),	 cmocka_unit_test(longest),
		cmocka_unit_test(not_functions), cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
