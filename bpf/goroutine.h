/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which goroutine runs: the table that user space fills (src/run/goroutines.c)
 * and programs with `goid` look into (goroutine.bpf.c).
 *
 * An entry is {layout, where}: the address space of a Go program (UNWIND_LAYOUT,
 * bpf/unwind.h: another program that a process executes has another, and a child
 * has its parent's), and four offsets of 16 bits in units of 8: from the thread
 * pointer (signed) to the pointer to the structure that runs, which may be the
 * thread's own; in that to the pointer to the thread's; in that to the pointer to
 * the goroutine's; in that to the number.  An entry is one of four from the hash
 * of its layout on.
 */

#include "unwind.h"

enum {
	GOROUTINE_BITS = 10, GOROUTINE_SHIFT = 64 - GOROUTINE_BITS,
	GOROUTINE_TRIES = 4, GOROUTINE_ENTRY = 16,
	GOROUTINE_SIZE = ((1 << GOROUTINE_BITS) + GOROUTINE_TRIES) *
			 GOROUTINE_ENTRY,
};
#define GOROUTINE_AT(layout) \
	(((uint64_t)(layout) >> GOROUTINE_SHIFT) * GOROUTINE_ENTRY)
#define GOROUTINE_WHERE(slot, machine, goroutine, number) \
	((uint64_t)(uint16_t)((slot) / 8) << 48 | \
	 (uint64_t)(uint16_t)((machine) / 8) << 32 | \
	 (uint64_t)(uint16_t)((goroutine) / 8) << 16 | \
	 (uint64_t)(uint16_t)((number) / 8))
