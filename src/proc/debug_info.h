/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Sections of debugging information: of an object file itself, or of the file
 * that its distribution keeps them in.
 */

#include "proc/elf_file.h"

struct debug_info {
	struct elf_file file; /* that has the sections */
	bool is_own;	      /* opened here */
};

enum debug_problem {
	DEBUG_GOOD,
	DEBUG_ABSENT,		/* neither in it nor beside it */
	DEBUG_PACKED,		/* compressed, and the library is missing */
	DEBUG_LARGE,		/* more than the budget allows */
};

/*
 * The file in which `section` is: `file` itself, or the one that belongs to it
 * by its build id or link (elf_file_open_debug).
 */
bool debug_info_open(struct debug_info *info, struct elf_file *file,
		     const char *root, const char *path, const char *section);
void debug_info_close(struct debug_info *info);
/*
 * A section's bytes, uncompressed and followed by a NUL (free() them).  NULL
 * and DEBUG_GOOD if there is no such section.
 */
uint8_t *debug_info_section(struct debug_info *info, const char *name,
			    size_t *size, enum debug_problem *problem);
/* The file whose entries this one shares with others (dwz). */
bool debug_info_open_shared(struct debug_info *info, const char *root,
			    struct debug_info *shared);
