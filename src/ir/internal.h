/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside ir/: what the passes share.  Nothing else includes this. */

#include "ir/ir.h"

/* What an arithmetic instruction yields for operands x and y (interp.c). */
uint64_t ir_evaluate(const struct ir_insn *insn, uint64_t x, uint64_t y);
/* Is it arithmetic: CONST, MOVE ... EXTEND? */
static inline bool ir_is_arithmetic(enum ir_op op)
{
	return op >= IR_CONST && op <= IR_EXTEND;
}
/* ADD ... SGE: an op whose second operand is b or the immediate. */
static inline bool ir_is_binary(enum ir_op op)
{
	return (op >= IR_ADD && op <= IR_ASR) || (op >= IR_EQ && op <= IR_SGE);
}

/* Each pass says whether it changed something. */
bool ir_fold(struct ir_program *program);
bool ir_merge_common(struct ir_program *program);
bool ir_widen_words(struct ir_program *program);
bool ir_remove_dead(struct ir_program *program);

/* The first block before a loop, from `block` on; NULL: there is none. */
struct ir_block *ir_before_loop(struct ir_block *block);
/* Is there a loop in a function that is compiled once? */
bool ir_functions_loop(const struct ir_program *program);
/* Takes the loop after `before` out of the program; yields its last block. */
struct ir_block *ir_take_loop(struct ir_program *program,
			      struct ir_block *before);
/* By register: how many instructions define it, and the last of them. */
struct ir_definitions {
	uint32_t *count;
	struct ir_insn **last;
};
struct ir_definitions ir_find_definitions(const struct ir_program *program,
					  struct arena *arena);

/* Registers that are needed where a block starts (live.c), by its number. */
struct ir_live {
	struct ir_live_registers {
		ir_reg *regs; /* ascending */
		uint32_t count;
	} * at;
	uint64_t work; /* steps that it took, for tests */
};
struct ir_live *ir_find_live(const struct ir_program *program,
			     struct arena *arena);

/* Elements of the interpreter's associative arrays (interp_array.c). */
uint8_t *ir_element_find(struct ir_world *world, uint32_t array,
			 const uint8_t *key, uint32_t size);
bool ir_element_delete(struct ir_world *world, uint32_t array,
		       const uint8_t *key, uint32_t size);
/* A new one, zeroed; NULL: no room. */
uint8_t *ir_element_make(struct ir_world *world, uint32_t array,
			 const struct ir_array *shape, const uint8_t *key);
/* Remove those whose key starts with two words. */
void ir_element_sweep(struct ir_world *world, uint32_t array,
		      const uint64_t words[2]);
