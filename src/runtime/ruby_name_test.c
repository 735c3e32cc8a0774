/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Ruby's frames, from structures that this process has in its own
 * memory: whole ones, and damaged ones, which must do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/ruby_name.c"
#include "runtime/test_world.h"

enum { ROOM = 256, PLACES = 16, CLASS_NAME_ID = 0x1231, METHOD_ID = 0x2030 };

/* Objects and what they point to. */
static struct world {
	uint64_t entry[ROOM / 8], definition[ROOM / 8], sequence[ROOM / 8],
		body[ROOM / 8], label[ROOM / 8], path[ROOM / 8], file[ROOM / 8],
		class[ROOM / 8], more[ROOM / 8], table[ROOM / 8],
		entries[ROOM / 8], name[ROOM / 8], lines[ROOM / 8],
		index[ROOM / 8], ids[ROOM / 8], values[ROOM / 8];
	uint64_t part[2048];
} * world;
static struct ruby ruby;

static int start(void **state)
{
	(void)state;
	world = world_new(sizeof(*world), NULL, &ruby);
	return !world;
}

static int stop(void **state)
{
	(void)state;
	world_free(world);
	return 0;
}

static uint64_t at(const void *place)
{
	return (uint64_t)(uintptr_t)place;
}

/* A String inside of its object, or elsewhere. */
static void put_text(uint64_t *object, const char *text)
{
	size_t length = strlen(text);

	object[0] = RUBY_STRING | (uint64_t)length << INSIDE_SHIFT;
	if (length <= 23) {
		memcpy(object + 2, text, length + 1);
		return;
	}
	object[0] = RUBY_STRING | IS_ELSEWHERE;
	object[2] = length;
	object[3] = at(text);
}

/* Entries of lines begin at these instructions. */
static void put_lines(const unsigned *places, const unsigned *lines, unsigned n)
{
	uint8_t *entries = (uint8_t *)world->lines;
	uint64_t *small = world->index, *block = world->index + 6;

	for (unsigned i = 0; i < n; i++) {
		memcpy(entries + (size_t)i * 12, &lines[i], sizeof(*lines));
		for (unsigned x = places[i]; x < 54; x++)
			small[x / 9] += (uint64_t)1 << x % 9 * 7;
		for (unsigned part = 0; part < 8; part++) {
			unsigned from = 54 + part * 64;

			/* how many there are up to the end of a word of bits */
			if (part < 7 && places[i] >= 54 &&
			    places[i] < from + 64)
				block[1] += (uint64_t)1 << part * 9;
			if (places[i] >= from && places[i] < from + 64)
				block[2 + part] |= (uint64_t)1
						   << (places[i] - from);
		}
		if (places[i] < 54)
			block[0]++;
	}
	world->body[15] = at(world->lines);
	world->body[17] = n;
	world->body[18] = at(world->index);
}

static void make_world(void)
{
	static const unsigned places[] = { 0, 5, 60, 130 };
	static const unsigned lines[] = { 10, 12, 11, 400 };

	memset(world, 0, sizeof(*world));
	ruby = (struct ruby){
		.frame_size = 64,
		.path = 0x40,
		.label = 0x50,
		.lines = 0x78,
		.class_more = 24,
		.class_variables = 8,
		.class_name = at(&world->values[0]),
		.symbols = { at(&world->values[2]), at(&world->values[1]) },
	};
	world->entry[0] = RUBY_INTERNAL | RUBY_ENTRY << 12;
	world->entry[2] = at(world->definition);
	world->entry[4] = at(world->class);
	world->definition[1] = at(world->sequence);
	world->definition[4] = METHOD_ID;
	world->sequence[0] = RUBY_INTERNAL | RUBY_SEQUENCE << 12;
	world->sequence[2] = at(world->body);
	world->body[8] = at(world->path);
	world->body[10] = at(world->label);
	put_text(world->label, "map");
	/* [file, where it is] */
	world->path[0] = RUBY_ARRAY | IS_INSIDE | 2 << 15;
	world->path[2] = at(world->file);
	put_text(world->file, "/srv/of/many/applications/app.rb");
	world->class[0] = RUBY_CLASS;
	world->class[3] = at(world->more);
	world->more[1] = at(world->table);
	world->table[5] = 2;
	world->table[6] = at(world->entries);
	world->entries[4] = CLASS_NAME_ID;
	world->entries[5] = at(world->name);
	put_text(world->name, "Shop");
	world->values[0] = CLASS_NAME_ID;
	world->values[1] = at(world->ids);
	/* 0x203 is in the second part */
	world->ids[0] = RUBY_ARRAY;
	world->ids[2] = 2;
	world->ids[4] = at(&world->ids[8]);
	world->ids[9] = at(world->part);
	world->part[0] = RUBY_ARRAY;
	world->part[2] = 1024;
	world->part[4] = at(&world->part[8]);
	world->part[8 + 3 * 2] = at(&world->part[1100]);
	put_text(&world->part[1100], "times");
	put_lines(places, lines, 4);
}

static struct runtime_frame named(const uint64_t *object, uint32_t detail)
{
	struct runtime_frame frame = { 0 };
	const char *why = NULL;

	assert_int_equal(ruby_name_frame(&process, at(object), detail, &frame,
					 &why),
			 1);
	return frame;
}

static void names(void **state)
{
	struct runtime_frame frame;

	(void)state;
	make_world();
	frame = named(world->entry, 1);
	assert_string_equal(frame.function, "Shop#map");
	assert_string_equal(frame.file, "/srv/of/many/applications/app.rb");
	frame = named(world->sequence, 1);
	assert_string_equal(frame.function, "map");
	/* a function of C */
	world->definition[0] = 1;
	frame = named(world->entry, 0);
	assert_string_equal(frame.function, "Shop#times");
	assert_string_equal(frame.file, "");
	assert_int_equal(frame.line, 0);
	/* a class of a class, which is found among its variables */
	world->entry[4] = at(world->values + 4);
	world->values[4] = RUBY_CLASS | 1 << 12;
	world->values[7] = at(&world->values[8]);
	world->values[9] = at(&world->values[10]);
	world->values[15] = 1;
	world->values[16] = at(&world->values[20]);
	world->values[22] = at(world->class);
	frame = named(world->entry, 0);
	assert_string_equal(frame.function, "Shop.times");
	/* one without a name */
	world->table[5] = 1;
	frame = named(world->entry, 0);
	assert_string_equal(frame.function, "times");
}

static void lines(void **state)
{
	static const struct {
		uint32_t next;
		unsigned line;
	} cases[] = {
		{ 0, 10 },    { 1, 10 },
		{ 5, 10 },    { 6, 12 },
		{ 54, 12 },   { 60, 12 },
		{ 61, 11 },   { 118, 11 },
		{ 119, 11 },  { 130, 11 },
		{ 131, 400 }, { 500, 400 },
		{ 566, 400 }, { RUNTIME_DETAIL_MOST, 0 },
	};

	(void)state;
	make_world();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(named(world->sequence, cases[i].next).line,
				 cases[i].line);
	/* only one: there is no index */
	world->body[17] = 1;
	world->body[18] = 0;
	assert_int_equal(named(world->sequence, 77).line, 10);
	world->body[17] = 0;
	assert_int_equal(named(world->sequence, 77).line, 0);
}

static void no_code(void **state)
{
	struct runtime_frame frame;
	const char *why = NULL;

	(void)state;
	make_world();
	assert_int_equal(ruby_name_frame(&process, at(world->class), 0, &frame,
					 &why),
			 0);
	assert_non_null(strstr(why, "no code"));
	assert_int_equal(ruby_name_frame(&process, 8, 0, &frame, &why), 0);
	assert_non_null(strstr(why, "cannot be read"));
	world->label[0] = RUBY_ARRAY;
	assert_int_equal(ruby_name_frame(&process, at(world->sequence), 0,
					 &frame, &why),
			 0);
}

/* Anything may be anywhere: it ends, and nothing of ours is touched. */
static void damaged(void **state)
{
	enum { TURNS = 20000, HURTS = 6 };
	unsigned seed = 1;

	(void)state;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct runtime_frame frame;
		const char *why;
		uint8_t *bytes = (uint8_t *)world;
		bool is_of_c = turn & 1;

		make_world();
		world->definition[0] = is_of_c;
		for (unsigned i = 0; i < HURTS; i++) {
			size_t place = (size_t)rand_r(&seed) % PLACES * ROOM;

			bytes[place + (size_t)rand_r(&seed) % 160] =
				(uint8_t)rand_r(&seed);
		}
		ruby_name_frame(&process,
				turn & 2 ? at(world->sequence)
					 : at(world->entry),
				(uint32_t)rand_r(&seed) & 0x3ffff, &frame,
				&why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(lines),
		cmocka_unit_test(no_code),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
