/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside bpf/: what the parts of code generation share.
 *
 * plan.c turns the IR into a list of steps and decides what must happen once
 * (getting the self record, claiming scratch, zeroing frame memory), frame.c
 * where frame objects live, regalloc.c where values live.  Then each step is
 * turned into instructions by a template; templates are grouped by idea:
 * arith.c, memory.c, read.c, strings.c, record.c, aggregate.c, query.c.
 *
 * Rules of templates:
 * 1. R0, R1, R2 are free at the start of every step.  R3, R4, R5 are free too
 *    in steps that plan.c marked as clobbering.
 * 2. The result is written last, after every operand has been read, because
 *    both may have the same home.
 * 3. The 32 bytes below the frame pointer (enum temporary) are free at the
 *    start of every step.
 */

#include "bpf/bpf.h"
#include "bpf/emit.h"
#include "bpf/regalloc.h"
#include "ir/ir.h"

/* Values that IR does not name; numbered behind the IR's registers. */
enum hidden {
	HIDDEN_CONTEXT,		/* R1 at entry */
	HIDDEN_RECORD,		/* the claimed record */
	HIDDEN_SELF,		/* this thread's record, or NULL */
	HIDDEN_SCRATCH,		/* our scratch slot */
	HIDDEN_SCRATCH_BASE,	/* element it is in; 0: none claimed */
	HIDDEN_SCRATCH_BIT,	/* our bit in its busy mask */
	HIDDEN_NOTE,		/* of the last fault: code << 24 | site */
	HIDDEN_FAULT_VALUE,
	HIDDEN_FAULT_PROBE,
	HIDDEN_COUNT
};

enum { NOTE_CODE_SHIFT = 24 };

/* Stack bytes for templates, as offsets from R10. */
enum temporary {
	TEMP_KEY = -8,		/* u32 index for map lookups */
	TEMP_A = -16,
	TEMP_MESSAGE = -32,	/* 16 bytes */
	TEMP_B = -24,
	TEMP_SIZE = 32,
	STACK_SIZE = 512,
	STACK_OBJECTS = 256,	/* most bytes of frame objects on the stack */
};

/* A scratch element: busy mask, pad, slots. */
enum {
	SCRATCH_HEADER = 64,
	SCRATCH_SLOTS = 8,	/* nesting + preemption deep; see scratch.c */
	SCRATCH_ALIGN = 64,
};

enum step_kind { STEP_IR, STEP_SELF, STEP_SCRATCH, STEP_ZERO };

struct step {
	enum step_kind kind;
	const struct ir_insn *insn;
	const struct ir_insn *compare;	/* fused into a branch or FAULT_IF */
	uint32_t object;		/* STEP_ZERO */
	uint32_t record_size;		/* RECORD_END, RECORD_DROP */
};

struct code_block {
	const struct ir_block *ir;
	uint32_t first, end;		/* steps */
	int32_t next[2];
	int32_t dominator;
	label label;
};

/* Where a frame object is. */
struct object_home {
	bool is_used, needs_scratch;
	bool on_stack;
	int32_t offset;		/* from R10, or in the scratch slot */
	uint32_t size;		/* multiple of 8 */
	uint32_t first_word;	/* in the set of all frame words */
};

struct gen {
	struct arena *arena;
	const struct ir_program *program;
	const struct bpf_generate_config *config;
	struct emitter e;

	/* plan */
	struct code_block *blocks;
	uint32_t nblocks;
	uint32_t *block_index;		/* by ir_block.number; + 1 */
	struct step *steps;
	uint32_t nsteps;
	const struct ir_insn **constants; /* by register: its only CONST */
	uint32_t *nreads, *nwrites;	/* by register */

	/* frame */
	struct object_home *objects;
	uint64_t *zero_words;		/* set of frame words to be zeroed */
	uint32_t frame_words;
	uint32_t stack_objects, scratch_size;
	uint32_t stack_budget;
	bool uses_self;
	uint32_t self_zeros;		/* largest block read from self-> */
	uint32_t zeros_offset;		/* of as many zeros, in rodata */

	struct allocation homes;
	label leave;			/* release scratch, return */
	label leave_bare;		/* return */
	bool looks_at_mappings;		/* before it waits for a page */
	bool has_return;		/* somebody goes to `leave` */
	uint32_t stride_insn;		/* multiplies by slot size; 0: none */
	uint32_t *sweeps, nsweeps;	/* instructions that name the callback */
	uint32_t *chills, nchills;	/* the same; no program has both */
	uint32_t callback;		/* its first instruction; 0: none */

	/* calls of the run-time library */
	struct library_use *links;
	uint32_t nlinks;
	struct bpf_function *functions;
	uint32_t nfunctions;
};

/* ------------------------------------------------------------ plan, frame */

static inline uint32_t hidden_reg(const struct gen *g, enum hidden hidden)
{
	return g->program->nregs + 1 + (uint32_t)hidden;
}

/* Bytes of mem and source that an instruction touches. */
uint32_t mem_span(const struct gen *g, const struct ir_insn *insn);
uint32_t source_span(const struct ir_insn *insn);
bool reads_mem(const struct ir_insn *insn);
bool writes_mem(const struct ir_insn *insn);
bool reads_source(const struct ir_insn *insn);
bool uses_space(const struct ir_insn *insn, enum ir_space space);
int32_t block_of(const struct gen *g, const struct ir_block *block);

bool plan_blocks(struct gen *g);	/* blocks, dominators, constants */
void frame_layout(struct gen *g);	/* stack or scratch; what to zero */
bool plan_steps(struct gen *g);
struct flow *plan_flow(struct gen *g);

/* --------------------------------------------------------------- operands */

bool is_constant(const struct gen *g, uint32_t reg, int64_t *value);
/* A machine register that holds `reg`: its home, or `temp` filled with it. */
int use(struct gen *g, uint32_t reg, int temp);
/* The value in exactly that machine register. */
void use_in(struct gen *g, uint32_t reg, int machine);
/* Where to compute the value of `reg`: its home, or `temp`. */
int target(const struct gen *g, uint32_t reg, int temp);
/* `machine` now holds the value of `reg`: put it into its home. */
void define(struct gen *g, uint32_t reg, int machine);
bool is_dead(const struct gen *g, uint32_t reg);

static inline void out(struct gen *g, struct bpf_insn insn)
{
	emit(&g->e, insn);
}

/* ----------------------------------------------------------------- memory */

/* A place in memory that can be loaded from and stored to. */
struct spot {
	int reg;
	int32_t offset;
	bool on_stack;		/* accesses must be aligned */
};

/*
 * `temp` may be overwritten and used in the result, `temp2` may be
 * overwritten.  Self memory must be known to be there.
 */
struct spot locate(struct gen *g, const struct ir_mem *mem, uint32_t span,
		   int temp, int temp2);
/* The same for reading; a missing self record reads as zeros. */
struct spot locate_source(struct gen *g, const struct ir_mem *mem,
			  uint32_t span, int temp, int temp2);
/* `at` bytes behind a spot; `temp` is used when instructions cannot reach. */
struct spot spot_at(struct gen *g, struct spot spot, uint32_t at, uint32_t span,
		    int temp);
/* dst = address of spot */
void spot_address(struct gen *g, struct spot spot, int dst);
/* Largest access (8, 4, 2, 1) possible at spots + at with `left` bytes. */
uint32_t spot_chunk(struct spot a, struct spot b, uint32_t at, uint32_t left);
/* Zero or copy bytes; R0 is used, and beyond INLINE_BYTES R1-R5 as well. */
enum { INLINE_BYTES = 256, LOOP_BYTES = 64 };
/*
 * From here on the run-time library does it: its loops are verified once,
 * ours turn by turn.  clear_bytes() then uses TEMP_MESSAGE.
 */
enum { LIBRARY_BYTES = 1024 };
/* R2 = bytes: all of `size`, or as many as the program says in b. */
void read_size(struct gen *g, const struct ir_insn *insn, uint32_t size);
void clear_bytes(struct gen *g, struct spot to, uint32_t size);
void copy_bytes(struct gen *g, struct spot to, struct spot from, uint32_t size);
/*
 * Before writing to mem: a self record is made if there is none; when that
 * fails the loss is counted and control goes to `lost`.  Uses R0-R5.
 * `value`: register whose value 0 needs no record, or 0.
 */
void prepare_write(struct gen *g, const struct ir_mem *mem, uint32_t value,
		   bool is_zero, label lost);
/* ++ of a 64-bit counter in the session's state; uses R0, R1 */
void count_in_state(struct gen *g, uint32_t offset);
/* R0 = pointer to this CPU's element of a map; jumps to `none` if NULL. */
void lookup_cpu(struct gen *g, enum bpf_map_role role, uint32_t index,
		label none);

/* -------------------------------------------------------------- templates */

void gen_arith(struct gen *g, const struct ir_insn *insn);
/* Jump to `yes` when the comparison holds (or does not: invert). */
void gen_compare_jump(struct gen *g, const struct ir_insn *compare, bool invert,
		      label yes);
void gen_extend(struct gen *g, int reg, unsigned size, bool is_signed);
void gen_memory(struct gen *g, const struct ir_insn *insn);
void gen_read(struct gen *g, const struct ir_insn *insn);
/* The instruction reads memory that may have to be brought in. */
bool may_read_again(const struct gen *g, const struct ir_insn *insn);
void gen_read_args(struct gen *g, const struct ir_insn *insn);
void gen_string(struct gen *g, const struct ir_insn *insn);
void gen_call(struct gen *g, const struct ir_insn *insn);
void call_library(struct gen *g, enum ir_function function, struct spot mem,
		  uint32_t mem_size, struct spot source, uint32_t source_size);
void gen_query(struct gen *g, const struct ir_insn *insn);
void gen_comm(struct gen *g, const struct ir_insn *insn);
void gen_stack(struct gen *g, const struct ir_insn *insn);
void gen_ustack(struct gen *g, const struct ir_insn *insn);
void gen_intrinsic(struct gen *g, const struct ir_insn *insn);
void gen_record(struct gen *g, const struct step *step);
/* A message on the control ring; its value is in TEMP_MESSAGE + 8. */
void wake_consumer(struct gen *g, enum abi_control kind);
void gen_exit(struct gen *g, const struct ir_insn *insn);
void gen_speculation(struct gen *g, const struct ir_insn *insn);
void gen_retire(struct gen *g, const struct ir_insn *insn);
/*
 * Records by hand.  R5 = a claimed record of the principal buffer with all of
 * its header but size and kind; `published` makes it visible.  No room: the
 * drop is counted and control goes to `full`.  Uses R0-R5, TEMP_KEY, TEMP_A.
 */
void record_claim(struct gen *g, const struct ir_insn *insn, uint32_t size,
		  label full);
void record_publish(struct gen *g, uint32_t size, enum abi_kind kind);
/* reg = pointer to the state word of speculation `id`; uses R0. */
void spec_locate(struct gen *g, uint32_t id, int reg);
/*
 * R0 = this CPU's ring of speculation `id`; its word is in TEMP_B.  Not
 * active: to `inactive`.
 */
void spec_ring(struct gen *g, uint32_t id, label inactive);
/* Note a fault (value: register, or 0 for none) and go to its target. */
void gen_fault(struct gen *g, const struct ir_insn *insn, enum fault fault,
	       uint32_t value);
void gen_aggregate(struct gen *g, const struct ir_insn *insn);
void gen_array(struct gen *g, const struct ir_insn *insn);
/* The function that IR_ARRAY_SWEEP calls, behind the program. */
void gen_array_callback(struct gen *g);
void gen_chill(struct gen *g, const struct ir_insn *insn);
void gen_chill_callback(struct gen *g);
void gen_self_get(struct gen *g);
void gen_scratch_claim(struct gen *g);
/* `none`: where to go when no slot was claimed. */
void gen_scratch_release(struct gen *g, label none);
