/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscall::NAME:entry and return.
 *
 * All entries together are one program on the raw tracepoint sys_enter, all
 * returns one on sys_exit.  The kernel's price is the slow syscall path, and
 * every system call of the machine pays it as soon as one is traced; what the
 * program adds for those that nobody wants is a table look-up.  Where clauses
 * differ by probe there are several programs, with one in front of them that
 * finds the right one (bpf/dispatch.c).
 *
 * 1. A probe's id follows from the number of its system call: two per number.
 * 2. The number comes with sys_enter; at sys_exit it is orig_ax of the saved
 *    registers.  Arguments are in the same registers (r10 is the fourth).
 * 3. 32-bit programs count their system calls differently and are not ours.
 * 4. exit, exit_group and rt_sigreturn have no return probe: they never get
 *    there (the last returns to what the signal interrupted).
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "bpf/abi.h"
#include "btf/type.h"
#include "provider/provider.h"

enum direction { ENTRY, RETURN };

enum { THREAD_IS_COMPAT = 2 };	/* TS_COMPAT in thread_info.status */

static const char *const directions[] = { "entry", "return" };

static const char *const never_return[] = {
	"exit", "exit_group", "rt_sigreturn",
};

static const uint32_t argument_registers[] = {
	REGS_RDI, REGS_RSI, REGS_RDX, REGS_R10, REGS_R8, REGS_R9,
};

/* probe->number is number << 1 | direction: also the place in the id range. */
static uint32_t syscall_number(const struct probe *probe)
{
	return (uint32_t)(probe->number >> 1);
}

static uint32_t syscall_direction(const struct probe *probe)
{
	return probe->number & 1;
}

static uint32_t syscall_id(const struct probe *probe)
{
	return (uint32_t)probe->number;
}

/* -------------------------------------------------------------- listing */

static struct syscall_types *types_of(struct probe_registry *registry)
{
	void **state = registry_state(registry, &syscall_provider);

	if (!*state)
		*state = syscall_types_new(registry_arena(registry));
	return *state;
}

static void forget(void *state)
{
	syscall_types_free(state);
}

static bool can_return(const char *name)
{
	for (size_t i = 0; i < sizeof(never_return) / sizeof(char *); i++) {
		if (!strcmp(never_return[i], name))
			return false;
	}
	return true;
}

static void announce(struct probe_registry *registry,
		     const struct probe_desc *desc,
		     const struct syscall_name *syscall)
{
	if (syscall->number >= SYSCALL_LIMIT)
		return;
	if (desc && !glob_match(desc->function, syscall->name))
		return;
	if (!syscall_exists(registry, types_of(registry), syscall->name))
		return;
	for (uint32_t d = ENTRY; d <= RETURN; d++) {
		if (d == RETURN && !can_return(syscall->name))
			continue;
		if (desc && !glob_match(desc->name, directions[d]))
			continue;
		registry_add(registry, &syscall_provider, "syscall", "vmlinux",
			     syscall->name, directions[d],
			     (uint64_t)syscall->number << 1 | d);
	}
}

static int syscall_list(struct probe_registry *registry,
			const struct probe_desc *desc, const char **error)
{
	(void)error;
	if (desc && (!glob_match(desc->provider, "syscall") ||
		     !glob_match(desc->module, "vmlinux") ||
		     (!glob_match(desc->name, directions[ENTRY]) &&
		      !glob_match(desc->name, directions[RETURN]))))
		return 0;
	if (!desc || !*desc->function || !glob_is_plain(desc->function))
		syscall_types_read_names(registry, types_of(registry));
	for (const struct syscall_name *s = syscall_names; s->name; s++)
		announce(registry, desc, s);
	for (const struct syscall_name *s = syscall_later_names; s->name; s++)
		announce(registry, desc, s);
	return 0;
}

static int syscall_argument(struct probe_registry *registry,
			    const struct probe *probe, uint32_t n,
			    const char **native, const char **translated)
{
	int result = 1;

	if (syscall_direction(probe) == ENTRY)
		result = syscall_argument_type(registry, types_of(registry),
					       probe->function, n, native);
	else if (n < 2)
		*native = "long";
	else
		result = 0;
	*translated = *native;
	return result;
}

/* ------------------------------------------------------------- programs */

/* Where thread_info.status is in the task; 0 when that cannot be known. */
static uint32_t status_offset(struct types *types)
{
	struct member info, status;

	if (!types_kernel_member(types, "task_struct", "thread_info", &info) ||
	    !type_member(types, info.type, "status", &status))
		return 0;
	return (uint32_t)((info.bit_offset + status.bit_offset) / 8);
}

/* Kernels that cannot run 32-bit programs need no test for them. */
static bool runs_32_bit_programs(void)
{
	return !access("/proc/sys/abi/vsyscall32", F_OK);
}

static void leave_if(struct lower *lower, ir_reg condition,
		     struct ir_block *leave)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *stay = ir_block_new(b, "wanted");

	ir_branch(b, condition, leave, stay);
	ir_enter(b, stay);
}

static void leave_if_compat(struct lower *lower, struct ir_block *leave)
{
	struct ir_builder *b = &lower->b;
	uint32_t offset = runs_32_bit_programs() ? status_offset(lower->types)
						 : 0;

	if (!offset)
		return;
	struct ir_mem mem = {
		.space = IR_TYPED,
		.base = ir_query(b, IR_QUERY_TASK_TYPED),
		.offset = offset,
	};
	ir_reg status = ir_load(b, mem, 4, false);

	leave_if(lower, ir_binary_imm(b, IR_AND, status, THREAD_IS_COMPAT),
		 leave);
}

static ir_reg user_register(struct lower *lower, uint32_t offset)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem mem = {
		.space = IR_TYPED,
		.base = ir_query(b, IR_QUERY_USER_REGS),
		.offset = offset,
	};

	return ir_load(b, mem, 8, false);
}

/* provider_data: for each number the index of its probe in the group + 1. */
static ir_reg look_up(struct lower *lower, ir_reg number,
		      struct ir_block *leave)
{
	struct ir_builder *b = &lower->b;
	const uint16_t *table = lower->group->provider_data;
	uint32_t size = SYSCALL_LIMIT * sizeof(*table);

	leave_if(lower, ir_binary_imm(b, IR_UGE, number, SYSCALL_LIMIT), leave);
	struct ir_mem mem = ir_rodata(b->program, table, size, sizeof(*table));

	mem.base = ir_binary_imm(b, IR_SHL, number, 1);
	mem.bound = size - 1;
	ir_reg index = ir_load(b, mem, sizeof(*table), false);

	leave_if(lower, ir_binary_imm(b, IR_EQ, index, 0), leave);
	return ir_binary_imm(b, IR_SUB, index, 1);
}

/* One probe needs no table: its number is a constant of the program. */
static uint32_t only_number(const struct lower_group *group)
{
	const uint16_t *table = group->provider_data;

	for (uint32_t number = 0; number < SYSCALL_LIMIT; number++) {
		if (table[number])
			return number;
	}
	return 0;
}

static ir_reg select_number(struct lower *lower, ir_reg number)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *leave = ir_block_new(b, "not wanted");
	struct ir_block *go_on;
	ir_reg index;

	if (lower->group->nprobes == 1) {
		leave_if(lower,
			 ir_binary_imm(b, IR_NE, number,
				       only_number(lower->group)),
			 leave);
		index = ir_const(b, 0);
	} else {
		index = look_up(lower, number, leave);
	}
	leave_if_compat(lower, leave);
	go_on = ir_block_new(b, "syscall");
	ir_goto(b, go_on);
	ir_enter(b, leave);
	ir_return(b);
	ir_enter(b, go_on);
	return index;
}

/* sys_enter passes (regs, number), sys_exit passes (regs, result). */
static ir_reg select_entry(struct lower *lower)
{
	return select_number(lower, context_word(lower, 8));
}

static ir_reg select_return(struct lower *lower)
{
	return select_number(lower, user_register(lower, REGS_ORIG_RAX));
}

static ir_reg argument_of_entry(struct lower *lower, uint32_t n)
{
	if (n >= sizeof(argument_registers) / sizeof(argument_registers[0]))
		return ir_const(&lower->b, 0);
	return user_register(lower, argument_registers[n]);
}

static ir_reg argument_of_return(struct lower *lower, uint32_t n)
{
	return n < 2 ? context_word(lower, 8) : ir_const(&lower->b, 0);
}

/* A result of -4095 to -1 is an error number with the sign turned. */
static ir_reg error_of_return(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	ir_reg result = context_word(lower, 8);
	ir_reg is_error = ir_binary_imm(b, IR_UGT, result, -4096);

	return ir_binary(b, IR_AND, ir_unary(b, IR_NEG, result),
			 ir_unary(b, IR_NEG, is_error));
}

static int syscall_context(struct arena *arena, struct probe_group *group)
{
	uint16_t *table = arena_array_of(arena, uint16_t, SYSCALL_LIMIT);
	bool is_entry = syscall_direction(group->probes[0]) == ENTRY;

	for (uint32_t i = 0; i < group->nprobes; i++)
		table[syscall_number(group->probes[i])] = (uint16_t)(i + 1);
	group->provider_data = table;
	group->lower.provider_data = table;
	group->lower.phase = PHASE_ACTIVE;
	group->lower.hidden_frames = 2;	/* program, bpf_trace_run2() */
	group->lower.tracepoint = is_entry ? "sys_enter" : "sys_exit";
	group->lower.select = is_entry ? select_entry : select_return;
	group->lower.argument = is_entry ? argument_of_entry
					 : argument_of_return;
	group->lower.error_number = is_entry ? NULL : error_of_return;
	return 0;
}

/* --------------------------------------------------------------- attach */

static bool is_alike(const struct probe_group *a, const struct probe_group *b)
{
	return a->provider == b->provider &&
	       syscall_direction(a->probes[0]) == syscall_direction(b->probes[0]);
}

/* Groups of the same direction as `group`; *first: the first of them. */
static uint32_t count_alike(const struct attach_context *context,
			    const struct probe_group *group,
			    const struct probe_group **first)
{
	uint32_t count = 0;

	for (uint32_t i = context->ngroups; i-- > 0;) {
		const struct probe_group *other = context->groups[i];

		if (!is_alike(other, group))
			continue;
		*first = other;
		count++;
	}
	return count;
}

/* Every group's program into the table, at the numbers of its probes. */
static int fill_table(const struct attach_context *context,
		      const struct probe_group *group, int table)
{
	for (uint32_t i = 0; i < context->ngroups; i++) {
		const struct probe_group *other = context->groups[i];

		if (!is_alike(other, group))
			continue;
		for (uint32_t n = 0; n < other->nprobes; n++) {
			int err = bpf_parts_set(table,
						syscall_number(other->probes[n]),
						other->program);

			if (err)
				return err;
		}
	}
	return 0;
}

/* A program in front of all groups of this direction: its descriptor. */
static int make_dispatcher(const struct attach_context *context,
			   struct probe_group *group)
{
	bool is_entry = syscall_direction(group->probes[0]) == ENTRY;
	int table = bpf_parts_create(SYSCALL_LIMIT);

	if (table < 0)
		return table;
	attachment_add(attachment_of(group), table);
	int err = fill_table(context, group, table);

	if (err)
		return err;
	int program = bpf_dispatcher_load(table, is_entry ? 1 : 0,
					  is_entry ? -1 : REGS_ORIG_RAX);

	if (program >= 0)
		attachment_add(attachment_of(group), program);
	return program;
}

/* One group is attached itself; of several, the first attaches for all. */
static int syscall_attach(struct attach_context *context,
			  struct probe_group *group)
{
	const char *tracepoint = group->lower.tracepoint;
	const struct probe_group *first = group;
	int program = context->program_fd;

	if (count_alike(context, group, &first) > 1) {
		if (first != group)
			return 0;
		program = make_dispatcher(context, group);
	}
	int fd = program < 0 ? program
			     : link_raw_tracepoint(program, tracepoint);

	if (fd >= 0) {
		attachment_add(attachment_of(group), fd);
		return 0;
	}
	attachment_close(group);
	context->error = fd == -ENOENT
		? "cannot trace system calls: this kernel has no syscall tracepoints (CONFIG_HAVE_SYSCALL_TRACEPOINTS)"
		: arena_printf(context->arena,
			       "cannot attach to the tracepoint %s: %s",
			       tracepoint, strerror(-fd));
	return fd;
}

const struct provider syscall_provider = {
	.name = "syscall",
	.about = "entry to and return from system calls",
	.attrs = {
		.provider = STABILITY(EVOLVING, CLASS_COMMON),
		.module = STABILITY(PRIVATE, CLASS_UNKNOWN),
		.function = STABILITY(UNSTABLE, CLASS_ISA),
		.name = STABILITY(EVOLVING, CLASS_ISA),
		.args = STABILITY(UNSTABLE, CLASS_ISA),
	},
	.program_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.list = syscall_list,
	.argument = syscall_argument,
	.has_user_pointers = true,
	.shape = syscall_direction,
	.context = syscall_context,
	.attach = syscall_attach,
	.detach = attachment_close,
	.nids = 2 * SYSCALL_LIMIT,
	.fixed_id = syscall_id,
	.forget = forget,
};
