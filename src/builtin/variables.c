/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables about who, where and when.
 *
 * Most are one query (IR_QUERY_*), truncated and extended to the type the user
 * sees.  Passes merge repeated queries, so nothing is cached here, with one
 * exception that is part of the language: `timestamp` and `walltimestamp` are
 * the same for the whole firing of a clause.
 *
 * Names of the probe stay symbolic (VALUE_PROBE_NAME) until their bytes are
 * needed: a record already identifies its probe.
 */
#include "builtin/builtin.h"
#include "ir/lower.h"

static bool yield(struct value *result, const struct node *variable, ir_reg reg)
{
	*result = value_of_reg(variable->type, reg);
	return true;
}

/* Half of a 64-bit answer that holds two 32-bit numbers. */
static bool yield_half(struct lower *lower, const struct node *variable,
		       struct value *result, enum ir_query query, bool is_high)
{
	struct ir_builder *b = &lower->b;
	ir_reg both = ir_query(b, query);

	if (is_high)
		both = ir_binary_imm(b, IR_LSR, both, 32);
	return yield(result, variable,
		     ir_extend(b, both, 4,
			       type_is_signed(lower->types, variable->type)));
}

/* ------------------------------------------------------------------- who */

/* Numbers of the initial PID namespace. */
static bool lower_hostpid(struct lower *lower, const struct node *variable,
			  struct value *result)
{
	return yield_half(lower, variable, result, IR_QUERY_PID_TGID, true);
}

static bool lower_hosttid(struct lower *lower, const struct node *variable,
			  struct value *result)
{
	return yield_half(lower, variable, result, IR_QUERY_PID_TGID, false);
}

/* Numbers of the tracer's. */
static bool lower_pid(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	return lower->session->pids.level
		       ? yield(result, variable, lower_process_id(lower))
		       : lower_hostpid(lower, variable, result);
}

static bool lower_tid(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	return lower->session->pids.level
		       ? yield(result, variable, lower_thread_id(lower))
		       : lower_hosttid(lower, variable, result);
}

static bool lower_uid(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	return yield_half(lower, variable, result, IR_QUERY_UID_GID, false);
}

static bool lower_gid(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	return yield_half(lower, variable, result, IR_QUERY_UID_GID, true);
}

static bool lower_ppid(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	ir_reg task = ir_query(&lower->b, IR_QUERY_TASK_TYPED);
	ir_reg parent, pid;

	return load_member(lower, variable, task, "task_struct", "real_parent",
			   &parent) &&
	       load_process_id(lower, variable, parent, &pid) &&
	       yield(result, variable, pid);
}

static bool lower_curthread(struct lower *lower, const struct node *variable,
			    struct value *result)
{
	return yield(result, variable, ir_query(&lower->b, IR_QUERY_TASK));
}

static ir_reg lower_typed_curthread(struct lower *lower)
{
	return ir_query(&lower->b, IR_QUERY_TASK_TYPED);
}

enum { COMM_SIZE = 16 };

/* Where the kernel keeps the name of a task; 0: its types are not known. */
static uint32_t comm_offset(struct types *types)
{
	struct member comm;

	if (!types_kernel_member(types, "task_struct", "comm", &comm) ||
	    type_size(types, comm.type) != COMM_SIZE)
		return 0;
	return (uint32_t)(comm.bit_offset / 8);
}

/* A name of 15 bytes in a string that may be shorter. */
static bool yield_comm(struct lower *lower, struct ir_mem comm,
		       struct value *result)
{
	uint32_t limit = lower_string_capacity(lower);

	*result = value_of_string(lower, comm, COMM_SIZE);
	if (limit >= COMM_SIZE)
		return true;
	*result = lower_library_result(lower, limit);
	ir_string_take(&lower->b, result->mem, limit, comm, COMM_SIZE);
	return true;
}

/* Two loads take a fraction of the helper's time, for the same bytes. */
static bool lower_execname(struct lower *lower, const struct node *variable,
			   struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem mem = ir_object(b, COMM_SIZE,
				      variable->variable.ident->name);
	uint32_t offset = comm_offset(lower->types);

	if (!offset) {
		ir_emit(b, IR_COMM)->mem = mem;
		return yield_comm(lower, mem, result);
	}
	struct ir_mem name =
		ir_mem_from(IR_TYPED, ir_query(b, IR_QUERY_TASK_TYPED), offset);

	for (int64_t i = 0; i < COMM_SIZE; i += 8)
		ir_store(b, ir_mem_at(mem, i),
			 ir_load(b, ir_mem_at(name, i), 8, false), 8);
	return yield_comm(lower, mem, result);
}

const struct builtin_variable variable_curthread = {
	.name = "curthread",
	.type = "struct task_struct *",
	.attr = {STABILITY_STABLE, STABILITY_PRIVATE, CLASS_COMMON},
	.lower = lower_curthread,
	.lower_typed = lower_typed_curthread,
};
BUILTIN(execname, "string", .has_few_values = true, .capacity = COMM_SIZE,
	.lower = lower_execname);
BUILTIN(gid, "gid_t", .has_few_values = true, .lower = lower_gid);
BUILTIN(hostpid, "pid_t", .lower = lower_hostpid);
BUILTIN(hosttid, "id_t", .lower = lower_hosttid);
BUILTIN(pid, "pid_t", .lower = lower_pid);
BUILTIN(ppid, "pid_t", .lower = lower_ppid);
BUILTIN(threadname, "string", .since = 13, .capacity = COMM_SIZE,
	.lower = lower_execname);
BUILTIN(tid, "id_t", .lower = lower_tid);
BUILTIN(uid, "uid_t", .has_few_values = true, .lower = lower_uid);

/* ------------------------------------------------------------------ where */

static bool lower_probe_variable(struct lower *lower,
				 const struct node *variable,
				 struct value *result)
{
	const struct builtin_variable *builtin =
		variable->variable.ident->builtin;

	*result = lower_probe_name(lower,
				   (enum probe_name)(builtin->probe_name - 1));
	return true;
}

static bool lower_id(struct lower *lower, const struct node *variable,
		     struct value *result)
{
	return yield(result, variable,
		     ir_extend(&lower->b, lower->probe_id, 4, false));
}

/* Clauses of dtrace:::ERROR run for any program's probes: a range apart. */
enum { EPID_ERROR = 1 << 30 };

static bool lower_epid(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	struct ir_builder *b = &lower->b;
	const struct lower_group *group = lower->group;

	if (lower->in_error_clause)
		return yield(result, variable,
			     ir_const(b, EPID_ERROR + lower->clause->id));
	int64_t first = (int64_t)lower->first_epid + lower->place;

	if (group->nprobes <= 1 || !lower->probe_index)
		return yield(result, variable, ir_const(b, first));
	ir_reg row = ir_binary_imm(b, IR_MUL, lower->probe_index,
				   group->nclauses);

	return yield(result, variable, ir_binary_imm(b, IR_ADD, row, first));
}

static bool lower_cpu(struct lower *lower, const struct node *variable,
		      struct value *result)
{
	return yield(result, variable, ir_query(&lower->b, IR_QUERY_CPU));
}

static bool lower_errno(struct lower *lower, const struct node *variable,
			struct value *result)
{
	return yield(result, variable,
		     lower->group->error_number
			     ? lower->group->error_number(lower)
			     : ir_const(&lower->b, 0));
}

static bool lower_zero(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	return yield(result, variable, ir_const(&lower->b, 0));
}

BUILTIN(cpu, "processorid_t", .has_few_values = true, .lower = lower_cpu);
BUILTIN(epid, "uint_t", .has_few_values = true, .lower = lower_epid);
BUILTIN(errno, "int", .has_few_values = true, .lower = lower_errno);
BUILTIN(id, "uint_t", .has_few_values = true, .lower = lower_id);
BUILTIN(ipl, "uint_t", .has_few_values = true, .lower = lower_zero);
BUILTIN(probeprov, "string", .probe_name = 1 + PROBE_PROVIDER,
	.lower = lower_probe_variable);
BUILTIN(probemod, "string", .probe_name = 1 + PROBE_MODULE,
	.lower = lower_probe_variable);
BUILTIN(probefunc, "string", .probe_name = 1 + PROBE_FUNCTION,
	.lower = lower_probe_variable);
BUILTIN(probename, "string", .probe_name = 1 + PROBE_NAME,
	.lower = lower_probe_variable);
/* No thread here belongs to a queue of that kind. */
BUILTIN(dispatchqaddr, "uint64_t", .lower = lower_zero);

/* ------------------------------------------------------------------- when */

static bool lower_timestamp(struct lower *lower, const struct node *variable,
			    struct value *result)
{
	if (!lower->timestamp)
		lower->timestamp = ir_query(&lower->b, IR_QUERY_TIMESTAMP);
	return yield(result, variable, lower->timestamp);
}

static bool lower_walltimestamp(struct lower *lower,
				const struct node *variable,
				struct value *result)
{
	if (!lower->walltime)
		lower->walltime = ir_query(&lower->b, IR_QUERY_WALLTIME);
	return yield(result, variable, lower->walltime);
}

/* The clock that continues while the machine sleeps. */
static bool lower_boottime(struct lower *lower, const struct node *variable,
			   struct value *result)
{
	return yield(result, variable, ir_query(&lower->b, IR_QUERY_BOOTTIME));
}

/* The processor's counters fire probes; a program does not read them. */
static bool refuse_counter(struct lower *lower, const struct node *variable,
			   const char *what)
{
	return lower_fail(
		lower, variable,
		"%s: the processor's counter of %s is not read by probes; cpc:::%s-all-1000000 fires by it where the machine has one (dtrace -lP cpc)",
		variable->variable.ident->name, what, what);
}

static bool lower_cycles(struct lower *lower, const struct node *variable,
			 struct value *result)
{
	(void)result;
	return refuse_counter(lower, variable, "cycles");
}

static bool lower_instructions(struct lower *lower, const struct node *variable,
			       struct value *result)
{
	(void)result;
	return refuse_counter(lower, variable, "instructions");
}

BUILTIN(timestamp, "uint64_t", .lower = lower_timestamp, .clock = CLOCK_TIME);
BUILTIN(walltimestamp, "int64_t", .lower = lower_walltimestamp,
	.clock = CLOCK_WALLTIME);
BUILTIN(cpucycles, "uint64_t", .lower = lower_cycles);
BUILTIN(cpuinstrs, "uint64_t", .lower = lower_instructions);
BUILTIN(machctimestamp, "uint64_t", .lower = lower_boottime);
/* Ticks of one nanosecond. */
BUILTIN(machtimestamp, "uint64_t", .lower = lower_timestamp,
	.clock = CLOCK_TIME);
BUILTIN(vcycles, "uint64_t", .lower = lower_cycles);
BUILTIN(vinstrs, "uint64_t", .lower = lower_instructions);
