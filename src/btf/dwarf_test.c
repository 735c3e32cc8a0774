/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DWARF: this program's own is read, as its compiler wrote it, and then
 * damaged in many ways, none of which may do more than give wrong answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/dwarf.h"
#include "proc/debug_info.h"

enum shade { LIGHT = -1, DARK = 200 };

struct part {
	unsigned low : 3, high : 13;
	const char *label;
	struct part *next;
	enum shade shade;
	union {
		int number;
		char text[8];
	};
	short grid[2][3];
	int (*act)(int);
};

typedef struct {
	long first, second;
} couple;

__attribute__((noinline)) static int visit_part(struct part *part, couple *both,
						double weight, enum shade shade,
						...)
{
	__asm__ volatile("" ::: "memory");
	return part->low + (int)both->first + (int)weight + (int)shade;
}

static struct arena *arena;
static struct types *types;
static struct dwarf_sections own;
static uint64_t function;

static int setup(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	enum debug_problem problem = DEBUG_GOOD;
	struct debug_info info;
	struct elf_file file;
	Dl_info here;

	(void)state;
	assert_int_equal(elf_file_open(&file, fd, NULL), ELF_GOOD);
	if (!debug_info_open(&info, &file, "", "", ".debug_info"))
		return 0;
	for (int i = 0; i < DWARF_PARTS; i++)
		own.parts[i].p = debug_info_section(&info, dwarf_part_names[i],
						    &own.parts[i].n, &problem);
	assert_int_equal(problem, DEBUG_GOOD);
	assert_true(dladdr((void *)setup, &here));
	function = (uintptr_t)visit_part;
	if (file.header.e_type == ET_DYN)
		function -= (uintptr_t)here.dli_fbase;
	debug_info_close(&info);
	elf_file_close(&file);
	close(fd);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int i = 0; i < DWARF_PARTS; i++)
		free(own.parts[i].p);
	return 0;
}

static void begin(void)
{
	arena = arena_new();
	types = types_new(arena, 256);
	types_without_kernel(types);
}

static void end(void)
{
	types_free(types);
	arena_free(arena);
}

static struct dwarf *copy(void)
{
	struct dwarf_sections sections = own;

	for (int i = 0; i < DWARF_PARTS; i++) {
		if (!own.parts[i].p)
			continue;
		sections.parts[i].p = malloc(own.parts[i].n + 1);
		memcpy(sections.parts[i].p, own.parts[i].p, own.parts[i].n + 1);
	}
	return dwarf_new(types, &own, &sections, NULL, NULL);
}

static void assert_member(struct type *sou, const char *name, const char *type,
			  size_t offset, uint32_t width)
{
	struct member member;

	assert_true(type_member(types, sou, name, &member));
	assert_string_equal(type_name(types, member.type), type);
	assert_int_equal(member.bit_offset, offset);
	assert_int_equal(member.bit_width, width);
}

#define AT(name) (8 * offsetof(struct part, name))

static void test_function(void **state)
{
	static const char *const names[] = {
		"struct part *", "couple *", "double", "enum shade",
	};
	struct type *type, *part;

	(void)state;
	if (!function)
		skip();
	begin();
	struct dwarf *dwarf = copy();

	assert_ptr_equal(types_dwarf(types, &own), dwarf);
	assert_null(types_dwarf(types, &arena));
	assert_int_equal(dwarf_function(types, dwarf, function, &type),
			 DWARF_FOUND);
	assert_int_equal(dwarf_function(types, dwarf, function + 1, &part),
			 DWARF_UNKNOWN);
	assert_int_equal(type->nparams, 4);
	assert_true(type->is_variadic);
	assert_string_equal(type->param_names[1], "both");
	assert_string_equal(type_name(types, type->target), "int");
	for (uint32_t i = 0; i < type->nparams; i++)
		assert_string_equal(type_name(types, type->params[i]),
				    names[i]);
	assert_true(type->params[0]->is_user);

	part = type_strip(types, type->params[0]->target);
	assert_int_equal(type_size(types, part), sizeof(struct part));
	assert_member(part, "low", "unsigned int", 0, 3);
	assert_member(part, "high", "unsigned int", 3, 13);
	assert_member(part, "label", "const char *", AT(label), 0);
	assert_member(part, "next", "struct part *", AT(next), 0);
	assert_member(part, "shade", "enum shade", AT(shade), 0);
	assert_member(part, "text", "char [8]", AT(text), 0);
	assert_member(part, "grid", "short [2][3]", AT(grid), 0);
	assert_member(part, "act", "int (*)()", AT(act), 0);
	assert_int_equal(type_enumerator(types, type->params[3], "DARK")->value,
			 DARK);
	assert_int_equal(
		type_enumerator(types, type->params[3], "LIGHT")->value, LIGHT);
	end();
}

static void look_at(struct type *type, unsigned depth)
{
	struct member found;

	if (depth > 4)
		return;
	type_name(types, type);
	type_size(types, type);
	type_align(types, type);
	type = type_strip(types, type);
	if (type->target && type->target != type)
		look_at(type->target, depth + 1);
	if (!type_complete(types, type) || !type_is_sou(types, type))
		return;
	type_member(types, type, "number", &found);
	for (uint32_t i = 0; i < type->nmembers && i < 16; i++)
		look_at(type->members[i].type, depth + 1);
}

/* Some bytes of the parts that say how to read the rest, or their length. */
static void damage(struct dwarf_sections *sections, unsigned *seed)
{
	struct dwarf_bytes *part = &sections->parts[rand_r(seed) % DWARF_PARTS];

	if (!part->n)
		part = &sections->parts[DWARF_INFO];
	if (rand_r(seed) % 8 == 0) {
		part->n = (size_t)rand_r(seed) % part->n;
		part->p[part->n] = '\0';
		return;
	}
	for (int i = 0; i < 64; i++)
		part->p[(size_t)rand_r(seed) % part->n] = (uint8_t)rand_r(seed);
}

/* A copy of the current unit alone would be faster, and would test less. */
static void test_damaged(void **state)
{
	enum { TIMES = 60 };
	unsigned seed = 1;

	(void)state;
	if (!function)
		skip();
	for (int i = 0; i < TIMES; i++) {
		struct dwarf_sections sections = own;
		struct type *type;

		begin();
		for (int part = 0; part < DWARF_PARTS; part++) {
			sections.parts[part].p = malloc(own.parts[part].n + 1);
			if (own.parts[part].p)
				memcpy(sections.parts[part].p,
				       own.parts[part].p,
				       own.parts[part].n + 1);
		}
		for (int n = 0; n < 1 + i % 4; n++)
			damage(&sections, &seed);
		struct dwarf *dwarf = dwarf_new(types, NULL, &sections, NULL,
						NULL);

		for (uint64_t at = function - 256; at < function + 256; at++)
			if (dwarf_function(types, dwarf, at, &type) ==
			    DWARF_FOUND)
				for (uint32_t k = 0; k < type->nparams; k++)
					look_at(type->params[k], 0);
		end();
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_damaged),
	};
	struct part part = { .label = "" };
	couple both = { 1, 2 };

	visit_part(&part, &both, 1.0, LIGHT, 5);
	return cmocka_run_group_tests(tests, setup, teardown);
}
