/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk over Java's frames, natively, in a code cache that is made here: a
 * thread is stopped at each instruction of a method, on its way in and out of the
 * interpreter, and in memory that is damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "bpf/library.h"
#include "bpf/runtime_steps.h"
#include "bpf/unwind.h"
#include "bpf/unwind_native.h"
#include "runtime/hotspot_walk.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { WORD = 8, FRAMES = 32, SIZE = UNWIND_LEAST, SHIFT = 7 };
enum { HEAP = 0x10000, SEGMENTS = HEAP >> SHIFT, STACK = 4096, OBJECTS = 4096 };
#define CACHE 0x7f1000000000ull
#define TOP_HEAP (CACHE + HEAP)
#define MAPS 0x7f2000000001ull
#define METHOD 0x7f3000000000ull
#define STACK_AT 0x7ffd00000000ull

/* A heap with the interpreter and stubs, one with methods. */
static struct world {
	uint8_t heaps[2][HEAP];
	uint8_t maps[2][SEGMENTS];
	uint8_t stack[STACK];
	uint8_t objects[OBJECTS];
} world;

static const struct area {
	uint64_t at;
	uint8_t *bytes;
	size_t size;
} areas[] = {
	{ CACHE, world.heaps[0], sizeof(world.heaps) },
	{ MAPS, world.maps[0], sizeof(world.maps) },
	{ STACK_AT, world.stack, sizeof(world.stack) },
	{ METHOD, world.objects, sizeof(world.objects) },
};

static uint8_t *bytes_at(uint64_t address, size_t size)
{
	for (size_t i = 0; i < COUNT(areas); i++) {
		uint64_t at = address - areas[i].at;

		if (at < areas[i].size && size <= areas[i].size - at)
			return areas[i].bytes + at;
	}
	return NULL;
}

static bool read_world(void *to, uint32_t size, uint64_t from)
{
	const uint8_t *bytes = bytes_at(from, size);

	if (bytes)
		memcpy(to, bytes, size);
	return bytes != NULL;
}

static bool read_stack(void *to, uint32_t size, uint64_t from)
{
	return from >= STACK_AT && read_world(to, size, from);
}

static void put(uint64_t address, uint64_t value, size_t size)
{
	uint8_t *bytes = bytes_at(address, size);

	assert_non_null(bytes);
	memcpy(bytes, &value, size);
}

/* -------------------------------------------------------------- the cache */

/* As the tables of a machine might say. */
static const struct hotspot_layout LAYOUT = {
	.method = -3, .bytecode = -8, .sender = -1, .lowest = -8,
	.constant = 16, .constant_size = 48,
	.header = 16, .frame = 24, .complete = 16, .complete_size = 4,
	.code = 32,
};
enum { INTERPRETER = 0x4000, INTERPRETER_SIZE = 0x2000 };

static struct hotspot_code cache(void)
{
	return (struct hotspot_code){
		.low = CACHE,
		.high = CACHE + 2 * HEAP,
		.interpreter = CACHE + INTERPRETER,
		.interpreter_end = CACHE + INTERPRETER + INTERPRETER_SIZE,
		.heaps = { { CACHE, CACHE + HEAP, MAPS },
			   { TOP_HEAP, CACHE + 2 * HEAP, MAPS + SEGMENTS } },
		.nheaps = 2,
		.shift = SHIFT,
	};
}

/* A piece of code; returns where its instructions begin. */
static uint64_t put_piece(uint64_t at, uint64_t segments, uint64_t frame,
			  int32_t complete)
{
	enum { HEADER = 0x100 };
	uint64_t first = (at - CACHE) >> SHIFT, header = at + LAYOUT.header;

	/* 0, 1, ... 254, 1, ... */
	for (uint64_t i = 0; i < segments; i++)
		put(MAPS + first + i, i ? 1 + (i - 1) % 254 : 0, 1);
	put(header + LAYOUT.frame, frame, 4);
	put(header + LAYOUT.complete, (uint32_t)complete, 4);
	put(header + LAYOUT.code, header + HEADER, WORD);
	return header + HEADER;
}

/* ------------------------------------------------------------------- walks */

struct thread {
	uint64_t pc, sp, fp;
	uint64_t method, bytecode, back; /* ARCH_JAVA_METHOD ... */
};

static uint64_t *memory;

static uint64_t walk(const struct thread *thread, uint64_t *words)
{
	uint64_t slot[UNWIND_SLOT_HEAD / WORD] = {
		[SLOT_PC] = thread->pc,
		[SLOT_SP] = thread->sp,
		[SLOT_FP] = thread->fp,
		[SLOT_REGISTERS + ARCH_JAVA_METHOD] = thread->method,
		[SLOT_REGISTERS + ARCH_JAVA_BYTECODE] = thread->bytecode,
		[SLOT_REGISTERS + ARCH_JAVA_RETURN] = thread->back,
	};
	uint64_t block[RUNTIME_WORDS] = { [RUNTIME_IS_THERE] = 1 };
	struct hotspot_code code = cache();
	uint64_t *list = memory + UNWIND_POOL_AT / WORD;

	assert_true(hotspot_walk_write(&LAYOUT, &code, block));
	list[LIST_COUNT] = 0;
	list[LIST_RUNTIME] = UNWIND_POOL_AT + LIST_HEAD * WORD;
	memcpy(list + LIST_HEAD, block, sizeof(block));
	memset(words, 0, (FRAMES + 2) * sizeof(*words));
	return (uint32_t)unwind_native((char *)words, (const char *)memory,
				       CAPS((1 + FRAMES) * WORD, SIZE),
				       UNWIND_POOL_AT, slot, read_stack,
				       read_world);
}

enum { BCI = 17 };
#define CONSTANTS (METHOD + 0x800)

/* An interpreted frame at FP that nobody has called. */
static void put_interpreted(uint64_t fp)
{
	put(METHOD + LAYOUT.constant, CONSTANTS, WORD);
	put(fp + WORD, 0, WORD);
	put(fp, 0, WORD);
	put(fp + LAYOUT.sender * WORD, fp + 16, WORD);
	put(fp + LAYOUT.method * WORD, METHOD, WORD);
	put(fp + LAYOUT.bytecode * WORD, CONSTANTS + LAYOUT.constant_size + BCI,
	    WORD);
}

static void check(const struct thread *thread, const uint64_t *frames,
		  uint64_t count)
{
	uint64_t words[FRAMES + 2];

	assert_int_equal(walk(thread, words), count);
	assert_int_equal(STACK_STATUS(words[0]), STACK_WHOLE);
	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(words[1 + i], frames[i]);
}

/* Places in the interpreter and on the stack. */
#define CALL (CACHE + INTERPRETER + 0x123)
#define RETURN_AT (STACK_AT + 0x400)
#define CALLER_FP (STACK_AT + 0x500)
enum { JUNK = 0x1234567 };

static void start(void)
{
	memset(&world, 0, sizeof(world));
	memset(world.maps, 255, sizeof(world.maps));
	put_piece(CACHE + INTERPRETER, INTERPRETER_SIZE >> SHIFT, 0, -1);
	put_interpreted(CALLER_FP);
	put(RETURN_AT, CALL, WORD);
}

/* ------------------------------------------------------------------- tests */

/* A whole method: at which of its bytes is which part of the frame there? */
static void positions(void **state)
{
	static const uint8_t code[] = {
		0x89, 0x84, 0x24, 0x00, 0xc0, 0xfe, 0xff, /* mov: 0 */
		0x55,					  /* push: 7 */
		0x48, 0x83, 0xec, 0x60,			  /* sub: 8 */
		0x41, 0x81, 0x7f, 0x20, 1, 0, 0, 0,	  /* cmpl: 12 */
		0x74, 0x05,				  /* je: 20 */
		0xe8, 0xa5, 0x2b, 0xf0, 0xff,		  /* call: 22 */
		0x83, 0xfe, 0x02,			  /* cmp: 27 */
		0x48, 0x83, 0xc4, 0x60,			  /* add: 30 */
		0x5d,					  /* pop: 34 */
		0x49, 0x3b, 0x67, 0x28,			  /* cmp: 35 */
		0x0f, 0x87, 1, 0, 0, 0,			  /* ja: 39 */
		0xc3,					  /* ret: 45 */
	};
	enum { COMPLETE = 27, BYTES = 0x60 };
	static const struct {
		unsigned at;
		int64_t pushed; /* below the return address */
	} rows[] = {
		{ 0, 0 },	   { 7, 0 },	      { 8, WORD },
		{ 12, BYTES + 8 }, { 20, BYTES + 8 }, { 22, BYTES + 8 },
		{ 27, BYTES + 8 }, { 30, BYTES + 8 }, { 34, WORD },
		{ 35, 0 },	   { 39, 0 },	      { 45, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		start();
		uint64_t begin = put_piece(TOP_HEAP + 0x300, 8, BYTES / 8 + 2,
					   COMPLETE);
		const struct thread thread = {
			.pc = begin + rows[i].at,
			.sp = RETURN_AT - (uint64_t)rows[i].pushed,
			.fp = rows[i].pushed ? JUNK : CALLER_FP,
		};
		const uint64_t frames[] = { thread.pc,
					    RUNTIME_FRAME(METHOD, BCI) };

		memcpy(bytes_at(begin, sizeof(code)), code, sizeof(code));
		if (rows[i].pushed)
			put(RETURN_AT - WORD, CALLER_FP, WORD);
		check(&thread, frames, COUNT(frames));
	}
}

/* sub without push; then the frame pointer is put at its place. */
static void without_push(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x83, 0xec, 0x18,	      /* sub: 0 */
		0x48, 0x89, 0x6c, 0x24, 0x10, /* mov: 4 */
		0x90,			      /* 9 */
	};
	static const uint64_t pushed[] = { [0] = 0, [4] = 24, [9] = 24 };

	(void)state;
	for (unsigned at = 0; at < COUNT(pushed); at += at ? 5 : 4) {
		start();
		uint64_t begin = put_piece(CACHE + 0x300, 8, 4, 9);
		const struct thread thread = {
			.pc = begin + at,
			.sp = RETURN_AT - pushed[at],
			.fp = at < 9 ? CALLER_FP : JUNK,
		};
		const uint64_t frames[] = { thread.pc,
					    RUNTIME_FRAME(METHOD, BCI) };

		memcpy(bytes_at(begin, sizeof(code)), code, sizeof(code));
		put(RETURN_AT - WORD, at < 9 ? JUNK : CALLER_FP, WORD);
		check(&thread, frames, COUNT(frames));
	}
}

/* Methods of both heaps call each other, one of them very long. */
static void callers(void **state)
{
	enum { LONG = 300, CALLS = 8, WORDS = 6 };
	uint64_t frames[CALLS + 2], sp = STACK_AT + 0x100;
	struct thread thread = { .sp = sp, .fp = JUNK };

	(void)state;
	start();
	uint64_t far = put_piece(TOP_HEAP + 0x300, LONG, WORDS, 0) +
		       (LONG - 3) * (1 << SHIFT);
	uint64_t near = put_piece(CACHE + 0x300, 8, WORDS, 0) + 0x20;

	for (unsigned i = 0; i <= CALLS; i++) {
		frames[i] = i % 2 ? near : far;
		put(sp + (WORDS - 2) * WORD, i == CALLS ? CALLER_FP : JUNK,
		    WORD);
		put(sp + (WORDS - 1) * WORD,
		    i == CALLS ? CALL
		    : i % 2    ? far
			       : near,
		    WORD);
		sp += WORDS * WORD;
	}
	frames[CALLS + 1] = RUNTIME_FRAME(METHOD, BCI);
	thread.pc = far;
	check(&thread, frames, COUNT(frames));
}

/* A stub that has no frame of its own calls the machine; with a word to align. */
static void frameless(void **state)
{
	(void)state;
	for (unsigned words = 0; words < 2; words++) {
		start();
		uint64_t stub = put_piece(CACHE + 0x300, 8, UINT32_MAX, 0) + 9;
		uint64_t method = put_piece(TOP_HEAP + 0x300, 8, 4, 0) + 9;
		uint64_t sp = RETURN_AT - words * WORD;

		put(sp - WORD, stub, WORD);
		put(sp - 2 * WORD, CALLER_FP, WORD);
		check(&(struct thread){ .pc = method,
					.sp = sp - 4 * WORD,
					.fp = JUNK },
		      (const uint64_t[]){ method, stub,
					  RUNTIME_FRAME(METHOD, BCI) },
		      3);
	}
}

/* The interpreter: entered, left in three steps, and where its frame is whole. */
static void interpreter(void **state)
{
	static const struct {
		uint8_t code[4];
		bool is_return_pushed;
	} leaving[] = {
		{ { 0x41, 0x5d }, true },
		{ { 0x48, 0x8b, 0xe3 }, false },
		{ { 0x41, 0xff, 0xe5 }, false },
	};
	const uint64_t here = CACHE + INTERPRETER + 0x800;
	const uint64_t own = RUNTIME_FRAME(METHOD, 0),
		       caller = RUNTIME_FRAME(METHOD, BCI);

	(void)state;
	start();
	/* The caller's stack pointer is above its arguments. */
	check(&(struct thread){ .pc = here,
				.sp = RETURN_AT,
				.fp = CALLER_FP,
				.method = METHOD,
				.bytecode = RETURN_AT + 24 },
	      (const uint64_t[]){ own, caller }, 2);
	put(RETURN_AT, JUNK, WORD);
	check(&(struct thread){ .pc = here,
				.sp = RETURN_AT,
				.fp = CALLER_FP,
				.method = METHOD,
				.bytecode = RETURN_AT + 24,
				.back = CALL },
	      (const uint64_t[]){ own, caller }, 2);
	for (size_t i = 0; i < COUNT(leaving); i++) {
		start();
		memcpy(bytes_at(here, WORD), leaving[i].code, 4);
		put(RETURN_AT, leaving[i].is_return_pushed ? CALL : JUNK, WORD);
		check(&(struct thread){ .pc = here,
					.sp = RETURN_AT,
					.fp = CALLER_FP,
					.method = RETURN_AT + 24,
					.bytecode = leaving[i].is_return_pushed
							    ? JUNK
							    : CALL },
		      &caller, 1);
	}
	/* The register is newer than what the frame says. */
	check(&(struct thread){ .pc = CALL,
				.sp = RETURN_AT,
				.fp = CALLER_FP,
				.bytecode = CONSTANTS + LAYOUT.constant_size +
					    3 },
	      (const uint64_t[]){ RUNTIME_FRAME(METHOD, 3) }, 1);
	check(&(struct thread){ .pc = CALL,
				.sp = RETURN_AT,
				.fp = CALLER_FP,
				.bytecode = JUNK },
	      &caller, 1);
}

static uint64_t any_word(unsigned *seed)
{
	const uint64_t base[] = {
		CACHE + (unsigned)rand_r(seed) % (2 * HEAP),
		STACK_AT + (unsigned)rand_r(seed) % STACK,
		METHOD + (unsigned)rand_r(seed) % OBJECTS,
		(unsigned)rand_r(seed),
		UINT64_MAX - (unsigned)rand_r(seed) % 4096,
		MAPS + (unsigned)rand_r(seed) % SEGMENTS,
	};

	return base[(unsigned)rand_r(seed) % COUNT(base)];
}

/* It ends, whatever is there. */
static void damaged(void **state)
{
	enum { TURNS = 4000, HURTS = 400 };

	(void)state;
	for (unsigned turn = 1; turn <= TURNS; turn++) {
		uint64_t words[FRAMES + 2];
		unsigned seed = turn;

		start();
		put_piece(TOP_HEAP + 0x300, 300, 6, turn % 2 ? 30 : -1);
		for (unsigned i = 0; i < HURTS; i++) {
			const struct area *area = &areas[i % COUNT(areas)];
			uint64_t word = any_word(&seed);
			size_t at = (unsigned)rand_r(&seed) %
				    (area->size - WORD);

			/* Most pieces are small, so segments count more. */
			memcpy(area->bytes + at / WORD * WORD, &word, WORD);
		}
		const struct thread thread = {
			.pc = CACHE + (unsigned)rand_r(&seed) % (2 * HEAP),
			.sp = STACK_AT + (unsigned)rand_r(&seed) % STACK,
			.fp = any_word(&seed), .method = any_word(&seed),
			.bytecode = any_word(&seed), .back = any_word(&seed),
		};

		assert_in_range(walk(&thread, words), 0, FRAMES);
		assert_int_equal(words[FRAMES + 1], 0);
	}
}

/* Before there is a code cache, any code is worth another look. */
static void early(void **state)
{
	uint64_t block[RUNTIME_WORDS] = { 0 };
	struct hotspot_code code = cache();

	(void)state;
	assert_true(hotspot_walk_wait(block));
	assert_int_equal(block[RUNTIME_RANGES], 0);
	assert_in_range(CACHE, 0, block[RUNTIME_RANGES + 1]);
	assert_int_equal(block[block[RUNTIME_STEPS]] & 255, DO_LOOK);
	assert_true(hotspot_walk_write(&LAYOUT, &code, block));
	assert_int_equal(block[RUNTIME_RANGES], CACHE);
	assert_int_not_equal(block[block[RUNTIME_STEPS]] & 255, DO_LOOK);
	/* Nothing fits: a heap that begins within a segment. */
	code.heaps[0].low += WORD;
	assert_false(hotspot_walk_write(&LAYOUT, &code, block));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions), cmocka_unit_test(without_push),
		cmocka_unit_test(callers),   cmocka_unit_test(frameless),
		cmocka_unit_test(interpreter),
		cmocka_unit_test(damaged),   cmocka_unit_test(early),
	};

	memory = calloc(1, SIZE);
	if (!memory)
		return 1;
	int result = cmocka_run_group_tests(tests, NULL, NULL);

	free(memory);
	return result;
}
