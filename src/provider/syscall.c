/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscall::NAME:entry and return.
 *
 * All entries together are one program on the raw tracepoint sys_enter, all
 * returns one on sys_exit.  The cost in the kernel is the slow syscall path: as
 * soon as one system call is traced, every system call on the machine takes it.
 * For those that are not traced the program adds a table look-up.  Where
 * clauses differ by probe there are several programs, with one before them that
 * finds the right one (bpf/dispatch.c).
 *
 * 1. A probe's id follows from the number of its system call: two per number.
 * 2. The number comes with sys_enter; at sys_exit it is among the saved
 *    registers, where the arguments are (arch.h: ARCH_SYSCALL_NUMBER).
 * 3. 32-bit programs number their system calls differently and pass arguments
 *    in other registers.  The thread is marked while it is in the call
 *    (arch_compat).  A call that both kinds have is one probe; one that only
 *    32-bit programs have (mmap2, socketcall) is a separate probe, numbered
 *    after the others.
 * 4. A failed call returns -1 and has errno, as the program sees it; the
 *    kernel's own number is in the register (ARCH_RESULT).
 * 5. exit, exit_group and rt_sigreturn have no return probe: they never get
 *    there (the last returns to what the signal interrupted).
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "btf/type.h"
#include "ir/abi.h"
#include "provider/provider.h"

enum direction { ENTRY, RETURN };

static const char *const directions[] = { "entry", "return" };

static const char *const never_return[] = {
	"exit", "exit_group", "rt_sigreturn", "sigreturn",
};

/*
 * probe->number: direction, number (SYSCALL_LIMIT + its own of a call that
 * only 32-bit programs have), and number + 1 in 32-bit programs or 0.
 */
enum { NUMBER_BITS = 10, COMPAT_BIT = 1 + NUMBER_BITS };

static uint64_t number_of(const struct arch_syscall *syscall,
			  enum direction direction)
{
	uint64_t number = syscall->number >= 0
				  ? (uint64_t)syscall->number
				  : SYSCALL_LIMIT + (uint64_t)syscall->compat;

	return (uint64_t)(syscall->compat + 1) << COMPAT_BIT | number << 1 |
	       direction;
}

/* In 64-bit programs; SYSCALL_LIMIT: they do not have it. */
static uint32_t native_number(const struct probe *probe)
{
	uint32_t number = (uint32_t)probe->number >> 1 &
			  ((1 << NUMBER_BITS) - 1);

	return number < SYSCALL_LIMIT ? number : SYSCALL_LIMIT;
}

static uint32_t compat_number(const struct probe *probe)
{
	uint64_t number = probe->number >> COMPAT_BIT;

	return number ? (uint32_t)number - 1 : SYSCALL_LIMIT;
}

static uint32_t syscall_direction(const struct probe *probe)
{
	return probe->number & 1;
}

static uint32_t syscall_id(const struct probe *probe)
{
	return (uint32_t)probe->number & ((1 << COMPAT_BIT) - 1);
}

/* Kernels that cannot run 32-bit programs need no test for them. */
static bool runs_32_bit_programs(void)
{
	return !access(arch_compat.file, F_OK);
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

/* No kernel says which of the 32-bit-only system calls it has. */
static void announce(struct probe_registry *registry,
		     const struct probe_desc *desc,
		     const struct arch_syscall *syscall)
{
	if (syscall->number >= SYSCALL_LIMIT ||
	    syscall->compat >= SYSCALL_LIMIT)
		return;
	if (desc && !glob_match(desc->function, syscall->name))
		return;
	if (syscall->number >= 0 &&
	    !syscall_exists(registry, types_of(registry), syscall->name))
		return;
	for (uint32_t d = ENTRY; d <= RETURN; d++) {
		if (d == RETURN && !can_return(syscall->name))
			continue;
		if (desc && !glob_match(desc->name, directions[d]))
			continue;
		registry_add(registry, &syscall_provider, "syscall", "vmlinux",
			     syscall->name, directions[d],
			     number_of(syscall, d));
	}
}

static int syscall_list(struct probe_registry *registry,
			const struct probe_desc *desc,
			struct probe_error *error)
{
	(void)error;
	if (desc && (!glob_match(desc->provider, "syscall") ||
		     !glob_match(desc->module, "vmlinux") ||
		     (!glob_match(desc->name, directions[ENTRY]) &&
		      !glob_match(desc->name, directions[RETURN]))))
		return 0;
	if (!desc || !*desc->function || !glob_is_plain(desc->function))
		syscall_types_read_names(registry, types_of(registry));
	bool has_compat = runs_32_bit_programs();

	for (const struct arch_syscall *s = arch_syscalls; s->name; s++)
		if (s->number >= 0 || has_compat)
			announce(registry, desc, s);
	for (const struct arch_syscall *s = arch_syscalls_later; s->name; s++)
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

/* ---------------------------------------------------- what is not called */

static const char *syscall_explain(struct probe_registry *registry,
				   const struct provider *provider,
				   const struct probe_desc *desc)
{
	const char *instead;
	const char *call = strcmp(desc->provider, provider->name)
				   ? NULL
				   : syscall_usual(desc->function, &instead);

	return call ? arena_printf(registry_arena(registry),
				   "programs on Linux call %s", call)
		    : NULL;
}

static bool is_of_32_bit(const char *name)
{
	for (const struct arch_syscall *s = arch_syscalls; s->name; s++)
		if (!strcmp(s->name, name))
			return s->number < 0;
	return false;
}

static const char *syscall_doubt(struct probe_registry *registry,
				 const struct probe_desc *desc,
				 const char **instead)
{
	bool is_compat = is_of_32_bit(desc->function);
	const char *call = syscall_usual(desc->function, instead);

	if (!call && !is_compat)
		return NULL;
	return arena_printf(registry_arena(registry), "syscall::%s: %s%s%s",
			    desc->function,
			    is_compat ? "only 32-bit programs make this call"
				      : "programs on Linux call ",
			    is_compat && call ? "; others call " : "",
			    call ? call : "");
}

/* ------------------------------------------------------------- programs */

/*
 * provider_data: of each number a word, with the index + 1 of the probe that
 * it is in 64-bit programs in the lower half and in 32-bit ones in the upper.
 */
struct syscall_group {
	uint32_t rows[SYSCALL_LIMIT];
	struct bpf_half *compat; /* found when the program is built */
};

enum { COMPAT_SHIFT = 16 };

static const struct syscall_group *group_of(const struct lower *lower)
{
	return lower->group->provider_data;
}

/* Where the task is marked as 32-bit; 0 if that is not known. */
static uint32_t status_offset(struct types *types)
{
	struct member info, status;

	if (!types_kernel_member(types, "task_struct", "thread_info", &info) ||
	    !type_member(types, info.type, arch_compat.member, &status))
		return 0;
	return (uint32_t)((info.bit_offset + status.bit_offset) / 8);
}

static void leave_if(struct lower *lower, ir_reg condition,
		     struct ir_block *leave)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *stay = ir_block_new(b, "wanted");

	ir_branch(b, condition, leave, stay);
	ir_enter(b, stay);
}

/* False: the kernel runs no 32-bit programs, or they cannot be recognized. */
static bool has_modes(struct lower *lower)
{
	struct bpf_half *compat = group_of(lower)->compat;

	*compat = (struct bpf_half){
		.offset = runs_32_bit_programs() ? status_offset(lower->types)
						 : 0,
		.flag = arch_compat.flag,
		.first = SYSCALL_LIMIT,
	};
	return compat->offset;
}

/* Not 0 (arch_compat.flag): the call is one of a 32-bit program. */
static ir_reg read_mode(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	struct ir_mem mem = {
		.space = IR_TYPED,
		.base = ir_query(b, IR_QUERY_TASK_TYPED),
		.offset = group_of(lower)->compat->offset,
	};

	return ir_binary_imm(b, IR_AND, ir_load(b, mem, 4, false),
			     arch_compat.flag);
}

static ir_reg load_register(struct lower *lower, ir_reg regs, uint32_t offset,
			    unsigned size)
{
	return ir_load(&lower->b, ir_mem_from(IR_TYPED, regs, offset), size,
		       false);
}

static ir_reg look_up(struct lower *lower, ir_reg number,
		      struct ir_block *leave)
{
	struct ir_builder *b = &lower->b;
	const uint32_t *rows = group_of(lower)->rows;
	uint32_t size = SYSCALL_LIMIT * sizeof(*rows);

	leave_if(lower, ir_binary_imm(b, IR_UGE, number, SYSCALL_LIMIT), leave);
	struct ir_mem mem = ir_rodata(b->program, rows, size, sizeof(*rows));

	mem.base = ir_binary_imm(b, IR_SHL, number, 2);
	mem.bound = size - 3;
	ir_reg row = ir_load(b, mem, sizeof(*rows), false);

	/* most calls are not traced: the number alone shows that */
	leave_if(lower, ir_binary_imm(b, IR_EQ, row, 0), leave);
	if (has_modes(lower)) {
		lower->mode = read_mode(lower);
		row = ir_binary(b, IR_LSR, row,
				ir_binary_imm(b, IR_MUL, lower->mode,
					      COMPAT_SHIFT / arch_compat.flag));
	}
	ir_reg index = ir_extend(b, row, 2, false);

	leave_if(lower, ir_binary_imm(b, IR_EQ, index, 0), leave);
	return ir_binary_imm(b, IR_SUB, index, 1);
}

/* The numbers of the only probe, with SYSCALL_LIMIT for one that it lacks. */
static void only_numbers(const struct syscall_group *group, uint32_t *native,
			 uint32_t *compat)
{
	*native = *compat = SYSCALL_LIMIT;
	for (uint32_t number = 0; number < SYSCALL_LIMIT; number++) {
		if (group->rows[number] & UINT16_MAX)
			*native = number;
		if (group->rows[number] >> COMPAT_SHIFT)
			*compat = number;
	}
}

/* One probe needs no table: its numbers are constants of the program. */
static void expect_number(struct lower *lower, ir_reg number,
			  struct ir_block *leave)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *wanted = ir_block_new(b, "one of its numbers");
	struct ir_block *other = ir_block_new(b, "not the 64-bit one");
	uint32_t native, compat;

	only_numbers(group_of(lower), &native, &compat);
	if (!has_modes(lower))
		compat = SYSCALL_LIMIT;
	ir_branch(b, ir_binary_imm(b, IR_EQ, number, native), wanted, other);
	ir_enter(b, other);
	if (compat == native || compat == SYSCALL_LIMIT)
		ir_goto(b, leave);
	else
		ir_branch(b, ir_binary_imm(b, IR_EQ, number, compat), wanted,
			  leave);
	ir_enter(b, wanted);
	if (!has_modes(lower))
		return;
	lower->mode = read_mode(lower);
	if (compat == native)
		return;
	ir_reg is_compat = ir_binary_imm(b, IR_NE, lower->mode, 0);
	ir_reg is_native = ir_binary_imm(b, IR_EQ, number, native);

	leave_if(lower, ir_binary(b, IR_EQ, is_compat, is_native), leave);
}

static ir_reg select_number(struct lower *lower, ir_reg number)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *leave = ir_block_new(b, "not wanted");
	struct ir_block *go_on;
	ir_reg index;

	if (lower->group->nprobes == 1) {
		expect_number(lower, number, leave);
		index = ir_const(b, 0);
	} else {
		index = look_up(lower, number, leave);
	}
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
	ir_reg regs = ir_query(&lower->b, IR_QUERY_USER_REGS);

	return select_number(lower, load_register(lower, regs,
						  ARCH_SYSCALL_NUMBER, 8));
}

static ir_reg argument_of_entry(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;

	if (n >= ARCH_SYSCALL_ARGUMENTS)
		return ir_const(b, 0);
	uint32_t native = arch_syscall_arguments[n].native;
	uint32_t compat = arch_syscall_arguments[n].compat;
	/* queried here, so that all arguments share the answer */
	ir_reg regs = ir_query(b, IR_QUERY_USER_REGS);

	if (!lower->mode)
		return load_register(lower, regs, native, 8);

	struct ir_block *narrow = ir_block_new(b, "32-bit program");
	struct ir_block *wide = ir_block_new(b, "64-bit program");
	struct ir_block *join = ir_block_new(b, "argument");
	ir_reg answer = ir_reg_new(b->program);

	ir_branch(b, lower->mode, narrow, wide);
	ir_enter(b, narrow);
	ir_move(b, answer, load_register(lower, regs, compat, 4));
	ir_goto(b, join);
	ir_enter(b, wide);
	ir_move(b, answer, load_register(lower, regs, native, 8));
	ir_enter(b, join);
	return answer;
}

/* A result of -4095 to -1 is an error number with the sign turned. */
static ir_reg is_failure(struct lower *lower)
{
	return ir_binary_imm(&lower->b, IR_UGT, context_word(lower, 8), -4096);
}

/* The answer, or `other` where the condition holds. */
static void replace_if(struct ir_builder *b, ir_reg answer, ir_reg condition,
		       int64_t other)
{
	struct ir_block *replace = ir_block_new(b, "replace");
	struct ir_block *join = ir_block_new(b, "join");

	ir_branch(b, condition, replace, join);
	ir_enter(b, replace);
	ir_move(b, answer, ir_const(b, other));
	ir_enter(b, join);
}

/* What the program gets of its C library: -1 for all failures. */
static ir_reg argument_of_return(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;
	ir_reg answer;

	if (n >= 2)
		return ir_const(b, 0);
	answer = ir_reg_new(b->program);
	ir_move(b, answer, context_word(lower, 8));
	replace_if(b, answer, is_failure(lower), -1);
	return answer;
}

/*
 * The program never sees the kernel's internal codes for "a signal came first":
 * it sees EINTR, unless the call is transparently restarted.  (515, among them,
 * does not leave the kernel.)
 */
enum { RESTART_FIRST = 512, RESTART_LAST = 516 };

static ir_reg error_of_return(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *failed = ir_block_new(b, "failed");
	struct ir_block *join = ir_block_new(b, "join");
	ir_reg answer = ir_reg_new(b->program);

	ir_move(b, answer, ir_const(b, 0));
	ir_branch(b, is_failure(lower), failed, join);
	ir_enter(b, failed);
	ir_move(b, answer, ir_unary(b, IR_NEG, context_word(lower, 8)));
	ir_reg beyond = ir_binary_imm(b, IR_SUB, answer, RESTART_FIRST);

	replace_if(b, answer,
		   ir_binary_imm(b, IR_ULE, beyond,
				 RESTART_LAST - RESTART_FIRST),
		   EINTR);
	ir_enter(b, join);
	return answer;
}

static int syscall_context(struct arena *arena, struct probe_group *group)
{
	struct syscall_group *own = arena_new_of(arena, struct syscall_group);
	bool is_entry = syscall_direction(group->probes[0]) == ENTRY;

	for (uint32_t i = 0; i < group->nprobes; i++) {
		uint32_t native = native_number(group->probes[i]);
		uint32_t compat = compat_number(group->probes[i]);

		if (native < SYSCALL_LIMIT)
			own->rows[native] |= i + 1;
		if (compat < SYSCALL_LIMIT)
			own->rows[compat] |= (i + 1) << COMPAT_SHIFT;
	}
	own->compat = arena_new_of(arena, struct bpf_half);
	group->provider_data = own;
	group->lower.provider_data = own;
	group->lower.phase = PHASE_ACTIVE;
	group->lower.hidden_frames = 2; /* program, bpf_trace_run2() */
	group->lower.tracepoint = is_entry ? "sys_enter" : "sys_exit";
	group->lower.select = is_entry ? select_entry : select_return;
	group->lower.argument = is_entry ? argument_of_entry
					 : argument_of_return;
	group->lower.has_sure_arguments = true;
	group->lower.error_number = is_entry ? NULL : error_of_return;
	return 0;
}

/* --------------------------------------------------------------- attach */

static bool is_alike(const struct probe_group *a, const struct probe_group *b)
{
	return a->provider == b->provider &&
	       syscall_direction(a->probes[0]) ==
		       syscall_direction(b->probes[0]);
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

/* A program at the numbers of a probe: those of 32-bit programs come last. */
static int enter(int table, const struct probe *probe,
		 const struct bpf_loaded *program)
{
	uint32_t native = native_number(probe), compat = compat_number(probe);
	int err = 0;

	if (native < SYSCALL_LIMIT)
		err = bpf_parts_set(table, native, program);
	if (!err && compat < SYSCALL_LIMIT)
		err = bpf_parts_set(table, SYSCALL_LIMIT + compat, program);
	return err;
}

/* Every group's program into the table. */
static int fill_table(const struct attach_context *context,
		      const struct probe_group *group, int table)
{
	for (uint32_t i = 0; i < context->ngroups; i++) {
		const struct probe_group *other = context->groups[i];

		if (!is_alike(other, group))
			continue;
		for (uint32_t n = 0; n < other->nprobes; n++) {
			int err = enter(table, other->probes[n],
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
	const struct syscall_group *own = group->provider_data;
	int table = bpf_parts_create(2 * SYSCALL_LIMIT);

	if (table < 0)
		return table;
	attachment_add(attachment_of(group), table);
	int err = fill_table(context, group, table);

	if (err)
		return err;
	int program = bpf_dispatcher_load(table, is_entry ? 1 : 0,
					  is_entry ? -1 : ARCH_SYSCALL_NUMBER,
					  own->compat);

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
	context->error =
		fd == -ENOENT
			? "cannot trace system calls: this kernel has no syscall tracepoints (CONFIG_HAVE_SYSCALL_TRACEPOINTS)"
			: arena_printf(context->arena,
				       "cannot attach to the tracepoint %s: %s",
				       tracepoint, strerror(-fd));
	return fd;
}

const struct provider syscall_provider = {
	.name = "syscall",
	.about = "entry to and return from system calls",
	.attrs =
		{
			.provider = STABILITY(EVOLVING, CLASS_COMMON),
			.module = STABILITY(PRIVATE, CLASS_UNKNOWN),
			.function = STABILITY(UNSTABLE, CLASS_ISA),
			.name = STABILITY(EVOLVING, CLASS_ISA),
			.args = STABILITY(UNSTABLE, CLASS_ISA),
		},
	.program_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.enters_kernel = true,
	.has_entries = true,
	.list = syscall_list,
	.argument = syscall_argument,
	.has_user_pointers = true,
	.shape = syscall_direction,
	.context = syscall_context,
	.attach = syscall_attach,
	.detach = attachment_close,
	.nids = 4 * SYSCALL_LIMIT,
	.fixed_id = syscall_id,
	.explain = syscall_explain,
	.doubt = syscall_doubt,
	.forget = forget,
};
