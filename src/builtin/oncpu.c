/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vtimestamp: how long this thread has been on a CPU.
 *
 * The kernel's own sum is only updated at clock ticks, so time is tracked here:
 * a program on the tracepoint sched_switch saves for each CPU when its current
 * thread got it, and adds the time of the leaving thread to that thread's sum.
 * vtimestamp is the sum plus the time since the last switch.  None of this
 * exists unless a clause uses vtimestamp.
 *
 * 1. A thread has a sum from its first vtimestamp on: switching never allocates
 *    memory.  Only differences are meaningful, and only between readings of one
 *    thread.
 * 2. The time of a switch is in D's globals, a word per CPU, after the user's
 *    variables; user space fills in the start of the run.  The sum is in the
 *    thread's record of self-> variables, with a word that says it is wanted.
 * 3. It is the sum at the clause's timestamp: between two probes no thread was
 *    on a CPU for longer than the time that has passed.  If a thread lost the
 *    CPU after that moment, its new sum is read again.
 */
#include <unistd.h>

#include "builtin/builtin.h"
#include "builtin/oncpu.h"
#include "ir/lower.h"

enum { WORD = 8 };

static uint32_t possible_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	return n > 0 ? (uint32_t)n : 1;
}

static void take_room(struct lower_session *session)
{
	if (session->oncpu.is_used)
		return;
	session->oncpu.is_used = true;
	session->oncpu.sum = round_up(session->self_size, WORD);
	session->self_size = session->oncpu.sum + 2 * WORD;
	session->oncpu.since = round_up(session->globals_size, WORD);
	session->oncpu.ncpus = possible_cpus();
	session->globals_size = session->oncpu.since +
				session->oncpu.ncpus * WORD;
}

static struct ir_mem since_of(struct ir_builder *b,
			      const struct lower_session *session)
{
	struct ir_mem mem = ir_mem_of(IR_GLOBAL, session->oncpu.since);

	mem.base = ir_binary_imm(b, IR_SHL, ir_query(b, IR_QUERY_CPU), 3);
	mem.bound = (session->oncpu.ncpus - 1) * WORD + 1;
	return mem;
}

static bool lower_vtimestamp(struct lower *lower, const struct node *variable,
			     struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct lower_session *session = lower->session;

	take_room(session);
	if (!lower->timestamp)
		lower->timestamp = ir_query(b, IR_QUERY_TIMESTAMP);

	struct ir_mem sum = ir_mem_of(IR_SELF, session->oncpu.sum);
	struct ir_block *same = ir_block_new(b, "no switch");
	struct ir_block *switched = ir_block_new(b, "switched");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg total = ir_reg_new(b->program);

	ir_store(b, ir_mem_at(sum, WORD), ir_const(b, 1), WORD);
	ir_move(b, total, ir_load(b, sum, WORD, false));

	ir_reg since = ir_load(b, since_of(b, session), WORD, false);

	ir_branch(b, ir_binary(b, IR_UGT, since, lower->timestamp), switched,
		  same);
	ir_enter(b, switched);
	ir_move(b, total, ir_load(b, sum, WORD, false));
	ir_goto(b, join);
	ir_enter(b, same);
	ir_move(b, total,
		ir_binary(b, IR_ADD, total,
			  ir_binary(b, IR_SUB, lower->timestamp, since)));
	ir_enter(b, join);
	*result = value_of_reg(variable->type, total);
	return true;
}

BUILTIN(vtimestamp, "uint64_t", .lower = lower_vtimestamp, .clock = CLOCK_TIME);

struct ir_program *oncpu_program(struct lower_session *session)
{
	struct ir_builder b = { .program = ir_new(session->arena) };
	struct ir_mem sum = ir_mem_of(IR_SELF, session->oncpu.sum);

	ir_enter(&b, ir_block_new(&b, "switch"));

	struct ir_block *wanted = ir_block_new(&b, "wanted");
	struct ir_block *done = ir_block_new(&b, "done");
	struct ir_mem since = since_of(&b, session);
	ir_reg before = ir_load(&b, since, WORD, false);
	ir_reg now = ir_query(&b, IR_QUERY_TIMESTAMP);

	ir_store(&b, since, now, WORD);
	ir_branch(&b, ir_load(&b, ir_mem_at(sum, WORD), WORD, false), wanted,
		  done);
	ir_enter(&b, wanted);
	ir_store(&b, sum,
		 ir_binary(&b, IR_ADD, ir_load(&b, sum, WORD, false),
			   ir_binary(&b, IR_SUB, now, before)),
		 WORD);
	ir_enter(&b, done);
	ir_return(&b);
	ir_optimize(b.program);
	return b.program;
}
