/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The walk of unwind.bpf.c in user space, over a stack that was copied. */

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the stack or of code, or of the process; false: they are not known. */
typedef bool unwind_reader(void *to, uint32_t size, uint64_t from);

/*
 * mem (zeroed; caps as for library functions) = {process and status, frames
 * ...} of the stack in a slot.  list: the process's mappings, or 0.  Returns
 * how many frames there are, and UNWIND_WANTS_LOOK: one was in no mapping.
 * `reader` knows the copy, `process` the memory as it is now, for runtimes.
 */
int64_t unwind_native(char *mem, const char *source, uint64_t caps,
		      uint64_t list, const uint64_t *slot,
		      unwind_reader *reader, unwind_reader *process);
