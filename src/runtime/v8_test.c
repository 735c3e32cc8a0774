/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of JavaScript's frames, from objects that this process has in its own
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

#include "base/budget.h"
#include "runtime/v8.c"

/* node 20 */
static const int32_t metadata[V8_ITEMS] = {
	[V8_FP_FUNCTION] = -16, [V8_FP_CONTEXT] = -8, [V8_FP_BYTECODE] = -32,
	[V8_FP_OFFSET] = -40, [V8_SMI_SHIFT] = 31, [V8_TYPE] = 12,
	[V8_SHARED] = 24, [V8_CELL] = 40, [V8_DATA] = 8, [V8_NAME] = 16,
	[V8_SCRIPT] = 32, [V8_BYTECODES] = 54, [V8_LENGTH] = 8,
	[V8_ELEMENTS] = 16, [V8_SOURCE] = 8, [V8_SCRIPT_NAME] = 16,
	[V8_LINE_ENDS] = 56, [V8_STRING_LENGTH] = 12, [V8_ONE_BYTE] = 16,
	[V8_TWO_BYTE] = 16, [V8_FIRST] = 16, [V8_SECOND] = 24,
	[V8_PARENT] = 16, [V8_SLICE] = 24, [V8_ACTUAL] = 16,
	[V8_RESOURCE] = 16, [V8_FIRST_NONSTRING] = 128, [V8_FORM_MASK] = 7,
	[V8_WIDTH_MASK] = 8, [V8_IS_ONE_BYTE] = 8, [V8_FORM_CONS] = 1,
	[V8_FORM_EXTERNAL] = 2, [V8_FORM_SLICED] = 3, [V8_FORM_THIN] = 5,
	[V8_IS_BYTECODE] = 191, [V8_IS_BYTES] = 190, [V8_IS_SHARED] = 262,
	[V8_IS_SCRIPT] = 167, [V8_IS_CODE] = 245,
	[V8_IS_INTERPRETER_DATA] = 159, [V8_IS_SCOPE] = 261,
};
enum { STRING_ONE = 40, STRING_TWO = 32, ARRAY = 175, ENTRIES = 11 };

enum { WORDS = 512, MAPS = 64 };
static struct world {
	uint64_t maps[MAPS][2]; /* a type each */
	uint64_t words[WORDS];
} world;
static unsigned nmaps, nwords;
static struct runtime_process process;
static struct v8 v8;

static uint64_t number(uint64_t value)
{
	return value << 32;
}

static uint64_t map_of(unsigned type)
{
	unsigned i = 0;

	while (i < nmaps && world.maps[i][1] >> 32 != type)
		i++;
	if (i == nmaps)
		nmaps++;
	world.maps[i][1] = (uint64_t)type << 32;
	return (uint64_t)&world.maps[i] + TAG;
}

/* An object of so many words; its first is the map. */
static uint64_t *make(unsigned type, unsigned words)
{
	uint64_t *object = &world.words[nwords];

	nwords += words;
	assert_true(nwords <= WORDS);
	object[0] = map_of(type);
	return object;
}

static uint64_t tagged(const uint64_t *object)
{
	return (uint64_t)object + TAG;
}

static uint64_t text(const char *characters)
{
	size_t length = strlen(characters);
	uint64_t *string = make(STRING_ONE, (unsigned)(3 + length / 8));

	string[1] = number(length);
	memcpy(string + 2, characters, length);
	return tagged(string);
}

static uint64_t bytes(const void *from, size_t size)
{
	uint64_t *array = make(190, (unsigned)(3 + size / 8));

	array[1] = number(size);
	memcpy(array + 2, from, size);
	return tagged(array);
}

static uint64_t *shared, *function_scope, *script, *bytecode, *optimised;

/* function name() at the second line; calls at offsets 2 and 7 of its bytecode. */
static void forget_scripts(void)
{
	for (unsigned i = 0; i < V8_SCRIPTS; i++)
		free(v8.scripts[i].ends);
	memset(&v8, 0, sizeof(v8));
}

static void make_world(void)
{
	/* 2: position 14, a statement; 7: position 22 in the fourth line, none */
	static const uint8_t positions[] = { 3 * 2, 15 * 2 * 2, 0x0b,
					     8 * 2 * 2 };
	static const uint8_t sizes[3] = { 1, 1, 1 };

	memset(&world, 0, sizeof(world));
	nmaps = nwords = 0;
	forget_scripts();
	memcpy(v8.meta, metadata, sizeof(metadata));
	memcpy(v8.sizes, sizes, sizeof(sizes));
	v8.nbytecodes = 1;
	v8.code = &code_layouts[1];
	script = make(167, 9);
	script[1] = text("// first\nname(\n a(),\n b())\n");
	script[2] = text("/srv/app.js");
	bytecode = make(191, 10);
	bytecode[1] = number(16);
	bytecode[4] = bytes(positions, sizeof(positions));
	function_scope = make(261, 12);
	function_scope[1] = number(1 << 12 | 1 << 14);
	function_scope[3] = number(1);
	function_scope[6] = text("name");
	function_scope[8] = text("wrong");
	function_scope[9] = number(9);
	shared = make(262, 7);
	shared[1] = tagged(bytecode);
	shared[2] = tagged(function_scope);
	shared[4] = tagged(script);
}

/*
 * outer() with shared inlined, as a translation says: frames, opcodes 0 (begin)
 * to 3 (takes over).
 */
static void make_optimised(void)
{
	static const uint32_t operands[] = { 3, 5, 3, 1 };
	static const uint8_t translations[] = {
		0, 0, 4, 4,		 /* two frames */
		1, 14, 0, 0, 0, 0,	 /* at 7 in literal 0 */
		2, 4, 0, 0,		 /* at 2 in it */
		0, 14, 4, 4, 4 + 1,	 /* the same, but */
		2, 14, 0, 0,
	};
	static const uint32_t head[] = { 2, 1 | 1 << 4 | 1 << 7 };
	static const uint8_t points[] = { 0x10, 1, 0, 0x20, 2, 0x31 };
	static const struct v8_code_layout layout = {
		11, 3, 40, 0, 56, 16, 24, 0, 0, 1, true
	};
	uint64_t *literals = make(ARRAY, 4), *data = make(ARRAY, 24);
	uint64_t *code = make(200, 4);

	memcpy(v8.operands, operands, sizeof(operands));
	v8.nopcodes = sizeof(operands) / sizeof(*operands);
	v8.code = &layout;
	memcpy(code, head, sizeof(head));
	memcpy(code + 1, points, sizeof(points));
	literals[1] = number(1);
	literals[2] = tagged(shared) | 2;
	data[1] = number(17);
	data[2] = bytes(translations, sizeof(translations));
	data[4] = tagged(literals);
	data[8] = tagged(shared);
	data[2 + ENTRIES + 1] = number(0);
	data[2 + ENTRIES + 4] = number(14);
	optimised = make(245, 9);
	optimised[2] = tagged(data);
	optimised[5] = (uint64_t)code;
}

static int start(void **state)
{
	(void)state;
	process = (struct runtime_process){
		.runtime = &runtime_v8,
		.memory = runtime_memory_new((uint32_t)getpid(), NULL),
		.own = &v8,
	};
	return 0;
}

static int stop(void **state)
{
	(void)state;
	forget_scripts();
	runtime_memory_free(process.memory);
	return 0;
}

static unsigned name_it(const uint64_t *object, uint32_t detail,
			struct runtime_frame *frames)
{
	const char *why = NULL;

	return name_frame(&process, (uint64_t)object, detail, frames, &why);
}

static void expect(uint32_t detail, const char *function, uint64_t line)
{
	struct runtime_frame frames[RUNTIME_INLINED] = { 0 };

	assert_int_equal(name_it(shared, detail, frames), 1);
	assert_string_equal(frames[0].function, function);
	assert_string_equal(frames[0].file, "/srv/app.js");
	assert_int_equal(frames[0].line, line);
}

static void names(void **state)
{
	(void)state;
	make_world();
	expect(2, "name", 2);
	expect(6, "name", 2);
	expect(7, "name", 4);
	expect(15, "name", 4);
	expect(RUNTIME_DETAIL_MOST, "name", 2);
	/* only what V8 infers, or nothing at all */
	function_scope[6] = text("");
	expect(2, "wrong", 2);
	shared[2] = number(0);
	expect(2, "(anonymous)", 2);
	/* without a table: where the function begins */
	make_world();
	bytecode[4] = 0;
	expect(7, "name", 2);
}

static void strings(void **state)
{
	static const uint16_t wide[] = { 0x416, 'x', 0xd83d, 0xde00 };
	uint64_t *cons, *slice, *thin, *external, *two;
	static const char outside[] = "outside";

	(void)state;
	make_world();
	two = make(STRING_TWO, 4);
	two[1] = number(4);
	memcpy(two + 2, wide, sizeof(wide));
	shared[2] = tagged(two);
	expect(2, "Жx😀", 2);
	cons = make(STRING_ONE | 1, 4);
	cons[1] = number(8);
	cons[2] = text("left");
	cons[3] = text("side");
	shared[2] = tagged(cons);
	expect(2, "leftside", 2);
	slice = make(STRING_ONE | 3, 4);
	slice[1] = number(3);
	slice[2] = text("a.name");
	slice[3] = number(2);
	shared[2] = tagged(slice);
	expect(2, "nam", 2);
	thin = make(STRING_ONE | 5, 3);
	thin[1] = number(4);
	thin[2] = text("thin");
	shared[2] = tagged(thin);
	expect(2, "thin", 2);
	external = make(STRING_ONE | 2, 4);
	external[1] = number(7);
	external[3] = (uint64_t)outside;
	shared[2] = tagged(external);
	expect(2, "outside", 2);
	/* one that is made of itself */
	cons[2] = cons[3] = tagged(cons);
	shared[2] = tagged(cons);
	expect(2, "(anonymous)", 2);
}

static void inlined(void **state)
{
	struct runtime_frame frames[RUNTIME_INLINED] = { 0 };

	(void)state;
	make_world();
	make_optimised();
	assert_int_equal(name_it(optimised, 0x10, frames), 2);
	assert_int_equal(frames[0].line, 2);
	assert_int_equal(frames[1].line, 4);
	/* the second, and where it goes on when it is not valid any more */
	assert_int_equal(name_it(optimised, 0x20, frames), 2);
	assert_int_equal(frames[0].line, 4);
	assert_int_equal(frames[1].line, 4);
	assert_int_equal(name_it(optimised, 0x30, frames), 2);
	/* between calls: only whose code it is */
	assert_int_equal(name_it(optimised, 0x18, frames), 1);
	assert_int_equal(frames[0].line, 2);
}

/* Sums of a table that go beyond 64 bits wrap around. */
static void overflow(void **state)
{
	static const uint8_t most[] = { 0xfe, 0xff, 0xff, 0xff, 0xff,
					0xff, 0xff, 0xff, 0xff, 1 };
	uint8_t positions[4 * sizeof(most)];
	struct runtime_frame frames[RUNTIME_INLINED] = { 0 };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		memcpy(positions + i * sizeof(most), most, sizeof(most));
	make_world();
	bytecode[4] = bytes(positions, sizeof(positions));
	assert_int_equal(name_it(shared, 7, frames), 1);
	assert_string_equal(frames[0].function, "name");
}

/* Lines of scripts are held in the budget: what is too much has none. */
static void budget(void **state)
{
	/* more than a runtime's texts */
	enum { LINES = 100000, WORDS_OF_IT = 3 + LINES / 8 };
	static uint64_t source[WORDS_OF_IT];
	struct options options = { 0 };
	struct budget little = { .options = &options };
	struct runtime_frame frames[RUNTIME_INLINED] = { 0 };

	(void)state;
	for (unsigned is_little = 0; is_little < 2; is_little++) {
		make_world();
		source[0] = map_of(STRING_ONE);
		source[1] = number(LINES);
		memset(source + 2, '\n', LINES);
		script[1] = tagged(source);
		options.values[OPTION_SYMSIZE].is_set = true;
		options.values[OPTION_SYMSIZE].number = is_little ? 200000
								  : 2000000;
		process.memory->budget = &little;
		assert_int_equal(name_it(shared, 2, frames), 1);
		assert_int_equal(frames[0].line, is_little ? 0 : 15);
		assert_true(little.held < (is_little ? 100000 : 600000));
		little.held = little.work = 0;
		process.memory->held = 0;
	}
	process.memory->budget = NULL;
}

/* Whatever is in memory: there is an answer, or none. */
static void damage(void **state)
{
	static const uint64_t values[] = {
		0, 1, UINT64_MAX, 1ull << 63, 0x7fffffffull << 32,
		0xffffffffull << 32, 0x4142434445464748, (1ull << 47) + 1,
	};
	struct runtime_frame frames[RUNTIME_INLINED];

	(void)state;
	make_world();
	make_optimised();
	for (unsigned i = 0; i < nwords; i++)
		for (unsigned n = 0; n <= sizeof(values) / sizeof(*values) + 1;
		     n++) {
			uint64_t saved = world.words[i];

			world.words[i] = n < sizeof(values) / sizeof(*values)
						 ? values[n]
					 : n == sizeof(values) / sizeof(*values)
						 ? tagged(&world.words[i])
						 : saved ^ 0x0101010101010101;
			assert_true(name_it(shared, 7, frames) <= 1);
			assert_true(name_it(shared, V8_BASELINE + 9, frames) <=
				    1);
			assert_true(name_it(optimised, 0x10, frames) <=
				    RUNTIME_INLINED);
			assert_true(name_it(optimised, 0x20, frames) <=
				    RUNTIME_INLINED);
			world.words[i] = saved;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(strings),
		cmocka_unit_test(inlined),
		cmocka_unit_test(damage),
		cmocka_unit_test(overflow),
		cmocka_unit_test(budget),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
