/* SPDX-License-Identifier: Apache-2.0 */
#define main cpython_unit_test
#include "runtime/cpython_test.c"
#undef main

#include "test/fuzz/runtimes.h"

enum { VERSIONS = sizeof(versions) / sizeof(*versions) };
enum { OFFSETS_AT = 3 * PAGE + 2048, HAS_OFFSETS = 64 };

/* Debian's 3.13: what is used of its table. */
static void put_offsets(uint8_t *at)
{
	static const struct {
		unsigned word, offset;
	} words[] = {
		{ 23, 72 },  { 29, 8 },	  { 30, 0 },   { 31, 56 }, { 33, 70 },
		{ 35, 112 }, { 37, 128 }, { 38, 136 }, { 39, 68 }, { 43, 200 },
	};

	memcpy(at, "xdebugpy", 8);
	put(at + 8, 0x30d00f0, 8);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		put(at + (size_t)words[i].word * 8, words[i].offset, 8);
}

static struct fuzz_world world_of(unsigned choice)
{
	static const uint8_t entries[] = {
		0x80 | 1, 0x11, 0x80 | 11 << 3 | 7, 4, 9, 0x80 | 15 << 3,
		0x80 | 14 << 3 | 2, 0x40 | (600 & 63), 600 >> 6, 0, 1, 1,
		0x80 | 13 << 3, 5,
	};

	if (!world)
		start(NULL);
	make_world(&versions[choice % VERSIONS].layout, entries,
		   sizeof(entries));
	if (choice & HAS_OFFSETS)
		put_offsets((uint8_t *)world + OFFSETS_AT);
	return (struct fuzz_world){
		world, sizeof(*world), { world->code, world->code }, 3
	};
}

/* 3.13 has offsets in the process. */
static void *own(struct runtime_process *from, unsigned choice)
{
	struct runtime_symbol state = { .address = fuzz_address(OFFSETS_AT) };

	python = (struct python){ versions[choice % VERSIONS].layout, 0x1234 };
	if (choice & HAS_OFFSETS)
		read_offsets(from, &state, &python.layout);
	return &python;
}

static bool write_block(struct runtime_process *to, unsigned choice,
		  const uint16_t *numbers)
{
	to->block[KEY] = fuzz_address(numbers[0]);
	return write_steps(to->block, &python.layout);
}

const struct fuzz_runtime fuzz_cpython = { &runtime_cpython, world_of, own, NULL,
					   write_block };
