/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Lua's frames, from structures that this process has in its own memory:
 * whole ones, and damaged ones, which must do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/lua.c"
#include "runtime/test_world.h"

/* `function Shop.sell()` of /srv/app.lua, inside of the code around it. */
static struct world {
	struct proto inner;
	uint8_t rest[320];
	struct proto outer;
	uint64_t protos[1], constants[2][2], upvalues[2], locals[2];
	uint8_t source[64], shop[64], sell[64], env[64], local[64];
	uint32_t code[4];
	int8_t lines[8];
	uint32_t absolute[2];
} * world;
static struct lua lua;

static int start(void **state)
{
	(void)state;
	world = world_new(sizeof(*world), &runtime_lua, &lua);
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
	at[OBJECT_KIND] = KIND_SHORT;
	at[STRING_SHORT] = (uint8_t)strlen(text);
	memcpy(at + STRING_TEXT, text, strlen(text));
	return (uint64_t)at;
}

static uint32_t code(uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
	return op | a << 7 | b << 16 | c << 24;
}

static void make_world(void)
{
	memset(world, 0, sizeof(*world));
	memset(&lua, 0, sizeof(lua));
	world->inner = (struct proto){
		.next = (uint64_t)&world->outer,
		.kind = KIND_PROTO,
		.nlines = 8,
		.nabsolute = 1,
		.line = 100,
		.lines = (uint64_t)world->lines,
		.absolute = (uint64_t)world->absolute,
		.source = put_text(world->source, "@/srv/app.lua"),
	};
	/* 101 and 103, then from instruction 4 on 5000 and 4999 */
	memcpy(world->lines, (int8_t[]){ 1, 0, 2, 0, -128, -1, 0, 0 }, 8);
	world->absolute[0] = 4;
	world->absolute[1] = 5000;
	world->outer = (struct proto){
		.kind = KIND_PROTO,
		.nprotos = 1,
		.ncode = 4,
		.nconstants = 2,
		.nupvalues = 1,
		.nlocals = 1,
		.protos = (uint64_t)world->protos,
		.code = (uint64_t)world->code,
		.constants = (uint64_t)world->constants,
		.upvalues = (uint64_t)world->upvalues,
		.locals = (uint64_t)world->locals,
	};
	world->protos[0] = (uint64_t)&world->inner;
	world->constants[0][0] = put_text(world->shop, "Shop");
	world->constants[1][0] = put_text(world->sell, "sell");
	world->upvalues[0] = put_text(world->env, "_ENV");
	world->locals[0] = put_text(world->local, "nearby");
	world->locals[1] = 3 | 4ull << 32;
	world->code[1] = code(OP_GET_GLOBAL, 0, 0, 0);
	world->code[2] = code(OP_CLOSURE, 1, 0, 0);
	world->code[3] = code(OP_SET_FIELD, 0, 1, 1);
}

static struct runtime_frame frame_at(uint32_t instruction)
{
	struct runtime_frame frame = { 0 };
	const char *why;

	assert_int_equal(runtime_lua.name_frame(&process,
						(uint64_t)&world->inner,
						instruction, &frame, &why),
			 1);
	return frame;
}

static void lines(void **state)
{
	static const uint64_t expected[] = { 101,  101,	 103,  103, 5000,
					     4999, 4999, 4999, 0 };

	(void)state;
	make_world();
	for (uint32_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_int_equal(frame_at(i).line, expected[i]);
	assert_int_equal(frame_at(RUNTIME_DETAIL_MOST).line, 0);
	assert_string_equal(frame_at(0).file, "/srv/app.lua");
}

static void names(void **state)
{
	(void)state;
	make_world();
	assert_string_equal(frame_at(0).function, "Shop.sell");
	make_world();
	world->code[3] = code(OP_SET_GLOBAL, 0, 1, 1);
	assert_string_equal(frame_at(0).function, "sell");
	make_world();
	put_text(world->env, "up");
	world->upvalues[0] = (uint64_t)world->env;
	world->env[STRING_SHORT] = 2;
	world->code[3] = code(OP_SET_GLOBAL, 0, 1, 1);
	assert_string_equal(frame_at(0).function, "up.sell");
	make_world();
	world->code[2] = code(OP_CLOSURE, 0, 0, 0);
	world->code[3] = 0;
	assert_string_equal(frame_at(0).function, "nearby");
	make_world();
	world->code[3] = 0;
	assert_string_equal(frame_at(0).function, "function <app.lua:100>");
	make_world();
	world->inner.line = 0;
	assert_string_equal(frame_at(0).function, "main chunk");
	make_world();
	put_text(world->source, "return 1\nend");
	assert_string_equal(frame_at(0).file, "[string \"return 1...\"]");
}

static void not_code(void **state)
{
	struct runtime_frame frame;
	const char *why = NULL;

	(void)state;
	make_world();
	world->inner.kind = 5;
	assert_int_equal(runtime_lua.name_frame(&process,
						(uint64_t)&world->inner, 0,
						&frame, &why),
			 0);
	assert_non_null(strstr(why, "no function"));
	assert_int_equal(runtime_lua.name_frame(&process, 8, 0, &frame, &why),
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
		/* A circle, in which there always is a next one. */
		if (turn % 64 == 0)
			world->outer.next = (uint64_t)&world->inner;
		for (unsigned i = 0; i < HURTS; i++)
			((uint8_t *)world)[(size_t)rand_r(&seed) %
					   sizeof(*world)] =
				(uint8_t)rand_r(&seed);
		world->inner.kind = KIND_PROTO;
		runtime_lua.name_frame(&process, (uint64_t)&world->inner,
				       (uint32_t)rand_r(&seed) & 0x3ffff,
				       &frame, &why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(names),
		cmocka_unit_test(not_code),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
