/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BTF of every kind, whole and damaged.  A small file is built in memory; it
 * must read as written.  Then, truncated anywhere or with any byte changed, it
 * may read as anything, but must be read to its end and crash nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "btf/internal.h"

/* -------------------------------------------------------------- building */

struct builder {
	uint32_t words[512];
	uint32_t nwords;
	char strings[1024];
	uint32_t nstrings;
	uint32_t first_string;
	uint32_t ntypes;
};

static uint32_t string(struct builder *b, const char *text)
{
	uint32_t at = b->nstrings;

	if (!*text)
		return 0;
	memcpy(b->strings + at, text, strlen(text) + 1);
	b->nstrings += (uint32_t)strlen(text) + 1;
	return b->first_string + at;
}

/* A head and what follows it; returns its place among the builder's types. */
static uint32_t record(struct builder *b, const char *name, uint32_t kind,
		       bool flag, uint32_t vlen, uint32_t size_or_type,
		       const uint32_t *extra, uint32_t nextra)
{
	b->words[b->nwords++] = string(b, name);
	b->words[b->nwords++] = (uint32_t)flag << 31 | kind << 24 | vlen;
	b->words[b->nwords++] = size_or_type;
	for (uint32_t i = 0; i < nextra; i++)
		b->words[b->nwords++] = extra[i];
	return ++b->ntypes;
}

#define WORDS(...) (const uint32_t[]){ __VA_ARGS__ }, \
	sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

enum { HEADER_WORDS = 8 };

/* header, types, strings; with room for a layout of kind 20 */
static size_t finish(const struct builder *b, unsigned char *file,
		     bool has_layout)
{
	uint32_t types = b->nwords * 4, header_length = has_layout ? 32 : 24;
	uint32_t header[HEADER_WORDS] = {
		1u << 16 | 0xeb9f, header_length, 0, types, types,
		b->nstrings, (types + b->nstrings + 3) / 4 * 4,
		has_layout ? 21 * 4 : 0,
	};
	unsigned char *at = file;

	memset(file, 0, 4096);
	memcpy(at, header, header_length);
	at += header_length;
	memcpy(at, b->words, types);
	memcpy(at + types, b->strings, b->nstrings);
	if (!has_layout)
		return header_length + types + b->nstrings;
	at[header[6] + 20 * 4] = 4;	/* once */
	at[header[6] + 20 * 4 + 1] = 8; /* each */
	return header_length + header[6] + header[7];
}

static struct builder build_all(void)
{
	struct builder b = { .nstrings = 1 };

	/* 1 */
	record(&b, "int", BTF_INT, false, 0, 4, WORDS(1u << 24 | 32));
	record(&b, "char", BTF_INT, false, 0, 1, WORDS(8));
	record(&b, "", BTF_PTR, false, 0, 2, NULL, 0);
	record(&b, "", BTF_ARRAY, false, 0, 0, WORDS(2, 1, 16));
	/* 5 */
	record(&b, "colour", BTF_ENUM, true, 2, 4,
	       WORDS(string(&b, "RED"), 1, string(&b, "NO"), UINT32_MAX));
	record(&b, "wide", BTF_ENUM64, false, 1, 8,
	       WORDS(string(&b, "FAR"), 2, 1));
	record(&b, "inner", BTF_UNION, false, 1, 16,
	       WORDS(string(&b, "letters"), 4, 0));
	record(&b, "", BTF_STRUCT, false, 1, 4,
	       WORDS(string(&b, "deep"), 1, 0));
	record(&b, "outer", BTF_STRUCT, true, 5, 40,
	       WORDS(string(&b, "a"), 1, 0, string(&b, "b"), 1, 3u << 24 | 32,
		     string(&b, "in"), 7, 64, 0, 8, 192, string(&b, "next"), 10,
		     256));
	/* 10 */
	record(&b, "", BTF_PTR, false, 0, 9, NULL, 0);
	record(&b, "missing", BTF_FWD, false, 0, 0, NULL, 0);
	record(&b, "outer_t", BTF_TYPEDEF, false, 0, 13, NULL, 0);
	record(&b, "", BTF_CONST, false, 0, 9, NULL, 0);
	record(&b, "", BTF_VOLATILE, false, 0, 1, NULL, 0);
	/* 15 */
	record(&b, "", BTF_RESTRICT, false, 0, 3, NULL, 0);
	record(&b, "", BTF_FUNC_PROTO, false, 3, 1,
	       WORDS(string(&b, "who"), 10, string(&b, "text"), 20, 0, 0));
	record(&b, "work", BTF_FUNC, false, 1, 16, NULL, 0);
	record(&b, "counter", BTF_VAR, false, 0, 14, WORDS(1));
	record(&b, ".data", BTF_DATASEC, false, 1, 4, WORDS(18, 0, 4));
	/* 20 */
	record(&b, "", BTF_PTR, false, 0, 21, NULL, 0);
	record(&b, "user", BTF_TYPE_TAG, false, 0, 22, NULL, 0);
	record(&b, "", BTF_CONST, false, 0, 2, NULL, 0);
	record(&b, "note", BTF_DECL_TAG, false, 0, 9, WORDS(UINT32_MAX));
	record(&b, "double", BTF_FLOAT, false, 0, 8, NULL, 0);
	/* 25 */
	record(&b, "odd", BTF_INT, false, 0, 4, WORDS(5));
	record(&b, "old", BTF_STRUCT, false, 1, 4,
	       WORDS(string(&b, "five"), 25, 7));
	record(&b, "btf_trace_tick", BTF_TYPEDEF, false, 0, 28, NULL, 0);
	record(&b, "", BTF_PTR, false, 0, 29, NULL, 0);
	record(&b, "", BTF_FUNC_PROTO, false, 2, 0, WORDS(0, 3, 0, 10));
	/* 30: chains without end */
	record(&b, "loop", BTF_TYPEDEF, false, 0, 31, NULL, 0);
	record(&b, "", BTF_PTR, false, 0, 30, NULL, 0);
	record(&b, "self", BTF_STRUCT, false, 3, 8,
	       WORDS(0, 32, 0, 0, 32, 0, 0, 32, 0));
	record(&b, "nest", BTF_TYPEDEF, false, 0, 34, NULL, 0);
	record(&b, "", BTF_ARRAY, false, 0, 0, WORDS(34, 1, 2));
	return b;
}

/* ---------------------------------------------------------------- whole */

static struct types *open_types(struct arena *arena, const void *bytes,
				size_t length)
{
	struct types *types = types_new(arena, 256);

	types->modules_listed = true;
	types->kernel_error = btf_open_memory(&types->kernel, bytes, length,
					      NULL, "");
	types->kernel_state = types->kernel_error ? KERNEL_CLOSED : KERNEL_OPEN;
	return types;
}

static void test_whole(void **state)
{
	static const struct {
		const char *type, *member, *printed;
		uint64_t offset;
		uint32_t width;
	} members[] = {
		{ "struct outer", "a", "int", 0, 0 },
		{ "struct outer", "b", "int", 32, 3 },
		{ "struct outer", "in", "union inner", 64, 0 },
		{ "struct outer", "deep", "int", 192, 0 },
		{ "outer_t", "next", "struct outer *", 256, 0 },
		{ "union inner", "letters", "char [16]", 0, 0 },
		{ "struct old", "five", "odd", 7, 5 },
	};
	unsigned char file[4096];
	struct builder b = build_all();
	struct arena *arena = arena_new();
	struct types *types = open_types(arena, file, finish(&b, file, false));
	int64_t value;

	(void)state;
	assert_int_equal(types->kernel_error, 0);
	assert_int_equal(btf_count(types->kernel), b.ntypes + 1);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < sizeof(members) / sizeof(*members);
		     i++) {
			struct type *type = types_parse(types, members[i].type);
			struct member found;

			assert_non_null(type);
			assert_true(type_member(types, type, members[i].member,
						&found));
			assert_int_equal(found.bit_offset, members[i].offset);
			assert_int_equal(found.bit_width, members[i].width);
			assert_string_equal(type_name(types, found.type),
					    members[i].printed);
			/* the second time from the complete type */
			type_complete(types, type);
		}
	}
	assert_true(types_enumerator(types, "FAR", &value));
	assert_int_equal(value, 0x100000002);
	assert_true(types_enumerator(types, "NO", &value));
	assert_int_equal(value, -1);

	struct type *work = types_function(types, NULL, "work");

	assert_int_equal(work->nparams, 2);
	assert_true(work->is_variadic);
	assert_true(work->params[1]->is_user);
	assert_false(work->params[0]->is_user);
	assert_string_equal(type_name(types, work->params[1]), "const char *");
	assert_string_equal(work->param_names[0], "who");
	assert_string_equal(type_name(types,
				      types_variable(types, "", "counter")),
			    "volatile int");
	struct type *tick = types_tracepoint(types, "tick");

	assert_int_equal(tick->nparams, 1);
	assert_int_equal(tick->btf_id, 27);
	assert_string_equal(type_name(types, tick->params[0]),
			    "struct outer *");
	/* endless chains end */
	assert_non_null(types_parse(types, "loop"));
	type_size(types, types_parse(types, "loop"));
	type_size(types, types_parse(types, "nest"));
	struct member none;

	assert_false(type_member(types, types_parse(types, "struct self"), "x",
				 &none));
	type_complete(types, types_parse(types, "struct self"));
	assert_int_equal(type_align(types, types_parse(types, "struct self")),
			 1);
	assert_false(type_member(types, types_parse(types, "struct self"), "x",
				 &none));
	/* a forward that is defined nowhere */
	assert_int_equal(
		types_lookup(types, NULL, TAG_STRUCT, STR("missing"))->kind,
		TYPE_FORWARD);
	assert_null(types_lookup(types, NULL, TAG_UNION, STR("missing")));
	types_free(types);
	arena_free(arena);
}

/* An unknown kind is skipped if the file gives its length. */
static void test_unknown_kind(void **state)
{
	unsigned char file[4096];
	struct builder b = { .nstrings = 1 };
	struct btf_file *btf;

	(void)state;
	record(&b, "strange", 20, false, 2, 0, WORDS(1, 2, 3, 4, 5));
	record(&b, "after", BTF_FWD, false, 0, 0, NULL, 0);
	size_t length = finish(&b, file, true);

	assert_int_equal(btf_open_memory(&btf, file, length, NULL, ""), 0);
	assert_int_equal(btf_count(btf), 3);
	assert_int_equal(btf_find(btf, BTF_MASK(BTF_FWD), STR("after")), 2);
	btf_close(btf);

	length = finish(&b, file, false);
	assert_int_equal(btf_open_memory(&btf, file, length, NULL, ""), 0);
	assert_int_equal(btf_count(btf), 1);
	btf_close(btf);
}

/* A module's file: ids and strings continue where the kernel's end. */
static void test_split(void **state)
{
	unsigned char file[4096], module_file[4096];
	struct builder b = build_all(), m = { 0 };
	struct btf_file *kernel, *module;
	struct btf_record found;

	(void)state;
	assert_int_equal(btf_open_memory(&kernel, file, finish(&b, file, false),
					 NULL, ""),
			 0);
	m.first_string = b.nstrings;
	record(&m, "mine", BTF_STRUCT, false, 1, 40,
	       WORDS(string(&m, "it"), 9, 0));
	/* a name that only the kernel's strings have */
	m.words[m.nwords] = 0;
	record(&m, "", BTF_TYPEDEF, false, 0, b.ntypes + 1, NULL, 0);
	assert_true(btf_read(kernel, 9, &found));
	m.words[m.nwords - 3] = found.name;
	assert_int_equal(btf_open_memory(&module, module_file,
					 finish(&m, module_file, false), kernel,
					 "mod"),
			 0);

	assert_string_equal(btf_module(module), "mod");
	assert_int_equal(btf_count(module), b.ntypes + 3);
	assert_int_equal(btf_find(module, BTF_MASK(BTF_STRUCT), STR("mine")),
			 b.ntypes + 1);
	assert_int_equal(btf_find(module, BTF_MASK(BTF_TYPEDEF), STR("outer")),
			 b.ntypes + 2);
	assert_int_equal(btf_find(module, UINT32_MAX, STR("inner")), 0);
	assert_true(btf_read(module, 9, &found));
	assert_string_equal(btf_string(module, found.name), "outer");
	assert_true(btf_read(module, b.ntypes + 1, &found));
	assert_string_equal(btf_string(module, btf_word(&found, 0)), "it");
	assert_ptr_equal(btf_owner(module, 9), kernel);
	assert_false(btf_read(module, b.ntypes + 3, &found));
	assert_false(btf_read(kernel, b.ntypes + 1, &found));
	assert_false(btf_read(kernel, 0, &found));
	btf_build_index(module);
	assert_int_equal(btf_find(module, BTF_MASK(BTF_TYPEDEF), STR("outer")),
			 b.ntypes + 2);
	btf_close(module);
	btf_close(kernel);
}

/* -------------------------------------------------------------- damaged */

static void exercise(const void *bytes, size_t length)
{
	static const char *const texts[] = {
		"struct outer", "outer_t", "union inner", "enum colour",
		"enum wide", "struct self", "loop", "nest", "struct old",
		"struct missing",
	};
	struct arena *arena = arena_new();
	/* a separate copy, so that a sanitizer sees reads past the end */
	void *copy = must_alloc(length);

	memcpy(copy, bytes, length);
	struct types *types = open_types(arena, copy, length);
	struct text out = { 0 };
	struct member found;
	int64_t value;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct type *type = types_parse(types, texts[i]);

		if (!type)
			continue;
		type_member(types, type, "deep", &found);
		type_member(types, type, "nonesuch", &found);
		type_complete(types, type);
		type_size(types, type);
		type_align(types, type);
		type_print(types, type, &out);
		type_same(types, type, types_base(types, BASE_INT));
		type = type_strip(types, type);
		for (uint32_t n = 0; n < type->nmembers; n++) {
			type_print(types, type->members[n].type, &out);
			type_complete(types, type->members[n].type);
			type_size(types, type->members[n].type);
		}
		type_member(types, type, "deep", &found);
	}
	struct type *work = types_function(types, NULL, "work");

	for (uint32_t i = 0; work && i < work->nparams; i++)
		type_print(types, work->params[i], &out);
	types_tracepoint(types, "tick");
	types_variable(types, NULL, "counter");
	types_enumerator(types, "FAR", &value);
	if (types->kernel)
		btf_build_index(types->kernel);
	types_parse(types, "struct nonesuch");
	text_free(&out);
	types_free(types);
	arena_free(arena);
	free(copy);
}

static void test_truncated(void **state)
{
	unsigned char file[4096];
	struct builder b = build_all();
	size_t length = finish(&b, file, true);

	(void)state;
	for (size_t n = 0; n <= length; n++)
		exercise(file, n);
}

static void test_mangled(void **state)
{
	static const unsigned char values[] = { 0, 1, 4, 0x7f, 0x80, 0xff };
	unsigned char file[4096];
	struct builder b = build_all();
	size_t length = finish(&b, file, true);

	(void)state;
	for (size_t at = 0; at < length; at++) {
		unsigned char before = file[at];

		for (size_t i = 0; i < sizeof(values); i++) {
			file[at] = values[i];
			exercise(file, length);
		}
		file[at] = before;
	}
}

/* Many changes at once, from a fixed seed. */
static void test_random(void **state)
{
	unsigned char file[4096], damaged[4096];
	struct builder b = build_all();
	size_t length = finish(&b, file, false);
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		memcpy(damaged, file, length);
		for (int n = 0; n < 8; n++) {
			seed = seed * 1664525 + 1013904223;
			damaged[24 + (seed >> 8) % (length - 24)] =
				(unsigned char)(seed >> 24);
		}
		exercise(damaged, length);
	}
}

static void test_no_file(void **state)
{
	struct arena *arena = arena_new();
	struct types *types = types_new(arena, 256);

	(void)state;
	assert_true(types_use_btf_file(types, "/nonesuch") < 0);
	assert_true(types_use_btf_file(types, "/dev/null") < 0);
	assert_true(types_use_btf_file(types, "/") < 0);
	assert_true(types_kernel_available(types) < 0);
	assert_null(types_parse(types, "struct task_struct"));
	assert_null(types_function(types, NULL, "vfs_read"));
	assert_null(types_tracepoint(types, "sched_switch"));
	assert_non_null(types_parse(types, "int"));
	types_free(types);
	arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_unknown_kind),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_mangled),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
