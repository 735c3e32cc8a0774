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
 *    has been sign- or zero-extended by who loaded it, and what is computed
 *    from it is not cut again (lower_expr.c).
 * 2. Faults are explicit: IR_FAULT_IF and the *_fault instructions leave the
 *    clause through their `target` block after noting code, value and site.
 *    Nothing else faults.
 * 3. Control flow only goes forward (no loops) until an issue brings loops:
 *    every target comes later in layout order, and once lowering is done
 *    `number` of a block is its position there.  Every block ends in one of
 *    GOTO, BRANCH, RETURN, FAULT.
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

typedef uint32_t ir_reg;	/* 0 = none */

enum { IR_WALK_SIZE = 256 };

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
	IR_STATE,	/* the session's control words (bpf/abi.h) */
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
	/* dst = (a OP b) ? 1 : 0; b = 0 means the immediate */
	IR_EQ, IR_NE, IR_ULT, IR_ULE, IR_UGT, IR_UGE,
	IR_SLT, IR_SLE, IR_SGT, IR_SGE,
	IR_EXTEND,	/* dst = low `size` bytes of a, per is_signed */

	/* memory; size is 1, 2, 4 or 8 */
	IR_LOAD,	/* dst = mem; GLOBAL FRAME SELF RECORD RODATA CONTEXT TYPED STATE */
	IR_STORE,	/* mem = a */
	IR_ATOMIC_ADD,	/* mem += a (size 4 or 8) */
	IR_COPY,	/* mem = source, imm bytes; not KERNEL or USER */
	IR_CLEAR,	/* imm bytes of mem = 0; b (if not 0): so many of them */
	/*
	 * dst = address of mem (TYPED KERNEL USER), only for IR_READ*.  Also
	 * of imm bytes of a FRAME object, which may be read by that address
	 * and are zeroed before, unless it is raw; the word behind them is
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
	 * the rest of the imm bytes is zeroed.  dst (if not 0) = length
	 * without the NUL.  b (if not 0): at most so many bytes before the
	 * NUL are read.
	 */
	IR_READ_STRING,
	/*
	 * mem (imm bytes) = what is in b bytes of user memory at a, at most
	 * imm - 1 of them, with blanks for NULs among them and zeros behind;
	 * dst = how many, 0 when they cannot be read.  No fault.
	 */
	IR_READ_ARGS,
	/* dst = value of `size` bytes at kernel/user address a, checked. */
	IR_READ_SCALAR,
	/*
	 * The other way: b bytes, at most imm, of mem (FRAME) are written to
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
	/* The same for a source with anything behind its NUL: char arrays. */
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
	IR_CONTINUE,	/* the firing goes on in program imm */
	IR_FAULT_IF,	/* a != 0: fault code imm, value b (or none), to target */
	IR_FAULT,	/* always: fault code imm, value b, to target */

	/* records; see bpf/abi.h */
	/*
	 * claim imm bytes for clause imm2, probe id a, stamped with time b
	 * (0: now), so that what the clause sees as timestamp and the order
	 * of records agree; full: target.  With
	 * values[0] in that speculation; also to target when it is not active
	 */
	IR_RECORD_BEGIN,
	IR_RECORD_END,	 /* publish */
	IR_RECORD_DROP,	 /* give it back unseen (after a fault) */
	IR_FAULT_RECORD, /* report the noted fault of clause imm2, probe id a */
	IR_EXIT,	 /* stop tracing, exit status a */
	IR_SPECULATION,	 /* dst = a fresh speculation, or 0 */
	IR_COMMIT,	 /* speculation values[0], if active; clause imm2, probe a */
	IR_DISCARD,	 /* the same */

	/*
	 * aggregations: one update of aggregation imm with key mem (FRAME,
	 * key_size bytes; IR_NOWHERE when key_size is 0); values[0] is the
	 * value, values[1] the increment (0: 1)
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
	IR_QUERY_BOOTTIME,	/* as TIMESTAMP, and the machine's sleep */
	IR_QUERY_PID_TGID,	/* tgid << 32 | tid */
	IR_QUERY_UID_GID,	/* gid << 32 | uid */
	IR_QUERY_CPU,
	IR_QUERY_TASK,		/* current task_struct as a number */
	IR_QUERY_TASK_TYPED,	/* current task_struct for IR_TYPED loads */
	IR_QUERY_USER_REGS,	/* pt_regs of the user side, for IR_TYPED loads */
	IR_QUERY_RANDOM,
	IR_QUERY_FAULT_CODE, IR_QUERY_FAULT_VALUE, IR_QUERY_FAULT_SITE,
	IR_QUERY_FAULT_PROBE,	/* in ERROR clauses: what went wrong, where */
	IR_QUERY_COUNT
};

enum ir_intrinsic {
	IR_ATTACH_COOKIE,	/* dst = bpf_get_attach_cookie(ctx) */
	IR_CHILL,		/* wait a ns; dst = 0: too much for a second */
	IR_SEND_SIGNAL,		/* signal a to the current process; dst = 0 */
	IR_FUNCTION_ARGUMENT,	/* argument a (a constant) of a typed program */
	IR_FUNCTION_RESULT,	/* what the function of a typed program returns */
	IR_INTRINSIC_COUNT
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
	FAULT_COUNT
};

struct ir_block;
struct abi_state;

struct ir_insn {
	enum ir_op op;
	uint8_t size;
	bool is_signed;
	enum ir_function function;	/* IR_CALL_* */
	ir_reg dst, a, b;
	int64_t imm, imm2;
	struct ir_mem mem, source;
	struct ir_block *target, *otherwise;
	ir_reg values[4];	/* IR_AGGREGATE: value, increment ... */
	struct place place;	/* the D expression it comes from */
	uint32_t site;		/* faults: number of the place, see sites */
	struct ir_insn *next;
};

struct ir_block {
	uint32_t number;
	const char *label;	/* for the printer: "clause 2 fault" */
	struct ir_insn *first, *last;
	struct ir_block *next;	/* in layout order */
};

/* A piece of frame memory. */
struct ir_object {
	uint32_t size, align;
	const char *name;
	bool is_raw;	/* who reads it has seen to it that it was written */
};

/*
 * An aggregation as the back end and the consumer see it.  Table entry:
 * struct abi_agg_entry, key_size bytes of key (multiple of 8, zero-padded),
 * nvalues 64-bit words.  How values are updated is `update`.
 */
enum agg_update {
	AGG_COUNT,	/* v0 += 1 */
	AGG_SUM,	/* v0 += x */
	AGG_MIN, AGG_MAX,
	AGG_AVG,	/* v0 += 1, v1 += x */
	AGG_STDDEV,	/* v0 += 1, v1 += x, v2:v3 += x * x */
	AGG_QUANTIZE,	/* v[bucket(x)] += inc */
	AGG_LQUANTIZE,	/* params: base, limit, step */
	AGG_LLQUANTIZE,	/* params: factor, low, high, steps */
};

struct ir_aggregation {
	enum agg_update update;
	uint32_t key_size;
	/* of these the last bytes that are one string, zeroed behind its end */
	uint32_t string_size;
	uint32_t nvalues;
	int64_t params[4];
	const char *name;
};

/*
 * An associative array as the back end sees it: a hash table.  Sizes are
 * multiples of 8.
 */
struct ir_array {
	uint32_t key_size, value_size;
	bool is_self;		/* the key starts with the thread */
	const char *name;
};

struct ir_program {
	struct arena *arena;
	struct ir_block *blocks, *last_block;
	uint32_t nblocks, nregs;	/* registers 1 .. nregs */
	struct ir_object *objects;
	uint32_t nobjects;
	uint8_t *rodata;		/* this program's constants */
	uint32_t rodata_size, rodata_capacity;
	/* Sites of faults: statement number in clause, for messages. */
	struct ir_site {
		uint32_t clause, statement;	/* statement 0 = predicate */
		struct place place;
		uint64_t count;	/* elements of the array that is indexed */
	} *sites;
	uint32_t nsites;
	/* aggregations of the session, index = imm of IR_AGGREGATE */
	const struct ir_aggregation *aggregations;
	uint32_t naggregations;
	/* arrays of the session, index = imm of IR_ARRAY_* */
	const struct ir_array *arrays;
	uint32_t narrays;
	bool uses_self, uses_task_typed;
	uint32_t max_record;		/* largest record claimed */
	uint32_t skip_frames;		/* what IR_STACK leaves out */
};

/* -------------------------------------------------------------- builder */

struct ir_builder {
	struct ir_program *program;
	struct ir_block *block;		/* where instructions go */
	struct ir_block *fault;		/* where faults of the clause go */
	struct place place;
	uint32_t clause, statement;	/* for fault sites */
};

struct ir_program *ir_new(struct arena *arena);
ir_reg ir_reg_new(struct ir_program *program);
struct ir_block *ir_block_new(struct ir_builder *b, const char *label);
/* Go on in `block`; falls through from the current one if that is open. */
void ir_enter(struct ir_builder *b, struct ir_block *block);
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
/* Has the current block its last instruction already? */
bool ir_is_closed(const struct ir_builder *b);

/* Frame memory and constants; objects start on 8 bytes. */
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
	return (struct ir_mem){ .space = space, .base = base,
				.offset = offset };
}

/* --------------------------------------------------------------- passes */

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
const char *fault_name(enum fault fault);	/* "BADADDR" */
/* Registers that an instruction reads; at most IR_MAX_READS. */
enum { IR_MAX_READS = 8 };
unsigned ir_reads(const struct ir_insn *insn, ir_reg reads[IR_MAX_READS]);
/* Blocks numbered in layout order. */
void ir_renumber(struct ir_program *program);

/* Folds, removes dead code, merges repeated queries; keeps the meaning. */
void ir_optimize(struct ir_program *program);
/* Invariants 1-3 and definedness; NULL or what is wrong (tests, asserts). */
const char *ir_verify(const struct ir_program *program);
void ir_print(const struct ir_program *program, struct text *out);

/* ---------------------------------------------------------- interpreter */

/* The world that an interpreted program sees. */
struct ir_world {
	uint64_t queries[IR_QUERY_COUNT];
	char comm[16];
	struct abi_state *state;	/* NULL: reads 0 */
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
	struct text records;		/* whole records, abi layout */
	void (*aggregate)(void *data, uint32_t aggregation, const void *key,
			  const uint64_t *values);
	/* elements of associative arrays, made by the program itself */
	struct ir_element {
		uint32_t array;
		uint8_t *key, *value;
		struct ir_element *next;
	} *elements;
	struct arena *arena;		/* of the elements; NULL: no arrays */
	enum fault fault;		/* last one */
	uint64_t fault_value;
	uint32_t nfaults;
	bool exited;
	int64_t exit_status;
};

/* 0, or a negative errno for a malformed program. */
int ir_run(const struct ir_program *program, struct ir_world *world);
