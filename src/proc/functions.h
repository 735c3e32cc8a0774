/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The functions of an object file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proc/elf_file.h"

struct elf_function {
	const char *name;
	uint64_t start;	  /* as linked; of an ifunc: where calls go */
	uint64_t size;	  /* 0: not known */
	uint64_t offset;  /* of start in the file */
	uint8_t rank;	  /* the better of several names is higher */
	bool is_indirect; /* an ifunc: start is where it chooses */
};

/* By address, then the best name first. */
struct elf_functions {
	struct elf_function *items;
	size_t count;
	char *names[4];	 /* what the names are in */
	bool is_partial; /* for a stripped file: what it exports */
	/* what a compiler put elsewhere: name.cold, by name */
	struct elf_function *pieces;
	size_t npieces;
};

struct elf_functions *elf_functions_read(struct elf_file *file,
					 const char *root, const char *path);
void elf_functions_free(struct elf_functions *functions);
