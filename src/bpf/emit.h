/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A program under construction: instructions in order, labels that are bound
 * when their place is reached, references to maps that the loader fills in.  A
 * jump that is too far, or another error, is noted in `problem`; emitting
 * continues and bpf_generate() checks at the end.
 */

#include "bpf/bpf.h"
#include "bpf/encode.h"

typedef uint32_t label;

struct emitter {
	struct arena *arena;
	struct bpf_insn *insns;
	struct place *places;
	uint32_t count;
	struct bpf_reloc *relocs;
	uint32_t nrelocs;
	/* where each label is (UINT32_MAX: not bound yet) */
	uint32_t *labels;
	uint32_t nlabels;
	struct fixup {
		uint32_t insn;
		label to;
	} * fixups;
	uint32_t nfixups;
	struct place place;	    /* of what is being emitted */
	struct bpf_problem problem; /* the first; text NULL: none */
};

void emit(struct emitter *e, struct bpf_insn insn);
label label_new(struct emitter *e);
void label_bind(struct emitter *e, label to);
/* Jumps by label; the constructors' distance is given as 0. */
void emit_jump(struct emitter *e, struct bpf_insn jump, label to);
void emit_goto(struct emitter *e, label to);

/* dst = value, in the shortest form */
void emit_const(struct emitter *e, int dst, int64_t value);
/* dst = src; nothing when they are the same */
void emit_mov(struct emitter *e, int dst, int src);
/* dst += amount; nothing when it is 0 */
void emit_add(struct emitter *e, int dst, int64_t amount);
void emit_map(struct emitter *e, int dst, enum bpf_map_role role,
	      uint32_t index);
void emit_map_value(struct emitter *e, int dst, enum bpf_map_role role,
		    uint32_t offset);
/* dst = the callback, whose place is not known yet */
void emit_function(struct emitter *e, int dst);
void emit_fail(struct emitter *e, const char *text);
/* The same for a program that would work if it were smaller. */
void emit_fail_large(struct emitter *e, const char *text);
/* Patch all jumps. */
void emit_finish(struct emitter *e);
