/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidN:module:function:name: probes in the functions of a process.
 *
 * pid_search.c finds them; this file says what they pass to programs, and
 * attaches them.  `entry` has the function's arguments, from registers and
 * after those from the stack; `return` has the value it returns in arg1, and in
 * arg0 the offset of its `ret` (0 if it is not known which of several it was);
 * an instruction in between has none.  args[] are the same with their types
 * (pid_types.c).
 */
#include "provider/pid.h"

#include <stdlib.h>
#include <unistd.h>

#include "arch/arch.h"
#include "provider/uprobe.h"

static uint32_t pid_shape(const struct probe *probe)
{
	const struct pid_place *place = probe->data;

	return (uint32_t)place->kind | (uint32_t)place->process->pid << 2;
}

/* ---------------------------------------------------------------- context */

static ir_reg argument_of_entry(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;

	if (n < ARCH_ARGUMENT_REGISTERS)
		return context_word(lower, arch_argument_register(n));
	ir_reg at = ir_binary_imm(b, IR_ADD, context_word(lower, ARCH_SP),
				  ARCH_CALL_PUSHES +
					  8 * (n - ARCH_ARGUMENT_REGISTERS));

	return ir_read_scalar(b, IR_USER, at, 8, false);
}

/* Offset of the only `ret` of a function, or 0. */
static uint32_t return_offset(const struct pid_place *place)
{
	const struct elf_function *function = place->function;
	uint8_t *code = elf_file_read(&place->image->file, function->offset,
				      function->size);
	uint32_t found = 0;
	unsigned length;

	for (uint64_t at = 0; code && at < function->size; at += length) {
		const uint8_t *insn = code + at;
		size_t left = function->size - at;

		length = arch_instruction_length(insn, left);
		bool is_return = length && arch_is_return(insn, left);

		if (!length || (is_return && found)) {
			found = 0;
			break;
		}
		if (is_return)
			found = (uint32_t)at;
	}
	free(code);
	return found;
}

static ir_reg offset_of_return(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct pid_group *group = lower->group->provider_data;
	uint32_t n = group->nprobes;
	uint32_t *offsets = arena_array_of(lower->session->arena, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		offsets[i] = return_offset(group->probes[i]->data);
	struct ir_mem mem = ir_rodata(b->program, offsets,
				      n * (uint32_t)sizeof(*offsets), 8);

	mem.base = ir_binary_imm(b, IR_MUL, lower->probe_index,
				 sizeof(*offsets));
	mem.bound = (n - 1) * (uint32_t)sizeof(*offsets) + 1;
	return ir_load(b, mem, sizeof(*offsets), false);
}

/* The words of an object that is returned, or 0. */
static ir_reg word_of_result(struct lower *lower, uint32_t n)
{
	if (n == 1 || n == PID_RESULT)
		return context_word(lower, ARCH_RESULT);
	if (n == PID_RESULT + 1)
		return context_word(lower, ARCH_RESULT_HIGH);
	return ir_const(&lower->b, 0);
}

static ir_reg argument_of_return(struct lower *lower, uint32_t n)
{
	return n ? word_of_result(lower, n) : offset_of_return(lower);
}

/* Start of the function of each probe; 0 if it represents several. */
static ir_reg start_of_function(struct lower *lower)
{
	struct ir_builder *b = &lower->b;
	const struct pid_group *group = lower->group->provider_data;
	uint32_t n = group->nprobes;
	uint64_t *starts = arena_array_of(lower->session->arena, uint64_t, n);

	for (uint32_t i = 0; i < n; i++) {
		const struct pid_place *first = group->probes[i]->data;

		starts[i] = first->module->bias + first->function->start;
		for (const struct pid_place *place = first->next; place;
		     place = place->next)
			if (place->module->bias + place->function->start !=
			    starts[i])
				starts[i] = 0;
	}
	struct ir_mem mem = ir_rodata(b->program, starts,
				      n * (uint32_t)sizeof(*starts), 8);

	mem.base = ir_binary_imm(b, IR_MUL, lower->probe_index,
				 sizeof(*starts));
	mem.bound = (n - 1) * (uint32_t)sizeof(*starts) + 1;
	return ir_load(b, mem, sizeof(*starts), false);
}

/* It is at the instruction that ends the function. */
static ir_reg argument_of_end(struct lower *lower, uint32_t n)
{
	struct ir_builder *b = &lower->b;

	if (n)
		return word_of_result(lower, n);
	ir_reg offset = ir_reg_new(b->program);

	ir_move(b, offset, ir_const(b, 0));
	ir_reg start = start_of_function(lower);
	struct ir_block *known = ir_block_new(b, "known");
	struct ir_block *join = ir_block_new(b, "join");

	ir_branch(b, start, known, join);
	ir_enter(b, known);
	ir_move(b, offset,
		ir_binary(b, IR_SUB, context_word(lower, ARCH_PC), start));
	ir_enter(b, join);
	return offset;
}

/* On top of the stack is where it will return to. */
static ir_reg caller_of_entry(struct lower *lower)
{
	return ir_read_scalar(&lower->b, IR_USER, context_word(lower, ARCH_SP),
			      8, false);
}

/* It has returned: the process is there now. */
static ir_reg caller_of_return(struct lower *lower)
{
	return context_word(lower, ARCH_PC);
}

static ir_reg no_argument(struct lower *lower, uint32_t n)
{
	(void)n;
	return ir_const(&lower->b, 0);
}

/* ----------------------------------------------------------------- places */

static int by_path(const void *a, const void *b)
{
	const struct uprobe_site *x = a, *y = b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* It was added last: the others already have programs. */
static bool is_new(const struct pid_place *place)
{
	return place->function && place->look == place->process->looks;
}

static void add_sites(struct pid_group *own, uint32_t index, bool is_entry)
{
	struct uprobe_sites *sites = own->sites;

	for (const struct pid_place *place = own->probes[index]->data; place;
	     place = place->next) {
		if (!is_new(place))
			continue;
		bool is_end = place->kind == PID_END;

		if (is_end) {
			own->ends.places[own->ends.count] = place;
			own->ends.probes[own->ends.count] = index;
		}
		sites->items[sites->count++] = (struct uprobe_site){
			.path = place->image->attach_path,
			.offset = place->function->offset + place->offset,
			.address = place->module->bias +
				   place->function->start + place->offset,
			.probe = is_end ? own->ends.count++ : index,
			.is_return = place->kind == PID_RETURN && !is_entry,
		};
	}
}

static void collect_sites(struct arena *arena, struct pid_group *own,
			  bool is_entry)
{
	const struct pid_place *first = own->probes[0]->data;
	struct uprobe_sites *sites = arena_new_of(arena, struct uprobe_sites);
	size_t count = 0;

	for (uint32_t i = 0; i < own->nprobes; i++)
		for (const struct pid_place *place = own->probes[i]->data;
		     place; place = place->next)
			count += is_new(place);
	own->sites = sites;
	sites->pid = first->process->pid;
	sites->items = arena_array_of(arena, struct uprobe_site, count);
	if (first->kind == PID_END) {
		own->ends.places =
			arena_array_of(arena, const struct pid_place *, count);
		own->ends.probes = arena_array_of(arena, uint32_t, count);
		sites->are_told = true;
	}
	for (uint32_t i = 0; i < own->nprobes; i++)
		add_sites(own, i, is_entry);
	if (sites->count)
		qsort(sites->items, sites->count, sizeof(*sites->items),
		      by_path);
}

/* A return by uretprobe is also examined where the function is entered. */
enum { SOURCE_PROBE, SOURCE_SKIPPED, NSOURCES };

static uint32_t pid_sources(const struct probe *probe)
{
	const struct pid_place *place = probe->data;

	return place->kind == PID_RETURN ? NSOURCES : 1;
}

static int pid_context(struct arena *arena, struct probe_group *group)
{
	const struct pid_place *place = group->probes[0]->data;
	struct pid_group *own = arena_new_of(arena, struct pid_group);

	own->probes = group->probes;
	own->nprobes = group->nprobes;
	bool counts_skipped = group->source == SOURCE_SKIPPED;

	collect_sites(arena, own, counts_skipped);
	uprobe_context_at(arena, group, own->sites);
	if (place->kind == PID_END)
		pid_ends_context(group, own);
	if (counts_skipped)
		pid_skipped_context(group);
	group->provider_data = own;
	group->lower.provider_data = own;
	group->lower.has_objects = true;
	group->lower.argument = place->kind == PID_ENTRY    ? argument_of_entry
				: place->kind == PID_RETURN ? argument_of_return
				: place->kind == PID_END    ? argument_of_end
							    : no_argument;
	if (place->kind != PID_OFFSET)
		group->lower.user_caller = place->kind == PID_RETURN
						   ? caller_of_return
						   : caller_of_entry;
	return 0;
}

/* Of a function that is one instruction, the entry fires first. */
static enum attach_turn pid_turn(const struct probe_group *group)
{
	const struct pid_place *place = group->probes[0]->data;

	return place->kind == PID_END	  ? TURN_EARLY
	       : place->kind == PID_ENTRY ? TURN_LATE
					  : TURN_USUAL;
}

static int pid_attach(struct attach_context *context, struct probe_group *group)
{
	const struct pid_group *own = group->provider_data;

	if (!own->sites->count)
		return 0;
	return uprobe_attach(context, group, own->sites, NULL);
}

const struct provider pid_provider = {
	.check = uprobe_check,
	.name = "pid",
	.typed = "pid$target",
	.about = "functions of a process",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_ISA),
				STABILITY(EVOLVING, CLASS_ISA),
				STABILITY(PRIVATE, CLASS_UNKNOWN)),
	.program_type = BPF_PROG_TYPE_KPROBE,
	.list = pid_list,
	.matches = pid_matches,
	.typed_argument = pid_argument,
	.has_user_pointers = true,
	.has_entries = true,
	.shape = pid_shape,
	.sources = pid_sources,
	.context = pid_context,
	.turn = pid_turn,
	.attach = pid_attach,
	.detach = uprobe_detach,
	.process_of = pid_process_of,
	.follows = pid_follows,
	.look = pid_look,
	.explain = pid_explain,
	.forget = pid_forget,
};
