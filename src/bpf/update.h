/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside bpf/: how the slots of an aggregation's entry change. */

#include "bpf/gen.h"

/*
 * Instructions cannot reach the values after a long key: how far R5 must be
 * moved before values are accessed.
 */
static inline uint32_t update_base(const struct ir_aggregation *agg)
{
	return agg->key_size > 16384 ? agg->key_size : 0;
}

/* The entry at R5 is new: sets its values to their identity.  Uses R0. */
void update_identity(struct gen *g, const struct ir_aggregation *agg);
/* One update of the entry at R5, which is preserved.  Uses all but R5. */
void update_values(struct gen *g, const struct ir_insn *insn,
		   const struct ir_aggregation *agg, label drop);
/* Can it jump to `drop`? */
bool update_may_fail(const struct ir_slots *slots);
