/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of processes and threads.
 *
 * A process has a number in its own PID namespace and in each one around it.
 * Programs see the numbers of the tracer's namespace: those that ps(1) shows
 * there and that -p and $target use.  A process outside that namespace has no
 * number there and is 0, as in the kernel.
 *
 * 1. In the initial namespace that is what one helper returns.
 * 2. In another one, struct pid says it: its numbers[] has a row for each
 *    level, and the row of our level is ours if it names our namespace.
 *    Processes of other namespaces may have as many levels, or fewer.
 * 3. Reading that never faults; a thread that has lost its number already
 *    (it was waited for) is 0.
 */
#include "ir/lower_internal.h"

static ir_reg load_typed(struct lower *lower, ir_reg base, uint32_t offset,
			 unsigned size)
{
	return ir_load(&lower->b, ir_mem_from(IR_TYPED, base, offset), size,
		       false);
}

static ir_reg read_at(struct lower *lower, ir_reg address, uint32_t offset,
		      unsigned size)
{
	struct ir_builder *b = &lower->b;

	return ir_read_scalar(b, IR_KERNEL,
			      ir_binary_imm(b, IR_ADD, address, offset), size,
			      false);
}

/* `row` is the address of numbers[level of our namespace], if level says so. */
static ir_reg number_in(struct lower *lower, ir_reg level, ir_reg row,
			struct ir_block *none, struct ir_block *join)
{
	const struct lower_pids *pids = &lower->session->pids;
	struct ir_builder *b = &lower->b;
	struct ir_block *deep = ir_block_new(b, "deep enough");
	struct ir_block *ours = ir_block_new(b, "our namespace");
	ir_reg answer = ir_reg_new(b->program);

	ir_branch(b, ir_binary_imm(b, IR_ULT, level, pids->level), none, deep);
	ir_enter(b, deep);
	ir_reg space = read_at(lower, row, pids->namespace_at, 8);
	ir_reg inode = read_at(lower, space, pids->inode_at, 4);

	ir_branch(b, ir_binary_imm(b, IR_EQ, inode, pids->inode), ours, none);
	ir_enter(b, ours);
	ir_move(b, answer, read_at(lower, row, pids->number_at, 4));
	ir_goto(b, join);
	ir_enter(b, none);
	ir_move(b, answer, ir_const(b, 0));
	ir_enter(b, join);
	return answer;
}

static uint32_t row_offset(const struct lower_pids *pids)
{
	return pids->numbers_at + pids->level * pids->row_size;
}

ir_reg lower_pid_number(struct lower *lower, ir_reg pid)
{
	const struct lower_pids *pids = &lower->session->pids;
	struct ir_builder *b = &lower->b;
	struct ir_block *none = ir_block_new(b, "no number");
	struct ir_block *join = ir_block_new(b, "number");
	struct ir_block *fault = b->fault;

	b->fault = none;
	ir_reg answer = number_in(lower, read_at(lower, pid, pids->level_at, 4),
				  ir_binary_imm(b, IR_ADD, pid,
						row_offset(pids)),
				  none, join);

	b->fault = fault;
	return answer;
}

/* The same for a task that typed loads may follow, which are cheaper. */
ir_reg lower_task_number(struct lower *lower, ir_reg task, bool is_process)
{
	const struct lower_pids *pids = &lower->session->pids;
	struct ir_builder *b = &lower->b;
	struct ir_block *none = ir_block_new(b, "no number");
	struct ir_block *join = ir_block_new(b, "number");
	struct ir_block *fault = b->fault;

	if (is_process)
		task = load_typed(lower, task, pids->leader_at, 8);
	ir_reg pid = load_typed(lower, task, pids->pid_at, 8);
	ir_reg level = load_typed(lower, pid, pids->level_at, 4);
	ir_reg row = ir_address(b,
				ir_mem_from(IR_TYPED, pid, row_offset(pids)));

	b->fault = none;
	ir_reg answer = number_in(lower, level, row, none, join);

	b->fault = fault;
	return answer;
}

ir_reg lower_process_id(struct lower *lower)
{
	struct ir_builder *b = &lower->b;

	if (lower->session->pids.level)
		return lower_task_number(lower,
					 ir_query(b, IR_QUERY_TASK_TYPED),
					 true);
	return ir_binary_imm(b, IR_LSR, ir_query(b, IR_QUERY_PID_TGID), 32);
}

ir_reg lower_thread_id(struct lower *lower)
{
	struct ir_builder *b = &lower->b;

	if (lower->session->pids.level)
		return lower_task_number(lower,
					 ir_query(b, IR_QUERY_TASK_TYPED),
					 false);
	return ir_extend(b, ir_query(b, IR_QUERY_PID_TGID), 4, true);
}
