/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of Go programs as a table of symbols; see go_table.h. */
#include "proc/go_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "proc/go_table.h"

static void add_functions(const struct go_table *go, uint16_t section,
			  struct elf_table *table)
{
	table->symbols = must_alloc(checked_mul(go->count,
						sizeof(*table->symbols)));
	table->count = 0;
	for (size_t n = 0; n < go->count; n++) {
		uint64_t start = go_table_start(go, n);
		uint64_t end = go_table_start(go, n + 1);
		uint32_t name;

		if (end <= start || !go_table_name(go, n, &name))
			continue;
		table->symbols[table->count++] = (Elf64_Sym){
			.st_name = name,
			.st_value = start,
			.st_size = end - start,
			.st_shndx = section,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		};
	}
}

/* The names alone stay. */
static void keep_names(const struct go_table *go, uint8_t *bytes,
		       struct elf_table *table)
{
	size_t size = go->names_end - go->names;

	memmove(bytes, bytes + go->names, size);
	table->names = must_realloc(bytes, size + 1);
	table->names[size] = '\0';
	table->names_size = size;
}

static bool take(const struct go_table *go, uint8_t *bytes, uint16_t section,
		 struct elf_table *table)
{
	*table = (struct elf_table){ 0 };
	add_functions(go, section, table);
	if (!table->count) {
		free(table->symbols);
		return false;
	}
	keep_names(go, bytes, table);
	return true;
}

bool go_functions_parse(uint8_t *bytes, size_t size, uint64_t text,
			uint16_t section, struct elf_table *table)
{
	struct go_table go;

	return go_table_open(&go, bytes, size, text) &&
	       take(&go, bytes, section, table);
}

bool go_functions_read(struct elf_file *file, struct elf_table *table)
{
	const Elf64_Shdr *text = elf_file_section(file, ".text");
	struct go_table go;

	if (!go_table_read(&go, file))
		return false;
	uint8_t *bytes = (uint8_t *)(uintptr_t)go.bytes;

	if (take(&go, bytes, (uint16_t)(text - file->sections), table)) {
		table->file = file;
		return true;
	}
	free(bytes);
	return false;
}
