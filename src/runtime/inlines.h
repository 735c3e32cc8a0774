/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inlined functions of compiled programs in stacks (-x inlines), from the DWARF of
 * files that processes map or of their debug files.
 */

#include <stdbool.h>
#include <stdint.h>

struct inlines;
struct processes;
struct runtime_frame;

/* is_mangled: names stay as the linker has them. */
struct inlines *inlines_new(struct processes *processes, bool is_mangled);
void inlines_free(struct inlines *inlines);
/*
 * Functions that were inlined at an address of the process, innermost first;
 * returns how many.  *frames: last as long as `inlines`.
 */
unsigned inlines_find(struct inlines *inlines, uint32_t pid, uint64_t address,
		      const struct runtime_frame **frames);
