/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside bpf/: how the values of an aggregation's entry change. */

#include "bpf/gen.h"

/*
 * Instructions cannot reach the values behind a long key: that is how far R5
 * has to be moved before values are touched.
 */
static inline uint32_t update_base(const struct ir_aggregation *agg)
{
	return agg->key_size > 16384 ? agg->key_size : 0;
}

/* The entry at R5 is new: give its values their identity.  Uses R0. */
void update_identity(struct gen *g, const struct ir_aggregation *agg);
/* One update of the entry at R5, which is kept.  Uses all but R5. */
void update_values(struct gen *g, const struct ir_insn *insn,
		   const struct ir_aggregation *agg, label drop);
/* For maps.c: is a fresh value not 0? */
bool agg_identity(const struct ir_aggregation *agg, int64_t *identity);
