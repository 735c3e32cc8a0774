/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The intermediate form: what one firing does, in three-address code.
 *
 * One `struct ir_program` holds the clauses of one group of probes, in order.
 * It is made of basic blocks of instructions over 64-bit virtual registers
 * (a register may be assigned more than once; there is no SSA).  Bytes that
 * do not fit a register (strings, keys, structs) live in memory that is named
 * by space and offset (`struct ir_mem`), never by a raw address, so that the
 * back end alone decides what is on the stack, in scratch slots or in maps.
 *
 * 1. A value in a register is 64 bits: what was loaded from a narrower place
 *    has been sign- or zero-extended by the load, and what is computed from it
 *    is not truncated again (lower_expr.c).
 * 2. Faults are explicit: IR_FAULT_IF and the *_fault instructions leave the
 *    clause through their `target` block after noting code, value and site.
 *    Nothing else faults.
 * 3. Control flow only goes forward: every target comes later in layout order,
 *    and once lowering is done `number` of a block is its position there.
 *    Every block ends in one of GOTO, BRANCH, RETURN, FAULT, LEAVE.
 * 4. Loops: while lowering builds them, a GOTO may also go back to a block that
 *    is a loop's header.  ir_unroll() writes short loops out, and ir_outline()
 *    turns each outermost loop that is left into a routine, code of its own
 *    that IR_LOOP executes turn by turn, so that passes and the back end never
 *    see a jump backward.  A routine shares the frame's objects with the
 *    program and has registers of its own; what goes from one turn to the next,
 *    in or out, is in memory.
 *
 * The interpreter (interp.c) runs the same form in user space; the two must
 * agree on every result and fault, which the differential tests check.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "lang/diag.h"

typedef uint32_t ir_reg; /* 0 = none */

enum { IR_WALK_SIZE = 1792 };

enum ir_space {
	IR_NOWHERE,
	IR_FRAME,	/* object of this firing: offset within object `object` */
	IR_GLOBAL,	/* D's global variables */
	IR_SELF,	/* this thread's record of self-> variables */
	IR_RECORD,	/* the record being written (after IR_RECORD_BEGIN) */
	IR_RODATA,	/* constants of the program: string literals, tables */
	IR_CONTEXT,	/* what the kernel gave the program (8-byte loads) */
	IR_TYPED,	/* kernel object whose pointer the verifier knows: base */
	IR_KERNEL,	/* any kernel address: base; read with a check */
	IR_USER,	/* any user address: base; read with a check */
	IR_STATE,	/* the session's control words (ir/abi.h) */
	/* Inside lowering only: an address in alloca's memory; base */
	IR_SCRATCH,
};

/*
 * Address = start of the space or object, + base register, + offset.
 * For FRAME, GLOBAL, RODATA, RECORD the base is an index in bytes (0 = none)
 * that is below `bound` (the back end masks or checks it for the verifier);
 * for TYPED, KERNEL and USER the base is the address itself.
 */
struct ir_mem {
	enum ir_space space;
	uint32_t object;
	ir_reg base;
	uint32_t bound;
	int64_t offset;
};

enum ir_op {
	IR_NOP,
	/* dst = imm; dst = a */
	IR_CONST, IR_MOVE,
	/* dst = a OP b; b = 0 means the immediate.  64 bits, wrapping. */
	IR_ADD, IR_SUB, IR_MUL,
	/*
	 * Division by zero is tested before: b is never 0 here.  The least
	 * number divided by -1 is itself, with remainder 0.
	 */
	IR_UDIV, IR_UMOD, IR_SDIV, IR_SMOD,
	IR_AND, IR_OR, IR_XOR,
	IR_SHL, IR_LSR, IR_ASR,		/* count taken modulo 64 */
	IR_NEG, IR_NOT,			/* dst = -a, ~a */
	IR_BITS,	/* dst = bits of a, unsigned: 0 for 0, 64 for -1 */
	/* dst = (a OP b) ? 1 : 0; b = 0 means the immediate */
	IR_EQ, IR_NE, IR_ULT, IR_ULE, IR_UGT, IR_UGE,
	IR_SLT, IR_SLE, IR_SGT, IR_SGE,
	IR_EXTEND,	/* dst = low `size` bytes of a, per is_signed */

	/* memory; size is 1, 2, 4 or 8 */
	IR_LOAD,	/* dst = mem; GLOBAL FRAME SELF RECORD RODATA CONTEXT TYPED STATE */
	IR_STORE,	/* mem = a */
	IR_ATOMIC_ADD,	/* mem += a (size 4 or 8) */
	IR_COPY,	/* mem = source, imm bytes; not KERNEL or USER */
	IR_CLEAR,	/* imm bytes of mem = 0; b (if not 0): this many */
	/*
	 * dst = address of mem (TYPED KERNEL USER), only for IR_READ*.  Also of
	 * imm bytes of a FRAME object, which may be read by that address and
	 * are zeroed before, unless it is raw; the word after them is
	 * overwritten.  Or of a word of GLOBAL or SELF, which is overwritten;
	 * 0: the thread has no record.
	 */
	IR_ADDRESS,
	/*
	 * Checked reads of imm bytes from address a (KERNEL or USER by
	 * `source.space`) into mem; on failure: fault BADADDR with the
	 * address, to `target`.  b (if not 0) = bytes to read, at most imm.
	 */
	IR_READ,
	/*
	 * Same for a NUL-terminated string of at most imm bytes with the NUL;
	 * the rest of the imm bytes is zeroed.  dst (if not 0) = length without
	 * the NUL.  b (if not 0): at most this many bytes before the NUL are
	 * read.
	 */
	IR_READ_STRING,
	/*
	 * mem (imm bytes) = what is in b bytes of user memory at a, at most imm
	 * - 1 of them, with spaces for NULs among them and zeros after them;
	 * dst = how many, 0 when they cannot be read.  No fault.
	 */
	IR_READ_ARGS,
	/* dst = value of `size` bytes at kernel/user address a, checked. */
	IR_READ_SCALAR,
	/*
	 * The opposite: b bytes, at most imm, of mem (FRAME) are written to
	 * user address a; on failure: fault BADADDR.
	 */
	IR_WRITE_USER,

	/*
	 * Strings in memory, zero-padded up to their capacity, which counts
	 * the NUL.  A source without NUL ends at its capacity (char arrays).
	 * FRAME and RODATA strings start on 8 bytes and may be read, but not
	 * written, up to the next multiple of 8.
	 *
	 * COPY: mem (capacity imm) = source (capacity imm2); what does not fit
	 * in imm - 1 bytes is cut off; the rest of mem is zeroed.
	 */
	IR_STRING_COPY,
	/* The same for a source with anything after its NUL: char arrays. */
	IR_STRING_TAKE,
	IR_STRING_COMPARE, /* dst = <0, 0, >0; mem cap imm, source cap imm2 */
	IR_STRING_EQUAL,   /* dst = 0/1; cheaper */
	IR_STRING_LENGTH,  /* dst = length of mem, cap imm */

	/*
	 * Calls of the run-time library (bpf/library.h): dst = function(mem of
	 * capacity imm, source of capacity imm2, a, b).  Both start on 8
	 * bytes.  CALL_READ only reads, CALL_WRITE may change mem.
	 */
	IR_CALL_READ, IR_CALL_WRITE,

	/* the world; dst = ... */
	IR_QUERY,	/* enum ir_query in imm */
	IR_COMM,	/* mem (16 bytes) = name of the current task */
	/*
	 * mem (imm bytes) = return addresses, innermost first, of the kernel's
	 * stack, 8 bytes each; the rest is 0.  dst (if not 0) = how many.
	 * The innermost imm2 are left out.
	 */
	IR_STACK,
	/*
	 * The same for the user's; in front of them is a word with the process
	 * and what became of the walk.  imm2: enum unwind_flags (bpf/unwind.h).
	 * a: the process, and UNWIND_IN_KERNEL if the kernel was interrupted.
	 * source: IR_WALK_SIZE bytes for the walk.
	 */
	IR_USTACK,

	/* control */
	IR_GOTO,	/* target */
	IR_BRANCH,	/* a != 0: target, else otherwise */
	IR_RETURN,	/* end of the firing */
	IR_CONTINUE,	/* the firing continues in program imm */
	IR_FAULT_IF,	/* a != 0: fault code imm, value b (or none), to target */
	IR_FAULT,	/* always: fault code imm, value b, to target */
	/*
	 * Routine imm is executed until it leaves with a number that is not 0,
	 * at most a times; dst = how often.
	 */
	IR_LOOP,
	/*
	 * Routine imm, which is a function, is executed once; dst = what it
	 * leaves with: not 0 when it has noted a fault.
	 */
	IR_INVOKE,
	IR_LEAVE,	/* end of a routine's turn, with imm */
	/* The fault that a routine noted: note a, value b, to target. */
	IR_FAULT_AGAIN,

	/* records; see ir/abi.h */
	/*
	 * claim imm bytes for clause imm2, probe id a, stamped with time b
	 * (0: now), so that what the clause sees as timestamp and the order
	 * of records agree; full: target.  With a speculation in that one;
	 * also to target when it is not active
	 */
	IR_RECORD_BEGIN,
	IR_RECORD_END,	 /* publish */
	IR_RECORD_DROP,	 /* give it back unseen (after a fault) */
	IR_FAULT_RECORD, /* report the noted fault of clause imm2, probe id a */
	IR_EXIT,	 /* stop tracing, exit status a */
	IR_SPECULATION,	 /* dst = a fresh speculation, or 0 */
	IR_COMMIT,	 /* the speculation, if active; clause imm2, probe a */
	IR_DISCARD,	 /* the same */

	/*
	 * aggregations: what `slots` says is done to the entry of aggregation
	 * imm with key mem (FRAME, key_size bytes; IR_NOWHERE when key_size
	 * is 0)
	 */
	IR_AGGREGATE,

	/*
	 * associative arrays: element of array imm whose key is at source
	 * (FRAME, key_size bytes); its value is a scalar of `size` bytes or
	 * value_size bytes at mem (FRAME).  An element that is absent reads as
	 * 0, and a scalar 0 is stored by removing it.  No room: the store is
	 * lost and counted in state.dynamic_drops.
	 */
	IR_ARRAY_LOAD,	 /* dst = scalar */
	IR_ARRAY_READ,	 /* mem = value */
	/* dst (if not 0) = elements gained: -1, 0, 1 */
	IR_ARRAY_STORE,	 /* scalar = a */
	IR_ARRAY_WRITE,	 /* value = mem, even if that is 0 */
	IR_ARRAY_DELETE,
	/* scalar += a, atomically (size 4 or 8); dst = what it was */
	IR_ARRAY_ADD,
	/* remove every element whose key starts with the words a, b */
	IR_ARRAY_SWEEP,

	/*
	 * Things only some providers need, by number (enum ir_intrinsic in
	 * imm): dst = f(a, b).
	 */
	IR_INTRINSIC,
	IR_OP_COUNT
};

enum ir_query {
	IR_QUERY_TIMESTAMP,	/* monotonic ns */
	IR_QUERY_WALLTIME,	/* ns since 1970 UTC */
	IR_QUERY_BOOTTIME,	/* as TIMESTAMP, and time suspended */
	IR_QUERY_PID_TGID,	/* tgid << 32 | tid */
	IR_QUERY_UID_GID,	/* gid << 32 | uid */
	IR_QUERY_CPU,
	IR_QUERY_TASK,		/* current task_struct as a number */
	IR_QUERY_TASK_TYPED,	/* current task_struct for IR_TYPED loads */
	IR_QUERY_USER_REGS,	/* pt_regs of the user side, for IR_TYPED loads */
	IR_QUERY_RANDOM,
	IR_QUERY_FAULT_CODE, IR_QUERY_FAULT_VALUE, IR_QUERY_FAULT_SITE,
	IR_QUERY_FAULT_PROBE,	/* in ERROR clauses: what went wrong, where */
	IR_QUERY_FAULT_NOTE,	/* code and site in one, for IR_FAULT_AGAIN */
	IR_QUERY_TURN,		/* in a routine: how many were before this */
	IR_QUERY_COUNT
};

enum ir_intrinsic {
	IR_ATTACH_COOKIE,	/* dst = bpf_get_attach_cookie(ctx) */
	IR_CHILL,		/* wait a ns; dst = 0: too much for a second */
	IR_SEND_SIGNAL,		/* signal a to the current process; dst = 0 */
	IR_FUNCTION_ARGUMENT,	/* argument a (a constant) of a typed program */
	IR_FUNCTION_RESULT	/* what the function of a typed program returns */
};

/* Functions of the run-time library: FUNCTION_substr ... */
enum ir_function {
#define FUNCTION(name) FUNCTION_##name,
#include "bpf/functions.def"
#undef FUNCTION
	IR_FUNCTION_COUNT
};

/* Run-time faults; numbers are part of the interface (ERROR's arg4). */
enum fault {
	FAULT_UNKNOWN, FAULT_BADADDR, FAULT_BADALIGN, FAULT_ILLOP,
	FAULT_DIVZERO, FAULT_NOSCRATCH, FAULT_KPRIV, FAULT_UPRIV,
	FAULT_TUPOFLOW, FAULT_BADSTACK, FAULT_BADSIZE, FAULT_BADINDEX,
	FAULT_LOOPLIMIT,
	FAULT_COUNT
};

struct ir_block;
struct abi_state;

/*
 * What an update does to the words ("slots") of an aggregation's entry.  Each
 * change is atomic; between two of them the consumer may take what is there.
 */
enum ir_slot_op {
	IR_SLOT_ADD,		/* += value */
	IR_SLOT_MIN,		/* signed */
	IR_SLOT_MAX,
	IR_SLOT_ADD128,		/* += high:value, the low word first */
};

struct ir_slot_change {
	enum ir_slot_op op;
	uint32_t slot;
	ir_reg index; /* added to the slot; out of range: slot 0 */
	ir_reg value, high;
};

enum { IR_SLOT_CHANGES = 4, IR_SLOT_READS = 3 * IR_SLOT_CHANGES };
struct ir_slots {
	struct ir_slot_change changes[IR_SLOT_CHANGES];
	uint32_t count;
};

struct ir_insn {
	enum ir_op op;
	uint8_t size;
	bool is_signed;
	enum ir_function function; /* IR_CALL_* */
	ir_reg dst, a, b;
	int64_t imm, imm2;
	struct ir_mem mem, source;
	struct ir_block *target, *otherwise;
	ir_reg speculation;	/* records, COMMIT, DISCARD */
	struct ir_slots *slots; /* IR_AGGREGATE */
	struct place place;	/* the D expression it comes from */
	uint32_t site;		/* faults: number of the place, see sites */
	struct ir_insn *next;
};

struct ir_block {
	uint32_t number;
	const char *label; /* for the printer: "clause 2 fault" */
	/* Header of a loop: it may be jumped to from below. */
	bool is_header;
	struct ir_block *exit;	 /* of the loop: laid out after it */
	struct ir_insn *limited; /* the fault of too many turns */
	struct ir_insn *first, *last;
	struct ir_block *next; /* in layout order */
};

/* A piece of frame memory. */
struct ir_object {
	uint32_t size, align;
	const char *name;
	bool is_raw;	       /* its readers know that it was written */
	struct ir_insn *clear; /* in a loop: where it was made */
};

/*
 * Code that IR_LOOP or IR_INVOKE executes: the blocks from `entry` to the next
 * routine.  It sees the frame's objects, but neither the context nor registers
 * of who calls it; turns of a loop see the context.
 */
struct ir_routine {
	struct ir_block *entry; /* NULL: nothing calls it */
	struct ir_block *last;	/* while it is not laid out; then NULL */
	const char *name;
	struct place place;
	bool is_function; /* verified by itself, called by IR_INVOKE */
};

/*
 * An aggregation as the back end sees it.  Table entry: struct abi_agg_entry,
 * key_size bytes of key (multiple of 8, zero-padded), nvalues slots.  Which
 * function it is for is not known here: IR_AGGREGATE says how slots change.
 */
struct ir_aggregation {
	uint32_t key_size;
	/* of these the last bytes that are one string, zeroed after its end */
	uint32_t string_size;
	uint32_t nvalues;
	const int64_t *identities; /* what slots start with; NULL: 0 */
	/* Keys are few by their nature: they fit into the table. */
	bool is_small;
	const char *name;
};

/*
 * An associative array as the back end sees it: a hash table.  Sizes are
 * multiples of 8.
 */
struct ir_array {
	uint32_t key_size, value_size;
	bool is_self; /* the key starts with the thread */
	const char *name;
};

struct ir_program {
	struct arena *arena;
	struct ir_block *blocks, *last_block;
	uint32_t nblocks, nregs; /* registers 1 .. nregs */
	struct ir_object *objects;
	uint32_t nobjects;
	uint8_t *rodata; /* this program's constants */
	uint32_t rodata_size, rodata_capacity;
	/* Sites of faults: statement number in clause, for messages. */
	struct ir_site {
		uint32_t clause, statement; /* statement 0 = predicate */
		struct place place;
		const char *function; /* written in D, or NULL */
		uint32_t line;	      /* of that function */
		uint64_t count; /* elements of the array that is indexed */
	} * sites;
	uint32_t nsites;
	/* aggregations of the session, index = imm of IR_AGGREGATE */
	const struct ir_aggregation *aggregations;
	uint32_t naggregations;
	/* arrays of the session, index = imm of IR_ARRAY_* */
	const struct ir_array *arrays;
	uint32_t narrays;
	struct ir_routine *routines; /* laid out after everything else */
	uint32_t nroutines;
	struct ir_mem turns;  /* what loops share; nowhere: nothing yet */
	uint32_t max_record;  /* largest record claimed */
	uint32_t skip_frames; /* what IR_STACK leaves out */
	bool marks_function;  /* ... and marks: ABI_OWN_FRAME */
};

/* -------------------------------------------------------------- builder */

struct ir_builder {
	struct ir_program *program;
	struct ir_block *block; /* where instructions go */
	struct ir_block *fault; /* where faults of the clause go */
	struct place place;
	uint32_t clause, statement; /* for fault sites */
	uint32_t first_site;	    /* those before belong to others */
	const char *function;	    /* the D function, or NULL */
	struct place in_function;   /* the statement in it */
	uint32_t loop_depth;	    /* loops around the current block */
	bool is_repeated;	    /* code that a firing may execute again */
};

struct ir_program *ir_new(struct arena *arena);
ir_reg ir_reg_new(struct ir_program *program);
struct ir_block *ir_block_new(struct ir_builder *b, const char *label);
/* Continue in `block`; falls through from the current one if that is open. */
void ir_enter(struct ir_builder *b, struct ir_block *block);
/*
 * A loop: code between begin, which yields its header, and end, which goes back
 * to the header and continues in `exit`.  What is laid out between them is the
 * loop; it is entered through the header only.
 */
struct ir_block *ir_loop_begin(struct ir_builder *b);
void ir_loop_end(struct ir_builder *b, struct ir_block *header,
		 struct ir_block *exit);
/*
 * A function that is compiled once: its code between begin, which puts the
 * builder aside, and end, which yields the number for IR_INVOKE.  It ends with
 * ir_leave(); its faults go to the block that the caller of begin provides.
 */
struct ir_function_state {
	struct ir_builder builder;
	struct ir_block *blocks, *last_block;
};
void ir_function_begin(struct ir_builder *b, struct ir_function_state *aside);
uint32_t ir_function_end(struct ir_builder *b,
			 const struct ir_function_state *aside,
			 const char *name);
/* The code is thrown away. */
void ir_function_drop(struct ir_builder *b,
		      const struct ir_function_state *aside);
ir_reg ir_invoke(struct ir_builder *b, uint32_t routine);
/* The same sites for the current statement; the number of the first. */
uint32_t ir_sites_copy(struct ir_builder *b, uint32_t first, uint32_t count);
void ir_leave(struct ir_builder *b, int64_t value);
struct ir_insn *ir_emit(struct ir_builder *b, enum ir_op op);
/* One that can fault: with the clause's target and a site. */
struct ir_insn *ir_emit_faulting(struct ir_builder *b, enum ir_op op);

ir_reg ir_const(struct ir_builder *b, int64_t value);
/* A register that has this value when the program starts. */
ir_reg ir_const_at_start(struct ir_builder *b, int64_t value);
ir_reg ir_binary(struct ir_builder *b, enum ir_op op, ir_reg x, ir_reg y);
ir_reg ir_binary_imm(struct ir_builder *b, enum ir_op op, ir_reg x, int64_t y);
ir_reg ir_unary(struct ir_builder *b, enum ir_op op, ir_reg x);
void ir_move(struct ir_builder *b, ir_reg dst, ir_reg src);
ir_reg ir_extend(struct ir_builder *b, ir_reg x, unsigned size, bool is_signed);
ir_reg ir_load(struct ir_builder *b, struct ir_mem mem, unsigned size,
	       bool is_signed);
void ir_store(struct ir_builder *b, struct ir_mem mem, ir_reg x, unsigned size);
void ir_atomic_add(struct ir_builder *b, struct ir_mem mem, ir_reg x,
		   unsigned size);
void ir_copy(struct ir_builder *b, struct ir_mem to, struct ir_mem from,
	     uint32_t size);
void ir_clear(struct ir_builder *b, struct ir_mem mem, uint32_t size);
/* This object of the frame need not be zeroed. */
void ir_object_raw(struct ir_builder *b, struct ir_mem mem);
ir_reg ir_address(struct ir_builder *b, struct ir_mem mem);
ir_reg ir_query(struct ir_builder *b, enum ir_query query);
ir_reg ir_intrinsic(struct ir_builder *b, enum ir_intrinsic which, ir_reg x,
		    ir_reg y);
void ir_stack(struct ir_builder *b, struct ir_mem to, uint32_t size);
/* The same, and how many frames there are. */
ir_reg ir_stack_depth(struct ir_builder *b, struct ir_mem to, uint32_t size);
/* flags, who: imm2 and a of IR_USTACK. */
ir_reg ir_ustack(struct ir_builder *b, struct ir_mem to, uint32_t size,
		 uint32_t flags, ir_reg who);
void ir_goto(struct ir_builder *b, struct ir_block *target);
void ir_branch(struct ir_builder *b, ir_reg condition, struct ir_block *yes,
	       struct ir_block *no);
void ir_return(struct ir_builder *b);
void ir_fault_if(struct ir_builder *b, ir_reg condition, enum fault fault,
		 ir_reg value);
void ir_fault(struct ir_builder *b, enum fault fault, ir_reg value);
/* An index that is not below `count` is a fault, which names both. */
void ir_fault_index(struct ir_builder *b, ir_reg index, uint64_t count);
/* Checked read of a scalar at a kernel or user address. */
ir_reg ir_read_scalar(struct ir_builder *b, enum ir_space space, ir_reg address,
		      unsigned size, bool is_signed);
void ir_read(struct ir_builder *b, struct ir_mem to, enum ir_space space,
	     ir_reg address, uint32_t size);
ir_reg ir_read_string(struct ir_builder *b, struct ir_mem to,
		      enum ir_space space, ir_reg address, uint32_t capacity);
ir_reg ir_read_string_limited(struct ir_builder *b, struct ir_mem to,
			      enum ir_space space, ir_reg address,
			      uint32_t capacity, ir_reg most);

ir_reg ir_read_args(struct ir_builder *b, struct ir_mem to, uint32_t capacity,
		    ir_reg address, ir_reg count);

struct ir_insn *ir_string_copy(struct ir_builder *b, struct ir_mem to,
			       uint32_t capacity, struct ir_mem from,
			       uint32_t from_capacity);
struct ir_insn *ir_string_take(struct ir_builder *b, struct ir_mem to,
			       uint32_t capacity, struct ir_mem from,
			       uint32_t from_capacity);
/* op: IR_STRING_EQUAL or IR_STRING_COMPARE */
ir_reg ir_string_test(struct ir_builder *b, enum ir_op op, struct ir_mem x,
		      uint32_t x_capacity, struct ir_mem y,
		      uint32_t y_capacity);
ir_reg ir_string_length(struct ir_builder *b, struct ir_mem mem,
			uint32_t capacity);
/* op: IR_CALL_READ or IR_CALL_WRITE */
ir_reg ir_call(struct ir_builder *b, enum ir_op op, enum ir_function function,
	       struct ir_mem mem, uint32_t mem_capacity, struct ir_mem source,
	       uint32_t source_capacity, ir_reg x, ir_reg y);
/* slot (+ index, if not 0) of the entry changes by the value. */
void ir_slot(struct ir_slots *slots, enum ir_slot_op op, uint32_t slot,
	     ir_reg value);
void ir_slot_indexed(struct ir_slots *slots, enum ir_slot_op op, ir_reg index,
		     ir_reg value);
/* slot and the next one, a number of 128 bits, grow by high:low. */
void ir_slot_add128(struct ir_slots *slots, uint32_t slot, ir_reg low,
		    ir_reg high);
void ir_aggregate(struct ir_builder *b, uint32_t aggregation, struct ir_mem key,
		  const struct ir_slots *slots);
/* Has the current block its last instruction already? */
bool ir_is_closed(const struct ir_builder *b);

/*
 * Frame memory and constants; objects start on 8 bytes.  One that is made in a
 * loop is zeroed each time.
 */
struct ir_mem ir_object(struct ir_builder *b, uint32_t size, const char *name);
struct ir_mem ir_rodata(struct ir_program *program, const void *bytes,
			uint32_t size, uint32_t align);
struct ir_mem ir_mem_at(struct ir_mem mem, int64_t offset);

/* Space `space` at a fixed offset, or at an address in a register. */
static inline struct ir_mem ir_mem_of(enum ir_space space, int64_t offset)
{
	return (struct ir_mem){ .space = space, .offset = offset };
}
static inline struct ir_mem ir_mem_from(enum ir_space space, ir_reg base,
					int64_t offset)
{
	return (struct ir_mem){ .space = space,
				.base = base,
				.offset = offset };
}

/* --------------------------------------------------------------- passes */

static inline bool ir_calls_routine(const struct ir_insn *insn)
{
	return insn->op == IR_LOOP || insn->op == IR_INVOKE;
}

/* What an instruction does, for passes and printers. */
enum ir_op_flags {
	IR_HAS_DST = 1 << 0,	/* may write dst */
	IR_ENDS_BLOCK = 1 << 1,
	IR_MAY_JUMP = 1 << 2,	/* to target, from the middle of a block */
	IR_IS_PURE = 1 << 3,	/* only dst: may be removed or repeated */
	IR_READS_MEM = 1 << 4,
	IR_WRITES_MEM = 1 << 5,
	IR_READS_SOURCE = 1 << 6,
};
const char *ir_op_name(enum ir_op op);
unsigned ir_op_flags(enum ir_op op);
const char *ir_query_name(enum ir_query query);
const char *ir_function_name(enum ir_function function);
const char *fault_name(enum fault fault); /* "BADADDR" */
/* Registers that an instruction reads; at most IR_MAX_READS. */
enum { IR_MAX_READS = 5 + IR_SLOT_READS };
unsigned ir_reads(const struct ir_insn *insn, ir_reg reads[IR_MAX_READS]);
/* Blocks numbered in layout order. */
void ir_renumber(struct ir_program *program);

/*
 * What all loops of a firing share, in words of program->turns: turns that were
 * done, when the first look at the clock was, and what loops have taken since a
 * look, which is a guess.  ERROR's clauses have turns and time of their own.
 */
enum {
	TURNS_DONE = 0,
	TURNS_BEGAN = 8,
	TURNS_UNSEEN = 16,
	TURNS_OF_ERROR = 24,
	TURNS_TIME_OF_ERROR = 32,
	TURNS_SIZE = 40,
};
enum {
	LOOPS_LOOK_NS = 1000 * 1000, /* between two looks, about */
	LOOPS_MOST_NS = 6 * 1000 * 1000,
	LOOPS_OF_ERROR_MOST_NS = 1000 * 1000,
};
/* Room for these words, which the caller fills. */
void ir_turns_make(struct ir_builder *b);

/* Loops of few, known turns become copies of their blocks.  Before the next. */
void ir_unroll(struct ir_program *program, uint32_t looplimit);
/*
 * Loops become routines.  looplimit: most turns of all loops in one firing;
 * has_deadline: loops also end when they take too long.  Before other passes.
 */
void ir_outline(struct ir_program *program, uint32_t looplimit,
		bool has_deadline);
/* Folds, removes dead code, merges repeated queries; keeps the meaning. */
void ir_optimize(struct ir_program *program);
/* Invariants 1-3 and definedness; NULL or what is wrong (tests, asserts). */
const char *ir_verify(const struct ir_program *program);
void ir_print(const struct ir_program *program, struct text *out);

/* ---------------------------------------------------------- interpreter */

/* A change whose index was added and whose registers were read. */
struct ir_slot_value {
	enum ir_slot_op op;
	uint32_t slot;
	uint64_t value, high;
};
/* As programs do it: to the values of an entry. */
void ir_slot_apply(int64_t *values, const struct ir_slot_value *change);

/* The world that an interpreted program sees. */
struct ir_world {
	uint64_t queries[IR_QUERY_COUNT];
	char comm[16];
	struct abi_state *state; /* NULL: reads 0 */
	uint8_t *globals;
	size_t globals_size;
	uint8_t *self;
	size_t self_size;
	uint64_t *context;
	size_t ncontext;
	/* kernel and user memory: returns false for a bad address */
	bool (*read)(void *data, enum ir_space space, uint64_t address,
		     void *to, size_t size);
	void *data;
	/* what came out */
	struct text records; /* whole records, abi layout */
	/* one update: its changes, with numbers in place of registers */
	void (*aggregate)(void *data, uint32_t aggregation, const void *key,
			  const struct ir_slot_value *values, uint32_t count);
	/* elements of associative arrays, made by the program itself */
	struct ir_element {
		uint32_t array;
		uint8_t *key, *value;
		struct ir_element *next;
	} * elements;
	struct arena *arena; /* of the elements; NULL: no arrays */
	enum fault fault;    /* last one */
	uint64_t fault_value;
	uint32_t nfaults;
	bool exited;
	int64_t exit_status;
};

/* 0, or a negative errno for a malformed program. */
int ir_run(const struct ir_program *program, struct ir_world *world);
