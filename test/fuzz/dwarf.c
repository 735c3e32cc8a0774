/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as an ELF file with debugging information.
 * Whatever comes, functions have types that can be asked and printed, functions
 * that were inlined have names, and no memory is left behind.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "btf/dwarf.h"
#include "proc/debug_info.h"

enum { FIRST = 0x10f0, LAST = 0x1110, DEEPEST = 4, MOST_MEMBERS = 16 };
enum { INLINED = 4 };

static void look_at(struct types *types, struct type *type, unsigned depth)
{
	struct member found;

	type_name(types, type);
	type_size(types, type);
	type = type_strip(types, type);
	if (depth > DEEPEST)
		return;
	if (type->target && type->target != type)
		look_at(types, type->target, depth + 1);
	if (!type_complete(types, type) || !type_is_sou(types, type))
		return;
	type_member(types, type, "next", &found);
	for (uint32_t i = 0; i < type->nmembers && i < MOST_MEMBERS; i++)
		look_at(types, type->members[i].type, depth + 1);
}

static void read_file(struct types *types, struct debug_info *info)
{
	enum debug_problem problem = DEBUG_GOOD;
	struct dwarf_sections sections = { 0 };

	for (int i = 0; i < DWARF_PARTS; i++)
		sections.parts[i].p = debug_info_section(info,
			dwarf_part_names[i], &sections.parts[i].n, &problem);
	struct dwarf *dwarf = dwarf_new(types, NULL, &sections, NULL, NULL);
	volatile size_t length = 0;

	for (uint64_t at = FIRST; at < LAST; at++) {
		struct dwarf_inlined inlined[INLINED];
		unsigned count = dwarf_find_inlined(dwarf, at, inlined,
						    INLINED);
		struct type *type;

		if (count > INLINED)
			__builtin_trap();
		for (unsigned i = 0; i < count; i++)
			length += strlen(inlined[i].file) +
				  (inlined[i].name ? strlen(inlined[i].name)
						   : 0);

		if (dwarf_function(types, dwarf, at, &type) != DWARF_FOUND)
			continue;
		for (uint32_t n = 0; n < type->nparams; n++)
			look_at(types, type->params[n], 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct debug_info info = { 0 };
	struct arena *arena = arena_new();
	struct types *types = types_new(arena, 256);

	types_without_kernel(types);
	if (elf_file_open_memory(&info.file, bytes, size) == ELF_GOOD)
		read_file(types, &info);
	elf_file_close(&info.file);
	types_free(types);
	arena_free(arena);
	return 0;
}
