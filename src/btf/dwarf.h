/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * DWARF: types and functions of a user program, from what its compiler wrote
 * for debuggers.
 *
 * An object's DWARF belongs to the container of types and is freed with it;
 * types made from it are read on demand, like the kernel's.  All pointers in
 * them point to user memory.  C++ references are pointers, classes are structs,
 * and a base class is an anonymous member.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/type.h"

enum dwarf_part {
	DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_LINE_STR,
	DWARF_STR_OFFSETS, DWARF_ADDR, DWARF_RANGES, DWARF_RNGLISTS,
	DWARF_TYPE_PARTS,
	/* what follows only dwarf_inlined() needs */
	DWARF_LINE = DWARF_TYPE_PARTS,
	DWARF_PARTS
};

/* Names of the sections, in that order. */
extern const char *const dwarf_part_names[DWARF_PARTS];

struct dwarf_bytes {
	uint8_t *p; /* from malloc(), with a NUL at the end */
	size_t n;
};

struct dwarf_sections {
	struct dwarf_bytes parts[DWARF_PARTS];
	uint64_t memory; /* that they take: holes of a file take none */
};

struct budget;
struct dwarf;

/*
 * Takes the sections over.  `shared` is what several objects share (a file
 * that dwz wrote), or NULL.  `key` is the caller's, by which types_dwarf()
 * finds it again.  Sections, what is made of them, and every step of a walk
 * count for `budget` (base/budget.h), or NULL.
 */
struct dwarf *dwarf_new(struct types *types, const void *key,
			const struct dwarf_sections *sections,
			struct dwarf *shared, struct budget *budget);
struct dwarf *types_dwarf(struct types *types, const void *key);

enum dwarf_found {
	DWARF_FOUND,
	DWARF_UNKNOWN,		/* nothing is known about this address */
	DWARF_SPLIT,		/* it is in a .dwo file, which is not read */
	DWARF_CHANGED,		/* the compiler changed its parameters */
};

/* A function that was inlined. */
struct dwarf_inlined {
	const char *linkage; /* its name for the linker, or NULL */
	const char *name;    /* or NULL */
	const char *file;    /* the name that its compiler had; "": unknown */
	uint64_t line;	     /* in it, of what is executed; 0: unknown */
};
/*
 * Functions that were inlined at an address, as linked, innermost first, at most
 * `most`; returns how many.
 */
unsigned dwarf_find_inlined(struct dwarf *dwarf, uint64_t address,
			    struct dwarf_inlined *found, unsigned most);

/* The type of the function that starts at an address, as linked. */
enum dwarf_found dwarf_function(struct types *types, struct dwarf *dwarf,
				uint64_t address, struct type **type);
