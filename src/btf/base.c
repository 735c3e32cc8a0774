/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types that exist before any declaration: C's base types, D's own, and
 * the typedef names that scripts take for granted.
 *
 * 1. Base types are created with the container, because they are always needed.
 *    The typedefs are rows of a table until one is mentioned.
 * 2. char is signed, whatever the kernel was compiled with.
 * 3. A base type may be spelled in any order that C allows; what decides is
 *    how often each word occurs.
 */
#include "btf/internal.h"

#include <string.h>

/* ------------------------------------------------------ spelled in words */

enum word {
	WORD_VOID, WORD_CHAR, WORD_SHORT, WORD_INT, WORD_LONG, WORD_FLOAT,
	WORD_DOUBLE, WORD_SIGNED, WORD_UNSIGNED, WORD_BOOL, WORD_STRING,
	WORD_COUNT
};

static const char *const words[WORD_COUNT] = {
	[WORD_VOID] = "void", [WORD_CHAR] = "char", [WORD_SHORT] = "short",
	[WORD_INT] = "int", [WORD_LONG] = "long", [WORD_FLOAT] = "float",
	[WORD_DOUBLE] = "double", [WORD_SIGNED] = "signed",
	[WORD_UNSIGNED] = "unsigned", [WORD_BOOL] = "_Bool",
	[WORD_STRING] = "string",
};

/* How often each word occurs; base_words_type supplies a missing int. */
static const struct {
	struct base_words words;
	enum base_type type;
} spellings[] = {
	{ { { [WORD_VOID] = 1 } }, BASE_VOID },
	{ { { [WORD_BOOL] = 1 } }, BASE_BOOL },
	{ { { [WORD_STRING] = 1 } }, BASE_STRING },
	{ { { [WORD_CHAR] = 1 } }, BASE_CHAR },
	{ { { [WORD_CHAR] = 1, [WORD_SIGNED] = 1 } }, BASE_SCHAR },
	{ { { [WORD_CHAR] = 1, [WORD_UNSIGNED] = 1 } }, BASE_UCHAR },
	{ { { [WORD_INT] = 1, [WORD_SHORT] = 1 } }, BASE_SHORT },
	{ { { [WORD_INT] = 1, [WORD_SHORT] = 1, [WORD_SIGNED] = 1 } },
	  BASE_SHORT },
	{ { { [WORD_INT] = 1, [WORD_SHORT] = 1, [WORD_UNSIGNED] = 1 } },
	  BASE_USHORT },
	{ { { [WORD_INT] = 1 } }, BASE_INT },
	{ { { [WORD_INT] = 1, [WORD_SIGNED] = 1 } }, BASE_INT },
	{ { { [WORD_INT] = 1, [WORD_UNSIGNED] = 1 } }, BASE_UINT },
	{ { { [WORD_INT] = 1, [WORD_LONG] = 1 } }, BASE_LONG },
	{ { { [WORD_INT] = 1, [WORD_LONG] = 1, [WORD_SIGNED] = 1 } },
	  BASE_LONG },
	{ { { [WORD_INT] = 1, [WORD_LONG] = 1, [WORD_UNSIGNED] = 1 } },
	  BASE_ULONG },
	{ { { [WORD_INT] = 1, [WORD_LONG] = 2 } }, BASE_LLONG },
	{ { { [WORD_INT] = 1, [WORD_LONG] = 2, [WORD_SIGNED] = 1 } },
	  BASE_LLONG },
	{ { { [WORD_INT] = 1, [WORD_LONG] = 2, [WORD_UNSIGNED] = 1 } },
	  BASE_ULLONG },
	{ { { [WORD_FLOAT] = 1 } }, BASE_FLOAT },
	{ { { [WORD_DOUBLE] = 1 } }, BASE_DOUBLE },
	{ { { [WORD_DOUBLE] = 1, [WORD_LONG] = 1 } }, BASE_LDOUBLE },
};

bool base_words_add(struct base_words *count, struct str word)
{
	for (size_t i = 0; i < WORD_COUNT; i++)
		if (str_is(word, words[i])) {
			if (count->counts[i] < UINT8_MAX)
				count->counts[i]++;
			return true;
		}
	return false;
}

enum base_type base_words_type(const struct base_words *given)
{
	struct base_words count = *given;

	/* "unsigned", "long" and their like mean an int */
	if (!count.counts[WORD_INT] && !count.counts[WORD_CHAR] &&
	    !count.counts[WORD_DOUBLE] &&
	    (count.counts[WORD_SHORT] || count.counts[WORD_LONG] ||
	     count.counts[WORD_SIGNED] || count.counts[WORD_UNSIGNED]))
		count.counts[WORD_INT] = 1;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++)
		if (!memcmp(&count, &spellings[i].words, sizeof(count)))
			return spellings[i].type;
	return BASE_COUNT;
}

enum base_type base_type_named(struct str text)
{
	struct base_words count = { { 0 } };
	size_t at = 0;

	while (at < text.n) {
		size_t end = at;

		while (end < text.n && text.p[end] != ' ' &&
		       text.p[end] != '\t')
			end++;
		if (end > at &&
		    !base_words_add(&count,
				    (struct str){ text.p + at, end - at }))
			return BASE_COUNT;
		at = end + 1;
	}
	return base_words_type(&count);
}

/* -------------------------------------------------------- the base types */

static const struct {
	const char *name;
	enum type_kind kind;
	uint8_t size;
	bool is_signed, is_char, is_bool;
} base_table[BASE_COUNT] = {
	[BASE_VOID] = { "void", TYPE_VOID, 0, 0, 0, 0 },
	[BASE_CHAR] = { "char", TYPE_INTEGER, 1, 1, 1, 0 },
	[BASE_SCHAR] = { "signed char", TYPE_INTEGER, 1, 1, 1, 0 },
	[BASE_UCHAR] = { "unsigned char", TYPE_INTEGER, 1, 0, 1, 0 },
	[BASE_SHORT] = { "short", TYPE_INTEGER, 2, 1, 0, 0 },
	[BASE_USHORT] = { "unsigned short", TYPE_INTEGER, 2, 0, 0, 0 },
	[BASE_INT] = { "int", TYPE_INTEGER, 4, 1, 0, 0 },
	[BASE_UINT] = { "unsigned int", TYPE_INTEGER, 4, 0, 0, 0 },
	[BASE_LONG] = { "long", TYPE_INTEGER, 8, 1, 0, 0 },
	[BASE_ULONG] = { "unsigned long", TYPE_INTEGER, 8, 0, 0, 0 },
	[BASE_LLONG] = { "long long", TYPE_INTEGER, 8, 1, 0, 0 },
	[BASE_ULLONG] = { "unsigned long long", TYPE_INTEGER, 8, 0, 0, 0 },
	[BASE_FLOAT] = { "float", TYPE_FLOAT, 4, 1, 0, 0 },
	[BASE_DOUBLE] = { "double", TYPE_FLOAT, 8, 1, 0, 0 },
	[BASE_LDOUBLE] = { "long double", TYPE_FLOAT, 16, 1, 0, 0 },
	[BASE_BOOL] = { "_Bool", TYPE_INTEGER, 1, 0, 0, 1 },
	[BASE_INT128] = { "__int128", TYPE_INTEGER, 16, 1, 0, 0 },
	[BASE_UINT128] = { "unsigned __int128", TYPE_INTEGER, 16, 0, 0, 0 },
	[BASE_STRING] = { "string", TYPE_STRING, 0, 0, 0, 0 },
	[BASE_STACK] = { "stack", TYPE_STACK, 0, 0, 0, 0 },
	[BASE_SYMADDR] = { "_symaddr", TYPE_SYMADDR, 8, 0, 0, 0 },
	[BASE_USYMADDR] = { "_usymaddr", TYPE_USYMADDR, 16, 0, 0, 0 },
	[BASE_DYNAMIC] = { "<DYN>", TYPE_DYNAMIC, 0, 0, 0, 0 },
};

/* Base types that are predefined typedefs of others. */
static const struct {
	enum base_type type;
	const char *name;
} base_typedefs[] = {
	{ BASE_INT64, "int64_t" },     { BASE_UINT64, "uint64_t" },
	{ BASE_INT32, "int32_t" },     { BASE_UINT32, "uint32_t" },
	{ BASE_INT16, "int16_t" },     { BASE_UINT16, "uint16_t" },
	{ BASE_INT8, "int8_t" },       { BASE_UINT8, "uint8_t" },
	{ BASE_SIZE, "size_t" },       { BASE_PTRDIFF, "ptrdiff_t" },
	{ BASE_UINTPTR, "uintptr_t" },
};

/*
 * Predefined names.  `is_fixed`: part of the language, so a program may not
 * redefine them; the others are a convenience.
 */
static const struct {
	const char *name;
	enum base_type target;
	bool is_fixed;
	bool is_pointer;
} predefined[] = {
	{ "int8_t", BASE_CHAR, true, false },
	{ "int16_t", BASE_SHORT, true, false },
	{ "int32_t", BASE_INT, true, false },
	{ "int64_t", BASE_LONG, true, false },
	{ "uint8_t", BASE_UCHAR, true, false },
	{ "uint16_t", BASE_USHORT, true, false },
	{ "uint32_t", BASE_UINT, true, false },
	{ "uint64_t", BASE_ULONG, true, false },
	{ "intptr_t", BASE_LONG, true, false },
	{ "uintptr_t", BASE_ULONG, true, false },
	{ "size_t", BASE_ULONG, true, false },
	{ "ssize_t", BASE_LONG, true, false },
	{ "ptrdiff_t", BASE_LONG, true, false },
	{ "intmax_t", BASE_LONG, true, false },
	{ "uintmax_t", BASE_ULONG, true, false },
	{ "uchar_t", BASE_UCHAR, true, false },
	{ "ushort_t", BASE_USHORT, true, false },
	{ "uint_t", BASE_UINT, true, false },
	{ "ulong_t", BASE_ULONG, true, false },
	{ "longlong_t", BASE_LLONG, true, false },
	{ "u_longlong_t", BASE_ULLONG, true, false },
	{ "id_t", BASE_INT, false, false }, /* unsigned in C's headers */
	{ "pid_t", BASE_INT, true, false },
	{ "uid_t", BASE_UINT, true, false },
	{ "gid_t", BASE_UINT, true, false },
	{ "bool", BASE_BOOL, false, false },
	{ "_Bool", BASE_BOOL, false, false },
	{ "_Float32", BASE_FLOAT, false, false },
	{ "_Float32x", BASE_DOUBLE, false, false },
	{ "_Float64", BASE_DOUBLE, false, false },
	{ "_Float64x", BASE_LDOUBLE, false, false },
	{ "_Float128", BASE_LDOUBLE, false, false },
	{ "__float128", BASE_LDOUBLE, false, false },
	{ "__int128_t", BASE_INT128, false, false },
	{ "__uint128_t", BASE_UINT128, false, false },
	{ "__builtin_va_list", BASE_CHAR, false, true },
	{ "boolean_t", BASE_INT, false, false },
	{ "caddr_t", BASE_CHAR, false, true },
	{ "dev_t", BASE_UINT, false, false },
	{ "major_t", BASE_UINT, false, false },
	{ "minor_t", BASE_UINT, false, false },
	{ "mode_t", BASE_UINT, false, false },
	{ "ino_t", BASE_ULONG, false, false },
	{ "off_t", BASE_LONG, false, false },
	{ "offset_t", BASE_LLONG, false, false },
	{ "time_t", BASE_LONG, false, false },
	{ "clock_t", BASE_LONG, false, false },
	{ "hrtime_t", BASE_LLONG, false, false },
	{ "pri_t", BASE_SHORT, false, false },
	{ "processorid_t", BASE_INT, false, false },
	{ "psetid_t", BASE_INT, false, false },
	{ "chipid_t", BASE_INT, false, false },
	{ "lgrp_id_t", BASE_INT, false, false },
	{ "zoneid_t", BASE_INT, false, false },
	{ "taskid_t", BASE_INT, false, false },
	{ "projid_t", BASE_INT, false, false },
	{ "poolid_t", BASE_INT, false, false },
	{ "ctid_t", BASE_INT, false, false },
	{ "ipaddr_t", BASE_UINT, false, false },
	{ "in_addr_t", BASE_UINT, false, false },
	{ "netstackid_t", BASE_INT, false, false },
	{ "pc_t", BASE_ULONG, false, false },
	{ "greg_t", BASE_LONG, false, false },
	{ "u_char", BASE_UCHAR, false, false },
	{ "u_short", BASE_USHORT, false, false },
	{ "u_int", BASE_UINT, false, false },
	{ "u_long", BASE_ULONG, false, false },
	{ "uint", BASE_UINT, false, false },
	{ "ushort", BASE_USHORT, false, false },
	{ "ulong", BASE_ULONG, false, false },
	{ "u_int8_t", BASE_UCHAR, false, false },
	{ "u_int16_t", BASE_USHORT, false, false },
	{ "u_int32_t", BASE_UINT, false, false },
	{ "u_int64_t", BASE_ULONG, false, false },
	/* types of D's own that have no keyword */
	{ "stack", BASE_STACK, true, false },
	{ "_symaddr", BASE_SYMADDR, true, false },
	{ "_usymaddr", BASE_USYMADDR, true, false },
};

enum { NPREDEFINED = sizeof(predefined) / sizeof(*predefined) };

const char *predefined_name(size_t index)
{
	return index < NPREDEFINED ? predefined[index].name : NULL;
}

bool predefined_is_open(const struct type *type)
{
	for (size_t i = 0; i < NPREDEFINED; i++)
		if (type->name == predefined[i].name)
			return !predefined[i].is_fixed;
	return false;
}

struct type *predefined_type(struct types *types, struct str name)
{
	for (size_t i = 0; i < NPREDEFINED; i++) {
		if (!str_is(name, predefined[i].name))
			continue;
		/* They count as a library's. */
		struct table *typedefs = &types->own[true].typedefs;
		struct type *known = table_get(typedefs, name);

		if (known)
			return known;
		struct type *target = types->base[predefined[i].target];

		if (!strcmp(target->name, predefined[i].name))
			return target;
		if (predefined[i].is_pointer)
			target = type_pointer(types, target);
		struct type *type = type_new(types, TYPE_TYPEDEF,
					     predefined[i].name);

		type->target = target;
		type->size = target->size;
		table_put(typedefs, str_of(type->name), type);
		return type;
	}
	return NULL;
}

void base_types_make(struct types *types)
{
	for (int i = 0; i < BASE_COUNT; i++) {
		if (!base_table[i].name)
			continue;
		struct type *type = type_new(types, base_table[i].kind,
					     base_table[i].name);

		type->size = base_table[i].size;
		type->bits = (uint32_t)(type->size * 8);
		type->is_signed = base_table[i].is_signed;
		type->is_char = base_table[i].is_char;
		type->is_bool = base_table[i].is_bool;
		type->is_complete = true;
		types->base[i] = type;
	}
	types->base[BASE_STRING]->size = types->strsize;

	struct type *function = type_new(types, TYPE_FUNCTION, NULL);

	function->target = types->base[BASE_INT];
	function->is_complete = true;
	function->is_variadic = true;
	types->base[BASE_FUNCTION] = function;

	for (size_t i = 0; i < sizeof(base_typedefs) / sizeof(*base_typedefs);
	     i++)
		types->base[base_typedefs[i].type] =
			predefined_type(types, str_of(base_typedefs[i].name));
}
