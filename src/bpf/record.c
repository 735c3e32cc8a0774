/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records, faults and the end: everything that user space gets to see.
 *
 * A record is claimed in this CPU's ring, or that of a speculation, by
 * compare-and-exchange on head and written in place.  A program that interrupts
 * us between the two makes the exchange fail, and we try again; after
 * CLAIM_TRIES failures (each of them another program's record) the record is
 * counted as dropped.  Its size, in one word with its kind, is stored last:
 * abi.h.
 *
 * A fault is noted in two hidden registers on its way to the clause's fault
 * block; a program whose fault block does not read them pays nothing.
 */
#include "arch/arch.h"
#include "bpf/gen.h"

#include <stddef.h>

enum { CLAIM_TRIES = 4 };

/* Bytes that a record of `size` takes: bufpolicy=ring adds its size again. */
static uint32_t claimed_size(const struct gen *g, uint32_t size)
{
	return g->config->policy == POLICY_RING ? size + 8 : size;
}

void wake_consumer(struct gen *g, enum abi_control kind)
{
	out(g, insn_store_imm(4, R10,
			      TEMP_MESSAGE +
				      (int)offsetof(struct abi_message, kind),
			      kind));
	out(g, insn_store_imm(4, R10,
			      TEMP_MESSAGE +
				      (int)offsetof(struct abi_message, probe),
			      0));
	emit_map(&g->e, R1, MAP_CONTROL, 0);
	out(g, insn_mov(R2, R10));
	emit_add(&g->e, R2, TEMP_MESSAGE);
	out(g, insn_mov_imm(R3, sizeof(struct abi_message)));
	out(g, insn_mov_imm(R4, BPF_RB_FORCE_WAKEUP));
	out(g, insn_call(BPF_FUNC_ringbuf_output));
}

/* bufpolicy=fill: tracing is over; only END, whose loss counts, comes later. */
static void stop_full(struct gen *g, label full)
{
	label count = label_new(&g->e);

	emit_map_value(&g->e, R1, MAP_STATE, 0);
	out(g, insn_load(4, R0, R1, offsetof(struct abi_state, phase)));
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R0, PHASE_ACTIVE, 0), count);
	out(g, insn_store_imm(4, R1, offsetof(struct abi_state, filled), 1));
	out(g, insn_store_imm(4, R1, offsetof(struct abi_state, phase),
			      PHASE_STOPPED));
	out(g, insn_mov_imm(R0, 0));
	out(g,
	    insn_store(8, R10,
		       TEMP_MESSAGE + (int)offsetof(struct abi_message, value),
		       R0));
	wake_consumer(g, CONTROL_WAKE);
	emit_goto(&g->e, full);
	label_bind(&g->e, count);
}

/*
 * R5 is a ring.  Its head moves on by `size` bytes: R1 is where it was, R3
 * where it is.  More than `room` bytes in use: to `drop`.
 */
static void move_head(struct gen *g, uint64_t room, uint32_t size,
		      bool overwrites, label drop)
{
	label again = label_new(&g->e), claimed = label_new(&g->e);

	out(g, insn_mov_imm(R4, CLAIM_TRIES));
	label_bind(&g->e, again);
	out(g, insn_load(8, R1, R5, offsetof(struct abi_ring, head)));
	out(g, insn_mov(R3, R1));
	emit_add(&g->e, R3, size);
	if (!overwrites) {
		out(g, insn_load(8, R2, R5, offsetof(struct abi_ring, tail)));
		out(g, insn_mov(R0, R3));
		out(g, insn_alu(BPF_SUB, R0, R2));
		emit_jump(&g->e, insn_jump_imm(BPF_JGT, R0, (int32_t)room, 0),
			  drop);
	}
	out(g, insn_mov(R0, R1));
	out(g, insn_atomic(8, BPF_CMPXCHG, R5, offsetof(struct abi_ring, head),
			   R3));
	emit_jump(&g->e, insn_jump(BPF_JEQ, R0, R1, 0), claimed);
	emit_add(&g->e, R4, -1);
	emit_jump(&g->e, insn_jump_imm(BPF_JNE, R4, 0, 0), again);
	emit_goto(&g->e, drop);
	label_bind(&g->e, claimed);
}

/* bufpolicy=ring: R3 is the new head of R5; the way back is written there. */
static void write_trailer(struct gen *g, uint64_t ring, uint32_t size)
{
	emit_add(&g->e, R3, -8);
	out(g, insn_alu_imm(BPF_AND, R3, (int32_t)(ring - 8)));
	out(g, insn_alu(BPF_ADD, R3, R5));
	out(g, insn_store_imm(8, R3, sizeof(struct abi_ring), (int32_t)size));
}

/* R5 = the bytes at head R1 of ring R5 */
static void point(struct gen *g, uint64_t ring)
{
	/* The mask right before the addition: 6.1, "unbounded memory access". */
	out(g, insn_alu_imm(BPF_AND, R1, (int32_t)(ring - 8)));
	out(g, insn_alu(BPF_ADD, R5, R1));
	emit_add(&g->e, R5, sizeof(struct abi_ring));
}

static void check_sizes(struct gen *g, uint64_t ring, uint32_t size)
{
	if (!ring || ring > INT32_MAX || size > ring || (ring & (ring - 1)))
		emit_fail(
			&g->e,
			"a record does not fit the principal buffer (raise bufsize)");
	if (size > g->config->max_record && size > sizeof(struct abi_fault) + 8)
		emit_fail(&g->e, "a record is longer than the longest planned");
}

/*
 * R5 = pointer to `size` claimed bytes; no room: the drop is counted and
 * control goes to `full`.
 */
static void claim(struct gen *g, uint32_t size, label full)
{
	enum abi_policy policy = g->config->policy;
	uint64_t ring = g->config->ring_size;
	label drop = label_new(&g->e), claimed = label_new(&g->e);

	check_sizes(g, ring, size);
	lookup_cpu(g, MAP_RINGS, 0, full);
	out(g, insn_mov(R5, R0));
	move_head(g, ring, size, policy == POLICY_RING, drop);
	emit_goto(&g->e, claimed);

	label_bind(&g->e, drop);
	if (policy == POLICY_FILL && !g->config->counts_lost) {
		/* the ring is not needed when tracing stops here */
		out(g, insn_store(8, R10, TEMP_B, R5));
		stop_full(g, full);
		out(g, insn_load(8, R5, R10, TEMP_B));
	}
	out(g, insn_mov_imm(R1, 1));
	out(g,
	    insn_atomic(8, BPF_ADD, R5, offsetof(struct abi_ring, drops), R1));
	emit_goto(&g->e, full);

	label_bind(&g->e, claimed);
	if (policy == POLICY_RING && g->config->counts_lost) {
		out(g, insn_mov_imm(R0, 1));
		out(g, insn_atomic(8, BPF_ADD, R5,
				   offsetof(struct abi_ring, claims), R0));
	}
	if (policy == POLICY_RING)
		write_trailer(g, ring, size);
	point(g, ring);
	if (policy == POLICY_RING)
		out(g, insn_store_imm(8, R5, 0, 0));
}

/* The same in speculation `id`, if it is active. */
static void claim_speculative(struct gen *g, uint32_t id, uint32_t size,
			      label full)
{
	uint64_t ring = g->config->spec_size;
	label drop = label_new(&g->e), claimed = label_new(&g->e);

	check_sizes(g, ring, size);
	spec_ring(g, id, full);
	out(g, insn_mov(R5, R0));
	move_head(g, g->config->spec_limit, size, false, drop);
	emit_goto(&g->e, claimed);
	label_bind(&g->e, drop);
	count_in_state(g, offsetof(struct abi_state, spec_drops));
	emit_goto(&g->e, full);
	label_bind(&g->e, claimed);
	point(g, ring);
}

/* Make [R1] visible: R0 = kind << 32 | size.  All other stores come before. */
static void publish(struct gen *g, uint32_t size, enum abi_kind kind)
{
	emit_const(&g->e, R0, (int64_t)((uint64_t)kind << 32 | size));
	out(g, ARCH_STORES_IN_ORDER ? insn_store(8, R1, 0, R0)
				    : insn_atomic(8, BPF_XCHG, R1, 0, R0));
}

/* Claimed at R5, with everything in the header but size and kind. */
static void claim_header(struct gen *g, const struct ir_insn *insn,
			 uint32_t size, uint32_t speculation, label full)
{
	/* A caller that knows the time hands it over. */
	if (!insn->b) {
		out(g, insn_call(BPF_FUNC_ktime_get_ns));
		out(g, insn_store(8, R10, TEMP_A, R0));
	}
	size = claimed_size(g, size);
	if (speculation)
		claim_speculative(g, speculation, size, full);
	else
		claim(g, size, full);
	out(g, insn_store_imm(4, R5, offsetof(struct abi_record, clause),
			      (int32_t)insn->imm2));
	out(g, insn_store(4, R5, offsetof(struct abi_record, probe),
			  use(g, insn->a, R0)));
	if (insn->b)
		use_in(g, insn->b, R0);
	else
		out(g, insn_load(8, R0, R10, TEMP_A));
	out(g, insn_store(8, R5, offsetof(struct abi_record, stamp), R0));
}

/* It overwrites an old record: what is not written must read 0. */
static void clear_record(struct gen *g, uint32_t size)
{
	struct spot spot = {
		.reg = use(g, hidden_reg(g, HIDDEN_RECORD), R1),
		.offset = sizeof(struct abi_record),
	};

	if (size > sizeof(struct abi_record))
		clear_bytes(g, spot,
			    size - (uint32_t)sizeof(struct abi_record));
}

/*
 * Between the look at a speculation's state and the claim it may have been
 * committed; the consumer that empties it then has not seen our claim, so it is
 * void.  If it is still active, our claim will be seen and waited for.
 */
static void recheck(struct gen *g, const struct ir_insn *insn, uint32_t size,
		    label gone)
{
	label fine = label_new(&g->e);

	spec_locate(g, insn->speculation, R4);
	out(g, insn_load(8, R0, R4, 0));
	out(g, insn_load(8, R1, R10, TEMP_B));
	emit_jump(&g->e, insn_jump(BPF_JEQ, R0, R1, 0), fine);
	out(g, insn_mov(R1, R5));
	publish(g, size, RECORD_VOID);
	emit_goto(&g->e, gone);
	label_bind(&g->e, fine);
}

static void record_begin(struct gen *g, const struct ir_insn *insn)
{
	label full = g->blocks[block_of(g, insn->target)].label;
	uint32_t size = (uint32_t)insn->imm;

	claim_header(g, insn, size, insn->speculation, full);
	if (insn->speculation)
		recheck(g, insn, claimed_size(g, size), full);
	define(g, hidden_reg(g, HIDDEN_RECORD), R5);
	if (!insn->speculation && g->config->policy == POLICY_RING)
		clear_record(g, size);
}

static void record_end(struct gen *g, const struct step *step,
		       enum abi_kind kind)
{
	use_in(g, hidden_reg(g, HIDDEN_RECORD), R1);
	publish(g, claimed_size(g, step->record_size), kind);
}

void record_claim(struct gen *g, const struct ir_insn *insn, uint32_t size,
		  label full)
{
	claim_header(g, insn, size, 0, full);
}

void record_publish(struct gen *g, uint32_t size, enum abi_kind kind)
{
	out(g, insn_mov(R1, R5));
	publish(g, claimed_size(g, size), kind);
}

static void fault_record(struct gen *g, const struct ir_insn *insn)
{
	uint32_t note = hidden_reg(g, HIDDEN_NOTE);
	label full = label_new(&g->e);

	claim_header(g, insn, sizeof(struct abi_fault), 0, full);
	use_in(g, note, R0);
	out(g, insn_mov(R1, R0));
	out(g, insn_alu_imm(BPF_RSH, R0, NOTE_CODE_SHIFT));
	out(g, insn_store(4, R5, offsetof(struct abi_fault, code), R0));
	out(g, insn_alu_imm(BPF_AND, R1, (1 << NOTE_CODE_SHIFT) - 1));
	out(g, insn_store(4, R5, offsetof(struct abi_fault, site), R1));
	out(g, insn_store_imm(4, R5, offsetof(struct abi_fault, program),
			      (int32_t)g->config->program_index));
	out(g, insn_store_imm(4, R5, offsetof(struct abi_fault, pc), 0));
	out(g, insn_store(8, R5, offsetof(struct abi_fault, value),
			  use(g, hidden_reg(g, HIDDEN_FAULT_VALUE), R0)));
	record_publish(g, sizeof(struct abi_fault), RECORD_FAULT);
	label_bind(&g->e, full);
	if (!is_dead(g, hidden_reg(g, HIDDEN_FAULT_PROBE)))
		define(g, hidden_reg(g, HIDDEN_FAULT_PROBE),
		       use(g, insn->a, R0));
}

void gen_record(struct gen *g, const struct step *step)
{
	switch (step->insn->op) {
	case IR_RECORD_BEGIN:
		record_begin(g, step->insn);
		break;
	case IR_RECORD_END:
		record_end(g, step, RECORD_DATA);
		break;
	case IR_RECORD_DROP:
		record_end(g, step, RECORD_VOID);
		break;
	default:
		fault_record(g, step->insn);
	}
}

void gen_fault(struct gen *g, const struct ir_insn *insn, enum fault fault,
	       uint32_t value)
{
	uint32_t noted = hidden_reg(g, HIDDEN_FAULT_VALUE);
	uint32_t note = hidden_reg(g, HIDDEN_NOTE);
	int32_t target_block = block_of(g, insn->target);

	if (insn->site >> NOTE_CODE_SHIFT)
		emit_fail(&g->e, "too many places that can fault");
	/* Where the notes are not read, their homes may be in use. */
	if (!is_live_in(&g->homes, target_block, noted))
		noted = 0;
	if (!is_live_in(&g->homes, target_block, note))
		note = 0;
	if (!is_dead(g, noted)) {
		if (!value)
			out(g, insn_mov_imm(R0, 0));
		define(g, noted, value ? use(g, value, R0) : R0);
	}
	if (!is_dead(g, note)) {
		int at = target(g, note, R0);

		emit_const(&g->e, at,
			   (int64_t)fault << NOTE_CODE_SHIFT | insn->site);
		define(g, note, at);
	}
	emit_goto(&g->e, g->blocks[block_of(g, insn->target)].label);
}

void gen_fault_again(struct gen *g, const struct ir_insn *insn)
{
	uint32_t noted = hidden_reg(g, HIDDEN_FAULT_VALUE);
	uint32_t note = hidden_reg(g, HIDDEN_NOTE);
	int32_t target_block = block_of(g, insn->target);

	use_in(g, insn->a, R0);
	use_in(g, insn->b, R1);
	if (is_live_in(&g->homes, target_block, noted))
		define(g, noted, R1);
	if (is_live_in(&g->homes, target_block, note))
		define(g, note, R0);
	emit_goto(&g->e, g->blocks[target_block].label);
}

void gen_exit(struct gen *g, const struct ir_insn *insn)
{
	emit_map_value(&g->e, R1, MAP_STATE, 0);
	out(g, insn_store(8, R1, offsetof(struct abi_state, exit_status),
			  use(g, insn->a, R0)));
	out(g,
	    insn_store_imm(4, R1, offsetof(struct abi_state, exit_called), 1));
	out(g, insn_store_imm(4, R1, offsetof(struct abi_state, phase),
			      PHASE_STOPPED));
	out(g,
	    insn_store(8, R10,
		       TEMP_MESSAGE + (int)offsetof(struct abi_message, value),
		       use(g, insn->a, R0)));
	wake_consumer(g, CONTROL_EXIT);
}
