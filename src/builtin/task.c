/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel's own structures say about the current thread: command line,
 * ancestors, name spaces, control group.
 *
 * Members are found in the kernel's types by name when the program is
 * compiled.  Pointers from the current task on are followed by typed loads,
 * which read 0 when one of them is NULL.
 */
#include <string.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "ir/lower.h"

static bool yield(struct value *result, const struct node *node, ir_reg reg)
{
	*result = value_of_reg(node->type, reg);
	return true;
}

bool find_member(struct lower *lower, const struct node *node, const char *tag,
		 const char *name, struct member *member)
{
	/* not a structure of that name that the script defines */
	if (types_kernel_member(lower->types, tag, name, member))
		return true;
	return lower_fail(lower, node,
			  "the kernel's types have no struct %s member %s", tag,
			  name);
}

bool load_member(struct lower *lower, const struct node *node, ir_reg base,
		 const char *tag, const char *name, ir_reg *reg)
{
	struct member member;

	if (!find_member(lower, node, tag, name, &member))
		return false;
	*reg = ir_load(&lower->b,
		       ir_mem_from(IR_TYPED, base,
				   (int64_t)(member.bit_offset / 8)),
		       (unsigned)type_size(lower->types, member.type),
		       type_is_signed(lower->types, member.type));
	return true;
}

/* The last of a chain of members, each a pointer to the next one's struct. */
bool load_chain(struct lower *lower, const struct node *node,
		const struct member_name *names, size_t count, ir_reg *reg)
{
	*reg = ir_query(&lower->b, IR_QUERY_TASK_TYPED);
	for (size_t i = 0; i < count; i++)
		if (!load_member(lower, node, *reg, names[i].tag,
				 names[i].member, reg))
			return false;
	return true;
}

bool load_process_id(struct lower *lower, const struct node *node, ir_reg task,
		     ir_reg *reg)
{
	if (!lower->session->pids.level)
		return load_member(lower, node, task, "task_struct", "tgid",
				   reg);
	*reg = lower_task_number(lower, task, true);
	return true;
}

/* ---------------------------------------------------------- command line */

enum { COMM_SIZE = 16 };

/*
 * What is in the process's memory, if it can be read (kernel threads have
 * none), else the name that the kernel keeps.  While exec builds the stack, the
 * end of the arguments is not set yet: the environment follows them, and it is
 * private.
 */
static bool lower_execargs(struct lower *lower, const struct node *variable,
			   struct value *result)
{
	static const struct member_name start_of[] = {
		{ "task_struct", "mm" }, { "mm_struct", "arg_start" },
	};
	static const struct member_name end_of[] = {
		{ "task_struct", "mm" }, { "mm_struct", "arg_end" },
	};
	struct ir_builder *b = &lower->b;
	uint32_t capacity = lower_string_capacity(lower);
	struct ir_mem to = ir_object(b, round_up(capacity, 8), "execargs");
	struct ir_mem comm = ir_object(b, COMM_SIZE, "execname");
	struct ir_block *none = ir_block_new(b, "no arguments");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg start, end;

	if (!load_chain(lower, variable, start_of, 2, &start) ||
	    !load_chain(lower, variable, end_of, 2, &end))
		return false;
	/* without the NUL after the last one */
	ir_reg length = ir_binary_imm(b, IR_SUB,
				      ir_binary(b, IR_SUB, end, start), 1);
	ir_reg is_set = ir_binary(b, IR_ULT, start, end);
	/* nothing can be read at 0 */
	ir_reg from = ir_binary(b, IR_AND, start, ir_unary(b, IR_NEG, is_set));
	ir_reg count = ir_read_args(b, to, capacity, from, length);

	ir_branch(b, count, join, none);
	ir_enter(b, none);
	ir_emit(b, IR_COMM)->mem = comm;
	ir_string_copy(b, to, capacity, comm, COMM_SIZE);
	ir_enter(b, join);
	*result = value_of_string(lower, to, capacity);
	return true;
}

BUILTIN(execargs, "string", .lower = lower_execargs);

/* ------------------------------------------------------------- ancestors */

/* Deeper trees of processes exist on no machine that is well. */
enum { GENERATIONS = 32 };

static bool lower_progenyof(struct lower *lower, const struct node *call,
			    struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *found = ir_block_new(b, "progeny");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg wanted, id, answer = ir_reg_new(b->program);
	ir_reg task = ir_query(b, IR_QUERY_TASK_TYPED);

	if (!lower_scalar(lower, call_argument(call, 0), &wanted))
		return false;
	for (unsigned i = 0; i < GENERATIONS; i++) {
		struct ir_block *next = ir_block_new(b, "parent");

		if (!load_process_id(lower, call, task, &id))
			return false;
		ir_branch(b, ir_binary(b, IR_EQ, id, wanted), found, next);
		ir_enter(b, next);
		if (!load_member(lower, call, task, "task_struct",
				 "real_parent", &task))
			return false;
	}
	ir_move(b, answer, ir_const(b, 0));
	ir_goto(b, join);
	ir_enter(b, found);
	ir_move(b, answer, ir_const(b, 1));
	ir_enter(b, join);
	return yield(result, call, answer);
}

SUBROUTINE(progenyof, "int (pid_t)", .lower = lower_progenyof);

/* ---------------------------------------------------------------- memory */

/*
 * For pr_rssize: pages of a task that are in memory.  Kernels before 6.2 keep
 * plain counters; later ones keep a part on each CPU, so that theirs, read
 * alone, is a little old.
 */
static bool lower_rss_pages(struct lower *lower, const struct node *call,
			    struct value *result)
{
	static const int64_t kinds[] = { 0, 1, 3 }; /* file, anon, shmem */
	struct ir_builder *b = &lower->b;
	struct ir_block *has_memory = ir_block_new(b, "memory");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg task, sum = ir_reg_new(b->program);
	struct member mm, counters, count = { 0 };
	int64_t stride = 8;

	if (!lower_scalar(lower, call_argument(call, 0), &task) ||
	    !find_member(lower, call, "task_struct", "mm", &mm) ||
	    !find_member(lower, call, "mm_struct", "rss_stat", &counters))
		return false;
	struct type *type = type_strip(lower->types, counters.type);

	if (type->kind == TYPE_ARRAY) {
		if (!find_member(lower, call, "percpu_counter", "count",
				 &count))
			return false;
		stride = (int64_t)type_size(lower->types, type->target);
	}
	ir_reg memory = ir_read_scalar(
		b, IR_KERNEL,
		ir_binary_imm(b, IR_ADD, task, (int64_t)(mm.bit_offset / 8)), 8,
		false);

	ir_move(b, sum, ir_const(b, 0));
	ir_branch(b, memory, has_memory, join);
	ir_enter(b, has_memory);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int64_t at = (int64_t)(counters.bit_offset / 8 +
				       count.bit_offset / 8) +
			     kinds[i] * stride;
		ir_reg pages = ir_read_scalar(b, IR_KERNEL,
					      ir_binary_imm(b, IR_ADD, memory,
							    at),
					      8, false);

		ir_move(b, sum, ir_binary(b, IR_ADD, sum, pages));
	}
	ir_enter(b, join);
	return yield(result, call, sum);
}

SUBROUTINE(_rss_pages, "uint64_t (struct task_struct *)",
	   .lower = lower_rss_pages);

/* For pr_pctmem: the pages that this machine has, when it is compiled. */
static bool lower_memory_pages(struct lower *lower, const struct node *call,
			       struct value *result)
{
	long pages = sysconf(_SC_PHYS_PAGES);

	return yield(result, call, ir_const(&lower->b, pages > 0 ? pages : 1));
}

SUBROUTINE(_memory_pages, "uint64_t ()", .lower = lower_memory_pages);

/* ----------------------------------------------------------- name spaces */

/* For psinfo_t: where numbers of tasks are not simply those that they hold. */
static bool lower_pid_level(struct lower *lower, const struct node *call,
			    struct value *result)
{
	return yield(result, call,
		     ir_const(&lower->b, lower->session->pids.level));
}

static bool lower_pid_of(struct lower *lower, const struct node *call,
			 struct value *result)
{
	ir_reg pid;

	if (!lower_scalar(lower, call_argument(call, 0), &pid))
		return false;
	return yield(result, call,
		     lower->session->pids.level ? lower_pid_number(lower, pid)
						: ir_const(&lower->b, 0));
}

SUBROUTINE(_pid_level, "int ()", .lower = lower_pid_level);
SUBROUTINE(_pid_number, "pid_t (struct pid *)", .lower = lower_pid_of);

/* The number of a task as its own pid name space knows it: the innermost. */
static bool lower_number(struct lower *lower, const struct node *variable,
			 struct value *result, bool is_process)
{
	struct ir_builder *b = &lower->b;
	ir_reg task = ir_query(b, IR_QUERY_TASK_TYPED), pid, level;
	struct member numbers, number;

	if ((is_process && !load_member(lower, variable, task, "task_struct",
					"group_leader", &task)) ||
	    !load_member(lower, variable, task, "task_struct", "thread_pid",
			 &pid) ||
	    !load_member(lower, variable, pid, "pid", "level", &level) ||
	    !find_member(lower, variable, "pid", "numbers", &numbers) ||
	    !find_member(lower, variable, "upid", "nr", &number))
		return false;
	struct type *upid = types_lookup(lower->types, "vmlinux", TAG_STRUCT,
					 STR("upid"));
	ir_reg at = ir_address(b,
			       ir_mem_from(IR_TYPED, pid,
					   (int64_t)(numbers.bit_offset / 8 +
						     number.bit_offset / 8)));
	ir_reg into = ir_binary_imm(b, IR_MUL, level,
				    (int64_t)type_size(lower->types, upid));

	return yield(result, variable,
		     ir_read_scalar(b, IR_KERNEL,
				    ir_binary(b, IR_ADD, at, into), 4, true));
}

static bool lower_nspid(struct lower *lower, const struct node *variable,
			struct value *result)
{
	return lower_number(lower, variable, result, true);
}

static bool lower_nstid(struct lower *lower, const struct node *variable,
			struct value *result)
{
	return lower_number(lower, variable, result, false);
}

BUILTIN(nspid, "pid_t", .lower = lower_nspid);
BUILTIN(nstid, "id_t", .lower = lower_nstid);

/* --------------------------------------------------------- control group */

static const struct member_name group_node[] = {
	{ "task_struct", "cgroups" }, { "css_set", "dfl_cgrp" },
	{ "cgroup", "kn" },
};

static bool lower_cgroupid(struct lower *lower, const struct node *variable,
			   struct value *result)
{
	ir_reg node, id;

	return load_chain(lower, variable, group_node, 3, &node) &&
	       load_member(lower, variable, node, "kernfs_node", "id", &id) &&
	       yield(result, variable, id);
}

static bool lower_cgroupname(struct lower *lower, const struct node *variable,
			     struct value *result)
{
	uint32_t capacity = lower_string_capacity(lower);
	struct ir_mem to = ir_object(&lower->b, round_up(capacity, 8),
				     "cgroupname");
	ir_reg node, name;

	if (!load_chain(lower, variable, group_node, 3, &node) ||
	    !load_member(lower, variable, node, "kernfs_node", "name", &name))
		return false;
	ir_read_string(&lower->b, to, IR_KERNEL, name, capacity);
	*result = value_of_string(lower, to, capacity);
	return true;
}

BUILTIN(cgroupid, "uint64_t", .lower = lower_cgroupid);
BUILTIN(cgroupname, "string", .lower = lower_cgroupname);

/* ------------------------------------------------------------------ zones */

/* There are no zones and jails: everything is in the outermost. */
static bool yield_text(struct lower *lower, struct value *result,
		       const char *text)
{
	*result = value_of_literal(lower, text, strlen(text));
	return true;
}

static bool lower_zonename(struct lower *lower, const struct node *variable,
			   struct value *result)
{
	(void)variable;
	return yield_text(lower, result, "global");
}

static bool lower_jailname(struct lower *lower, const struct node *variable,
			   struct value *result)
{
	(void)variable;
	return yield_text(lower, result, "0");
}

static bool lower_jid(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	return yield(result, variable, ir_const(&lower->b, 0));
}

BUILTIN(jailname, "string", .lower = lower_jailname);
BUILTIN(jid, "int", .lower = lower_jid);
BUILTIN(zonename, "string", .lower = lower_zonename);
