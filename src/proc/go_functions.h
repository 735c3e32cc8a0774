/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Functions of Go programs, from the table that their own runtime needs:
 * stripped ones have it, too.
 */

#include "proc/elf_file.h"

/* Its functions, as a table of symbols; false: there are none. */
bool go_functions_read(struct elf_file *file, struct elf_table *table);
/*
 * The same for the section's bytes, which become the table's names.  A NUL must
 * follow them.  `text` is where code starts if the table does not say;
 * `section` is the section of the symbols.
 */
bool go_functions_parse(uint8_t *bytes, size_t size, uint64_t text,
			uint16_t section, struct elf_table *table);
