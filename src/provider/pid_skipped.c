/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x uretprobe: returns that the kernel will not see.
 *
 * The kernel remembers 64 return addresses of a thread.  The return of a
 * function that is entered below those is left out, silently.  So each such
 * probe has a second program, at the entry, that looks how many there are and
 * counts what will be missing; the consumer reports it as drops.
 */
#include <stddef.h>

#include "ir/abi.h"
#include "provider/pid.h"

enum { DEPTH_MOST = 64 };

static bool offset_of(struct lower *lower, const char *type, const char *name,
		      int64_t *offset)
{
	struct member member;

	if (!types_kernel_member(lower->types, type, name, &member))
		return false;
	*offset = (int64_t)(member.bit_offset / 8);
	return true;
}

/* Counts, and never fires. */
static ir_reg count_skipped(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	int64_t utask, depth;

	if (offset_of(lower, "task_struct", "utask", &utask) &&
	    offset_of(lower, "uprobe_task", "depth", &depth)) {
		struct ir_block *full = ir_block_new(b, "no room");
		struct ir_block *done = ir_block_new(b, "done");
		ir_reg at = ir_load(
			b,
			ir_mem_from(IR_TYPED, ir_query(b, IR_QUERY_TASK_TYPED),
				    utask),
			8, false);
		ir_reg now = ir_read_scalar(b, IR_KERNEL,
					    ir_binary_imm(b, IR_ADD, at, depth),
					    4, false);

		ir_branch(b, ir_binary_imm(b, IR_UGE, now, DEPTH_MOST), full,
			  done);
		ir_enter(b, full);
		ir_atomic_add(b,
			      ir_mem_of(IR_STATE, offsetof(struct abi_state,
							   return_drops)),
			      ir_const(b, 1), 8);
		ir_enter(b, done);
	}
	ir_return(b);
	ir_enter(b, ir_block_new(b, "never"));
	return ir_const(b, 0);
}

void pid_skipped_context(struct probe_group *group)
{
	group->lower.select = count_skipped;
}
