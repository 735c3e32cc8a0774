/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside bpf/: entries of aggregations beyond a CPU's table (chunk.c). */

#include "bpf/gen.h"

/* Bytes of stack that the function needs, with its callback. */
enum { CHUNK_STACK = 96 };

/* May keys of this aggregation go into chunks? */
bool chunk_is_for(const struct gen *g, const struct bpf_agg_table *table);
/*
 * R5 = an entry for the key whose tag is in R3, which is preserved.  R4 is not
 * 0 if it was just claimed and is BUSY.  Jumps to `none` if there is no room.
 * Uses all registers and temporaries but TEMP_B.
 */
void chunk_entry(struct gen *g, uint32_t aggregation,
		 const struct bpf_agg_table *table, label none);
/* Placed after the program: what chunk_entry() calls. */
void gen_chunk_function(struct gen *g);
