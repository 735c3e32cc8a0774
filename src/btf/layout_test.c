/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts agree with the compiler that builds this test: each list of members
 * is declared to C and to types, then sizes, alignments and places are
 * compared.  A bit-field's place is where its bits appear when it is filled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#include "btf/type.h"

typedef char char7[7];
typedef long long3[3];

#define PLAIN(F, B, P) F(char, a) F(int, b) F(char, c) F(long, d) F(short, e)
#define BYTES(F, B, P) F(char, a) F(char7, b) F(char, c)
#define EMPTY_END(F, B, P) F(long, a) F(char, b)
#define ARRAYS(F, B, P) F(char, a) F(long3, b) F(char7, c) F(int, d)
#define FLOATS(F, B, P) F(char, a) F(float, b) F(double, c) F(long double, d)
#define POINTERS(F, B, P) F(char, a) F(voidp, b) F(_Bool, c) F(voidp, d)
#define BITS(F, B, P) B(int, a, 3) B(int, b, 5) B(unsigned, c, 24) F(char, d)
#define CROSSING(F, B, P) B(int, a, 20) B(int, b, 20) B(int, c, 20)
#define MIXED(F, B, P) F(char, a) B(int, b, 3) B(long, c, 40) B(char, d, 7) \
	B(short, e, 9) F(char, f)
#define ZERO_WIDTH(F, B, P) B(int, a, 3) P(int, 0) B(int, b, 5) P(long, 0) \
	B(char, c, 1)
#define PADDED(F, B, P) F(char, a) P(int, 9) B(char, b, 2) P(long, 33) \
	F(char, c)
#define PAD_ONLY(F, B, P) F(char, a) P(long, 5) F(char, b)
#define BOOLS(F, B, P) B(_Bool, a, 1) B(_Bool, b, 1) F(int, c) B(_Bool, d, 1)
#define AFTER_CHAR(F, B, P) F(char, a) F(char, b) F(char, c) B(int, d, 9)
#define WIDE(F, B, P) B(unsigned long, a, 64) B(unsigned long, b, 1) \
	B(unsigned long, c, 63) B(unsigned long, d, 2)
#define NESTED(F, B, P) F(char, a) F(struct mixed, b) F(char, c) \
	F(struct floats, d) B(int, e, 4)
#define UNION_PLAIN(F, B, P) F(char, a) F(long, b) F(char7, c)
#define UNION_BITS(F, B, P) B(int, a, 3) F(char7, b) B(long, c, 40)
#define UNION_ODD(F, B, P) F(char7, a) F(short, b)
#define HOLDS_UNION(F, B, P) F(char, a) F(union union_bits, b) F(short, c)

#define ALL_LISTS(X) \
	X(struct, plain, PLAIN) X(struct, bytes, BYTES) \
	X(struct, empty_end, EMPTY_END) X(struct, arrays, ARRAYS) \
	X(struct, floats, FLOATS) X(struct, pointers, POINTERS) \
	X(struct, bits, BITS) X(struct, crossing, CROSSING) \
	X(struct, mixed, MIXED) X(struct, zero_width, ZERO_WIDTH) \
	X(struct, padded, PADDED) X(struct, pad_only, PAD_ONLY) \
	X(struct, bools, BOOLS) X(struct, after_char, AFTER_CHAR) \
	X(struct, wide, WIDE) X(struct, nested, NESTED) \
	X(union, union_plain, UNION_PLAIN) X(union, union_bits, UNION_BITS) \
	X(union, union_odd, UNION_ODD) X(struct, holds_union, HOLDS_UNION)

typedef void *voidp;

/* To C. */
#define C_FIELD(type, name) type name;
#define C_BITS(type, name, width) type name : width;
#define C_PAD(type, width) \
	type:              \
	width;
#define C_DECLARE(word, tag, LIST) word tag{ LIST(C_FIELD, C_BITS, C_PAD) };
ALL_LISTS(C_DECLARE)

static void add(struct types *types, struct type *sou, const char *type,
		const char *name, uint32_t width)
{
	struct type *parsed = types_parse(types, type);

	assert_non_null(parsed);
	assert_true(type_add_member(types, sou, name, parsed, width));
}

/* First bit that is set, and how many are. */
static void find_bits(const void *object, size_t size, uint64_t *first,
		      uint32_t *count)
{
	const unsigned char *bytes = object;

	*count = 0;
	for (uint64_t bit = 0; bit < size * 8; bit++) {
		if (!(bytes[bit / 8] >> bit % 8 & 1))
			continue;
		if (!(*count)++)
			*first = bit;
	}
}

static void check_member(struct types *types, struct type *sou,
			 const char *name, uint64_t offset, uint32_t width)
{
	struct member found;

	if (!type_member(types, sou, name, &found))
		fail_msg("%s has no %s", sou->name, name);
	if (found.bit_offset != offset || found.bit_width != width)
		fail_msg("%s.%s at %lu:%u, compiler says %lu:%u", sou->name,
			 name, (unsigned long)found.bit_offset, found.bit_width,
			 (unsigned long)offset, width);
}

static const volatile uint64_t all_ones = UINT64_MAX;

/* To types, and the comparison. */
#define D_FIELD(type, name) add(types, sou, #type, #name, 0);
#define D_BITS(type, name, width) add(types, sou, #type, #name, width);
#define D_PAD(type, width) add(types, sou, #type, NULL, width);
#define CHECK_FIELD(type, name) \
	check_member(types, sou, #name, \
		     8 * ((size_t)((char *)&object.name - (char *)&object)), \
		     0);
#define CHECK_BITS(type, name, width) do { \
	uint64_t first = 0; \
	uint32_t count = 0; \
	memset(&object, 0, sizeof(object)); \
	object.name = (type)all_ones; \
	find_bits(&object, sizeof(object), &first, &count); \
	assert_int_equal(count, width); \
	check_member(types, sou, #name, first, width); \
} while (0);
#define CHECK_PAD(type, width)

#define COMPARE(word, tag, LIST) \
static void compare_##tag(struct types *types, enum tag_kind kind) \
{ \
	struct type *sou = types_declare_tag(types, kind, #tag); \
	word tag object; \
	LIST(D_FIELD, D_BITS, D_PAD) \
	type_finish_sou(types, sou); \
	if (type_size(types, sou) != sizeof(object) || \
	    type_align(types, sou) != alignof(word tag)) \
		fail_msg("%s: size %lu align %lu, compiler says %zu %zu", \
			 #tag, (unsigned long)type_size(types, sou), \
			 (unsigned long)type_align(types, sou), \
			 sizeof(object), alignof(word tag)); \
	LIST(CHECK_FIELD, CHECK_BITS, CHECK_PAD) \
}
#pragma GCC diagnostic ignored "-Wconversion"
ALL_LISTS(COMPARE)

enum { kind_struct = TAG_STRUCT, kind_union = TAG_UNION };

#define CALL(word, tag, LIST) compare_##tag(types, (enum tag_kind)kind_##word);

static void test_layouts(void **state)
{
	struct arena *arena = arena_new();
	struct types *types = types_new(arena, 256);

	(void)state;
	types_without_kernel(types);
	assert_true(types_define_typedef(types, "char7",
					 types_parse(types, "char [7]")));
	assert_true(types_define_typedef(types, "long3",
					 types_parse(types, "long [3]")));
	assert_true(types_define_typedef(types, "voidp",
					 types_parse(types, "void *")));
	ALL_LISTS(CALL)
	types_free(types);
	arena_free(arena);
}

static void test_enums(void **state)
{
	static const struct {
		int64_t values[3];
		uint64_t size;
		bool is_signed;
	} cases[] = {
		{ { 0, 1, 2 }, 4, true },
		{ { -1, 1, INT32_MAX }, 4, true },
		{ { 0, 1, UINT32_MAX }, 4, false },
		{ { -1, 1, UINT32_MAX }, 8, true },
		{ { 0, 1, INT64_MAX }, 8, false },
	};
	struct arena *arena = arena_new();
	struct types *types = types_new(arena, 256);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct type *type = types_declare_tag(types, TAG_ENUM, NULL);

		type_add_enumerator(types, type, "A", cases[i].values[0]);
		type_add_enumerator(types, type, "B", cases[i].values[1]);
		type_add_enumerator(types, type, "C", cases[i].values[2]);
		assert_false(type_add_enumerator(types, type, "A", 9));
		type_finish_enum(types, type);
		assert_int_equal(type_size(types, type), cases[i].size);
		assert_int_equal(type_is_signed(types, type),
				 cases[i].is_signed);
		assert_int_equal(type_enumerator(types, type, "C")->value,
				 cases[i].values[2]);
		assert_null(type_enumerator(types, type, "D"));
	}
	types_free(types);
	arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_enums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
