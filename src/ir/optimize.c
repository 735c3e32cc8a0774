/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes, in turn, until none finds anything.  Each feeds the next: a
 * folded branch leaves dead blocks, a dead block makes a register single, a
 * merged query is a copy to be folded.  Two or three rounds suffice; the limit
 * guards against a bug in a pass.
 */

#include "ir/internal.h"

enum { MOST_ROUNDS = 16 };

void ir_optimize(struct ir_program *program)
{
	bool changed = true;

	if (!program->blocks)
		return;
	for (unsigned i = 0; changed && i < MOST_ROUNDS; i++) {
		changed = ir_fold(program);
		changed |= ir_merge_common(program);
		changed |= ir_widen_words(program);
		changed |= ir_remove_dead(program);
	}
}
