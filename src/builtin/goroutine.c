/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goid: the number of the goroutine that the thread runs, as Go itself prints it;
 * 0 where there is none.
 *
 * User space knows which processes are Go programs and where they have the
 * number.  Its table is in D's globals, after the user's variables, and exists
 * only if a clause uses goid; bpf/goroutine.h says what is in it.
 */
#include <string.h>

#include "arch/arch.h"
#include "bpf/goroutine.h"
#include "builtin/builtin.h"
#include "ir/lower.h"

enum { WORD = 8 };

static struct ir_mem table(struct lower_session *session)
{
	if (!session->goroutines.is_used) {
		session->goroutines.is_used = true;
		session->goroutines.at = round_up(session->globals_size, WORD);
		session->globals_size = session->goroutines.at + GOROUTINE_SIZE;
	}
	return ir_mem_of(IR_GLOBAL, session->goroutines.at);
}

static bool load_memory(struct lower *lower, const struct node *variable,
			const char *name, ir_reg *reg)
{
	const struct member_name names[] = {
		{ "task_struct", "mm" }, { "mm_struct", name },
	};

	return load_chain(lower, variable, names, 2, reg);
}

static ir_reg mix(struct ir_builder *b, ir_reg sum, ir_reg word)
{
	ir_reg factor = ir_const(b, (int64_t)UNWIND_FACTOR);

	return ir_binary(b, IR_XOR, ir_binary(b, IR_MUL, sum, factor), word);
}

/* UNWIND_LAYOUT() of the process. */
static bool load_layout(struct lower *lower, const struct node *variable,
			ir_reg *layout)
{
	struct ir_builder *b = &lower->b;
	ir_reg start, end, stack;

	if (!load_memory(lower, variable, "start_code", &start) ||
	    !load_memory(lower, variable, "end_code", &end) ||
	    !load_memory(lower, variable, "start_stack", &stack))
		return false;
	ir_reg sum = mix(b, mix(b, mix(b, start, end), stack), ir_const(b, 0));

	*layout = ir_binary_imm(b, IR_OR, sum, 1);
	return true;
}

/* Of the current thread; its place in the kernel's structures is a path. */
static bool load_thread(struct lower *lower, const struct node *variable,
			ir_reg *thread)
{
	const char *path = ARCH_THREAD_POINTER, *dot = strchr(path, '.');
	struct member outer, inner;
	const char *name = arena_printf(lower->session->arena, "%.*s",
					(int)(dot - path), path);

	if (!find_member(lower, variable, "task_struct", name, &outer))
		return false;
	if (!type_member(lower->types, outer.type, dot + 1, &inner))
		return lower_fail(
			lower, variable,
			"the kernel's types do not say where a thread's pointer is");
	*thread = ir_load(
		&lower->b,
		ir_mem_from(IR_TYPED, ir_query(&lower->b, IR_QUERY_TASK_TYPED),
			    (int64_t)((outer.bit_offset + inner.bit_offset) /
				      8)),
		WORD, false);
	return true;
}

static bool lower_goid(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem mem = table(lower->session);
	ir_reg layout, thread = 0;

	if (!load_layout(lower, variable, &layout) ||
	    !load_thread(lower, variable, &thread))
		return false;
	*result = value_of_reg(variable->type,
			       ir_call(b, IR_CALL_READ, FUNCTION_goroutine, mem,
				       GOROUTINE_SIZE, mem, WORD, layout,
				       thread));
	return true;
}

BUILTIN(goid, "uint64_t", .lower = lower_goid);
