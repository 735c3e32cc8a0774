/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The code cache of a Java virtual machine: which piece of code has an address,
 * and which methods are at a place in compiled code.
 *
 * A cache consists of heaps, a heap of segments.  For each segment there is a
 * byte that says how far back (at least) the piece begins that it belongs to; a
 * piece begins with a header that has its size, the size of its frames and the
 * places of its parts.
 *
 * A compiled method (nmethod) describes some of its places, those of calls and
 * polls: the method, the index of its bytecode, and the same of the methods
 * that it is inlined in.  Other places take what the next described one has.
 */

#include "runtime/hotspot_vm.h"

enum { HOTSPOT_HEAPS = 4, HOTSPOT_INLINED = 64 };

struct hotspot_heap {
	uint64_t low, high, segments;
};

struct hotspot_code {
	uint64_t low, high;
	uint64_t interpreter, interpreter_end;
	struct hotspot_heap heaps[HOTSPOT_HEAPS];
	unsigned nheaps, shift;
	/* of numbers in descriptions: what each byte is too large by */
	uint8_t excess;
	bool is_excess_known;
};

struct hotspot_blob {
	uint64_t address, code;
	uint32_t size;
	uint32_t frame;	   /* words; 0: it has none of its own */
	uint32_t complete; /* bytes of code until it has that frame */
	bool is_method;	   /* compiled from one */
	char name[64];
};

/* A method, and the index of its bytecode; -1: it is not known. */
struct hotspot_scope {
	uint64_t method;
	int32_t bci;
};

/* False: *why_not. */
bool hotspot_code_read(const struct hotspot_vm *vm, struct hotspot_code *code,
		       const char **why_not);
bool hotspot_blob_find(const struct hotspot_vm *vm,
		       const struct hotspot_code *code, uint64_t address,
		       struct hotspot_blob *blob);
/* From the innermost to the method that was compiled; how many there are. */
unsigned hotspot_scopes(const struct hotspot_vm *vm, struct hotspot_code *code,
			const struct hotspot_blob *blob, uint64_t address,
			struct hotspot_scope scopes[HOTSPOT_INLINED]);
/* What the interpreter does at an address; false: it does not say. */
bool hotspot_codelet(const struct hotspot_vm *vm,
		     const struct hotspot_code *code, uint64_t address,
		     char *text, size_t size);

/* A number of a compressed stream moves *at on; false: it is damaged. */
bool hotspot_number(const uint8_t *bytes, size_t size, size_t *at,
		    uint8_t excess, uint32_t *number);
