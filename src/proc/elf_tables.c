/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where symbols are: in .symtab; where that was stripped, in the .symtab of the
 * debug file that the build id or a link names.  Without either, these are
 * left: .dynsym, the small embedded file (.gnu_debugdata), which leaves out
 * what .dynsym has, and a Go program's own table.
 */
#include "proc/elf_tables.h"

#include "proc/go_functions.h"

static struct elf_named_table *next_table(struct elf_tables *tables,
					  enum elf_table_kind kind,
					  struct elf_file *file)
{
	struct elf_named_table *next = &tables->items[tables->count];

	*next = (struct elf_named_table){ .kind = kind, .file = file };
	return next;
}

static bool add(struct elf_tables *tables, enum elf_table_kind kind,
		struct elf_file *file, uint32_t type)
{
	struct elf_named_table *next = next_table(tables, kind, file);
	bool is_there = elf_file_read_table(file, type, &next->table);

	tables->count += is_there;
	return is_there;
}

static bool add_debug(struct elf_tables *tables, struct elf_file *file,
		      const char *root, const char *path)
{
	tables->has_debug = elf_file_open_debug(file, root, path,
						&tables->debug);
	return tables->has_debug &&
	       add(tables, TABLE_SYMBOLS, &tables->debug, SHT_SYMTAB);
}

static void add_inner(struct elf_tables *tables, struct elf_file *file)
{
	tables->has_inner = elf_file_open_inner(file, &tables->inner);
	if (tables->has_inner)
		add(tables, TABLE_INNER, &tables->inner, SHT_SYMTAB);
}

static void add_go(struct elf_tables *tables, struct elf_file *file)
{
	struct elf_named_table *next = next_table(tables, TABLE_GO, file);

	tables->count += go_functions_read(file, &next->table);
}

void elf_tables_read(struct elf_tables *tables, struct elf_file *file,
		     const char *root, const char *path, bool with_exported)
{
	*tables = (struct elf_tables){ 0 };
	bool is_whole = add(tables, TABLE_SYMBOLS, file, SHT_SYMTAB) ||
			add_debug(tables, file, root, path);

	if (!is_whole || with_exported)
		add(tables, TABLE_EXPORTED, file, SHT_DYNSYM);
	if (is_whole)
		return;
	add_inner(tables, file);
	add_go(tables, file);
}

bool elf_tables_have(const struct elf_tables *tables, enum elf_table_kind kind)
{
	for (size_t i = 0; i < tables->count; i++)
		if (tables->items[i].kind == kind)
			return true;
	return false;
}

void elf_tables_close(struct elf_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		elf_table_free(&tables->items[i].table);
	if (tables->has_debug)
		elf_file_close(&tables->debug);
	if (tables->has_inner)
		elf_file_close(&tables->inner);
	*tables = (struct elf_tables){ 0 };
}
