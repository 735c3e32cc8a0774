/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside ir/: what the passes share.  Nobody else includes this. */

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
bool ir_remove_dead(struct ir_program *program);

/* Elements of the interpreter's associative arrays (interp_array.c). */
uint8_t *ir_element_find(struct ir_world *world, uint32_t array,
			 const uint8_t *key, uint32_t size);
bool ir_element_delete(struct ir_world *world, uint32_t array,
		       const uint8_t *key, uint32_t size);
/* A new one, all 0; NULL: no room. */
uint8_t *ir_element_make(struct ir_world *world, uint32_t array,
			 const struct ir_array *shape, const uint8_t *key);
/* Remove those whose key starts with two words. */
void ir_element_sweep(struct ir_world *world, uint32_t array,
		      const uint64_t words[2]);
