/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables about the stack: its depth and the caller.
 *
 * A program on a tracepoint is itself on the kernel's stack, with the code that
 * called it; those frames are not counted.  The provider says how many are
 * always there (lower_group.hidden_frames).  On a tracepoint two more may be:
 * __bpf_trace_X is a frame only if the compiler did not turn its last call into
 * a jump, __traceiter_X only if the tracepoint has another tracer, too.  They
 * are recognized by their addresses.  The function that a typed program is on
 * is marked in the stack if it is there.
 */
#include <stdio.h>

#include "bpf/unwind.h"
#include "builtin/builtin.h"
#include "ir/abi.h"
#include "ir/lower.h"

enum {
	WORD = 8,
	DEPTH_FRAMES = 127,	/* what the kernel walks by default */
	OPTIONAL_FRAMES = 2,
};

static bool yield(struct value *result, const struct node *variable, ir_reg reg)
{
	*result = value_of_reg(variable->type, reg);
	return true;
}

/* Frame n + offset of those at `frames`, which has `size` bytes. */
static ir_reg frame_at(struct lower *lower, struct ir_mem frames, uint32_t size,
		       ir_reg n, uint32_t offset)
{
	frames.base = ir_binary_imm(&lower->b, IR_SHL, n, 3);
	frames.bound = size - offset * WORD - WORD + 1;
	frames.offset += offset * WORD;
	return ir_load(&lower->b, frames, WORD, false);
}

/* n, or n + 1 if frame n is in that kernel function. */
static ir_reg pass_function(struct lower *lower, struct ir_mem frames,
			    uint32_t size, ir_reg n, const char *prefix)
{
	struct ir_builder *b = &lower->b;
	const struct probe_oracle *oracle =
		lower->session->language->config.oracle;
	const char *name = arena_printf(lower->session->arena, "%s%s", prefix,
					lower->group->tracepoint);
	uint64_t start = 0, length = 0;

	if (!oracle || !oracle->symbol ||
	    !oracle->symbol(oracle->context, "vmlinux", name, &start,
			    &length) ||
	    !start || !length)
		return n;
	ir_reg frame = frame_at(lower, frames, size, n, 0);
	ir_reg into = ir_binary(b, IR_SUB, frame, ir_const(b, (int64_t)start));

	return ir_binary(b, IR_ADD, n,
			 ir_binary_imm(b, IR_ULE, into, (int64_t)length));
}

/* How many of the frames in front are not the probe's. */
static ir_reg hidden_frames(struct lower *lower, struct ir_mem frames,
			    uint32_t size)
{
	ir_reg n = ir_const(&lower->b, lower->group->hidden_frames);

	if (lower->group->marks_function)
		return ir_binary_imm(&lower->b, IR_EQ,
				     frame_at(lower, frames, size, n, 0),
				     ABI_OWN_FRAME);
	if (!lower->group->tracepoint)
		return n;
	n = pass_function(lower, frames, size, n, "__bpf_trace_");
	return pass_function(lower, frames, size, n, "__traceiter_");
}

/* How many frames of its own stack the kernel walks. */
static uint32_t most_frames(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_stack", "re");
	unsigned n = 0;

	if (file && fscanf(file, "%u", &n) != 1)
		n = 0;
	if (file)
		fclose(file);
	return n < DEPTH_FRAMES	   ? DEPTH_FRAMES
	       : n > UNWIND_FRAMES ? (uint32_t)UNWIND_FRAMES
				   : n;
}

static bool lower_stackdepth(struct lower *lower, const struct node *variable,
			     struct value *result)
{
	struct ir_builder *b = &lower->b;
	uint32_t size = most_frames() * WORD;
	struct ir_mem frames = ir_object(b, size, "stackdepth");
	ir_reg depth = ir_stack_depth(b, frames, size);
	ir_reg hidden = hidden_frames(lower, frames, size);
	/* during exec there is no stack at all */
	ir_reg is_there = ir_binary(b, IR_ULE, hidden, depth);

	return yield(result, variable,
		     ir_binary(b, IR_MUL, is_there,
			       ir_binary(b, IR_SUB, depth, hidden)));
}

static bool lower_ustackdepth(struct lower *lower, const struct node *variable,
			      struct value *result)
{
	/* the process and, if that is all there is, its address */
	uint32_t size = 2 * WORD;
	struct ir_mem frames = ir_object(&lower->b, size, "ustackdepth");

	return yield(result, variable,
		     walk_user(lower, frames, size, UNWIND_NOW | UNWIND_COUNT));
}

/* Frame 0 is the probed function itself, unless it was left out. */
static bool lower_caller(struct lower *lower, const struct node *variable,
			 struct value *result)
{
	struct ir_builder *b = &lower->b;
	uint32_t size = (lower->group->hidden_frames + OPTIONAL_FRAMES + 2) *
			WORD;
	struct ir_mem frames = ir_object(b, size, "caller");

	ir_stack(b, frames, size);
	return yield(result, variable,
		     frame_at(lower, frames, size,
			      hidden_frames(lower, frames, size),
			      lower->group->starts_at_caller ? 0 : 1));
}

static bool lower_ucaller(struct lower *lower, const struct node *variable,
			  struct value *result)
{
	if (lower->group->user_caller)
		return yield(result, variable,
			     lower->group->user_caller(lower));
	struct ir_mem frames = ir_object(&lower->b, 3 * WORD, "ucaller");

	walk_user(lower, frames, 3 * WORD, UNWIND_NOW);
	return yield(result, variable,
		     ir_load(&lower->b, ir_mem_at(frames, 2 * WORD), WORD,
			     false));
}

BUILTIN(caller, "uintptr_t", .lower = lower_caller);
BUILTIN(stackdepth, "uint32_t", .lower = lower_stackdepth);
BUILTIN(ucaller, "uint64_t", .since = 2, .lower = lower_ucaller);
BUILTIN(ustackdepth, "uint32_t", .since = 2, .lower = lower_ustackdepth);
