/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * All symbols that an object file has, wherever they are: the one place that
 * knows where to look.  The users choose among the tables: elf.c for names of
 * addresses, functions.c for functions.
 */

#include "proc/elf_file.h"

enum elf_table_kind {
	TABLE_SYMBOLS,	/* .symtab, of the file or of its debug file: all */
	TABLE_EXPORTED,	/* .dynsym */
	TABLE_INNER,	/* .gnu_debugdata: what .dynsym leaves out */
	TABLE_GO,	/* .gopclntab: all functions of a Go program */
};

struct elf_tables {
	struct elf_named_table {
		enum elf_table_kind kind;
		struct elf_table table;
		struct elf_file *file; /* the file of its sections */
	} items[4];
	size_t count;
	/* files that are open because of them */
	struct elf_file debug, inner;
	bool has_debug, has_inner;
};

/*
 * The tables of a file that is open.  With TABLE_SYMBOLS there is no other,
 * except TABLE_EXPORTED if requested.  `root` and `path`:
 * elf_file_open_debug().
 */
void elf_tables_read(struct elf_tables *tables, struct elf_file *file,
		     const char *root, const char *path, bool with_exported);
bool elf_tables_have(const struct elf_tables *tables, enum elf_table_kind kind);
/* Frees the remaining contents and closes those files. */
void elf_tables_close(struct elf_tables *tables);
