/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Linking: functions of the run-time library (bpf/ at the top of the tree)
 * become subprograms of the programs that call them.
 *
 * tools/bpfembed.c made the table library_code[] when the binary was built.  A
 * program gets the functions it uses, directly or through others, after its own
 * instructions; their calls are patched by distance.
 */

#include <linux/bpf.h>
#include <stdint.h>

#include "ir/ir.h"

struct gen;

/* An instruction that names another function: a call, or its address. */
struct library_use {
	uint32_t insn;
	uint32_t function; /* index into library_code */
};

struct library_code {
	const char *name;
	const struct bpf_insn *insns;
	uint32_t count;
	const struct library_use *uses;
	uint32_t nuses;
	uint32_t stack; /* bytes of its own frame */
};

extern const struct library_code library_code[];
extern const uint32_t library_code_count;

/* Stack that a call of the function takes, all the way down. */
uint32_t link_stack(enum ir_function function);
/* Emit a call; arguments are in R1-R5. */
void link_call(struct gen *g, enum ir_function function);
/* Append what was called; after emit_finish(). */
void link_functions(struct gen *g);
