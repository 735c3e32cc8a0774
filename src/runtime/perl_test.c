/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Perl's frames, from structures that this process has in its own
 * memory: whole ones, and damaged ones, which must do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/perl.c"
#include "runtime/test_world.h"

/* A sub and what leads to its name, and a statement. */
static struct world {
	uint8_t cv[32], body[128], gv[32], gv_body[64], stash[32],
		stash_body[64], name[64], package[64], file[64], statement[64];
	uint64_t packages[1];
	uint8_t rest[1024];
} * world;
static struct perl perl;

static int start(void **state)
{
	(void)state;
	world = world_new(sizeof(*world), &runtime_perl, &perl);
	return !world;
}

static int stop(void **state)
{
	(void)state;
	world_free(world);
	return 0;
}

static void put_name(uint8_t *at, const char *text)
{
	put(at + HEK_LENGTH, strlen(text), 4);
	memcpy(at + HEK_TEXT, text, strlen(text));
}

static void make_world(void)
{
	memset(world, 0, sizeof(*world));
	put(world->cv + SV_FLAGS, SV_CODE, 4);
	put(world->cv, (uint64_t)world->body, 8);
	put(world->body + CV_NAME, (uint64_t)world->gv, 8);
	put(world->body + CV_FILE, (uint64_t)world->file, 8);
	put(world->gv, (uint64_t)world->gv_body, 8);
	put(world->gv_body + GV_NAME, (uint64_t)world->name, 8);
	put(world->gv_body + GV_STASH, (uint64_t)world->stash, 8);
	put(world->stash, (uint64_t)world->stash_body, 8);
	put(world->stash + SV_FLAGS, HV_HAS_NAME, 4);
	put(world->stash_body + HV_NAME, (uint64_t)world->package, 8);
	put_name(world->name, "sell");
	put_name(world->package, "Shop::Counter");
	strcpy((char *)world->file, "/srv/app.pl");
	put(world->statement + COP_LINE, 77, 4);
	put(world->statement + COP_FILE, (uint64_t)world->file, 8);
}

static struct runtime_frame frame_at(const uint8_t *object, uint32_t detail)
{
	struct runtime_frame frame = { 0 };
	const char *why;

	assert_int_equal(runtime_perl.name_frame(&process, (uint64_t)object,
						 detail, &frame, &why),
			 1);
	assert_string_equal(frame.file, "/srv/app.pl");
	return frame;
}

static void names(void **state)
{
	(void)state;
	make_world();
	assert_string_equal(frame_at(world->cv, 24).function,
			    "Shop::Counter::sell");
	assert_int_equal(frame_at(world->cv, 24).line, 12);
	assert_int_equal(frame_at(world->cv, RUNTIME_DETAIL_MOST).line, 0);
	/* a package with more than one name */
	world->packages[0] = (uint64_t)world->package;
	put(world->stash_body + HV_NAME, (uint64_t)world->packages, 8);
	put(world->stash_body + HV_NAMES, 2, 4);
	assert_string_equal(frame_at(world->cv, 24).function,
			    "Shop::Counter::sell");
	/* one that was deleted */
	put(world->stash + SV_FLAGS, 0, 4);
	assert_string_equal(frame_at(world->cv, 24).function, "sell");
	/* a sub without a glob */
	make_world();
	put(world->body + CV_FLAGS, CV_IS_NAMED, 4);
	put(world->body + CV_NAME, (uint64_t)world->name, 8);
	put(world->body + CV_STASH, (uint64_t)world->stash, 8);
	assert_string_equal(frame_at(world->cv, 24).function,
			    "Shop::Counter::sell");
	assert_string_equal(frame_at(world->statement, DETAIL_EVAL).function,
			    "(eval)");
	assert_string_equal(frame_at(world->statement, DETAIL_MAIN).function,
			    "main::");
	assert_int_equal(frame_at(world->statement, DETAIL_MAIN).line, 77);
	/* of another line, when the process is gone */
	put(world->body + CV_NAME, 8, 8);
	assert_string_equal(frame_at(world->cv, 26).function,
			    "Shop::Counter::sell");
	assert_int_equal(frame_at(world->cv, 26).line, 13);
	put(world->body + CV_NAME, (uint64_t)world->name, 8);
	/* as long as it likes to be */
	put(world->name + HEK_LENGTH, UINT32_MAX, 4);
	assert_true(strlen(frame_at(world->cv, 0).function) < 2 * NAME_MOST);
}

static void not_code(void **state)
{
	struct runtime_frame frame;
	const char *why = NULL;

	(void)state;
	make_world();
	put(world->cv + SV_FLAGS, 9, 4);
	assert_int_equal(runtime_perl.name_frame(&process, (uint64_t)world->cv,
						 2, &frame, &why),
			 0);
	assert_non_null(strstr(why, "no sub"));
	assert_int_equal(runtime_perl.name_frame(&process, 8, 2, &frame, &why),
			 0);
	assert_non_null(strstr(why, "cannot be read"));
	assert_int_equal(runtime_perl.name_frame(&process, 8, DETAIL_EVAL,
						 &frame, &why),
			 0);
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

		make_world();
		for (unsigned i = 0; i < HURTS; i++)
			((uint8_t *)world)[(size_t)rand_r(&seed) %
					   offsetof(struct world, rest)] =
				(uint8_t)rand_r(&seed);
		put(world->cv + SV_FLAGS, SV_CODE, 4);
		runtime_perl.name_frame(&process, (uint64_t)world->cv, 2,
					&frame, &why);
		runtime_perl.name_frame(&process, (uint64_t)world->statement,
					DETAIL_EVAL, &frame, &why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(not_code),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
