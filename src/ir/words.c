/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of frame memory are written whole.
 *
 * A key is made of parts: a number of four bytes in a word that was cleared, a
 * string that is copied from where it was put a moment ago.  Then it is hashed
 * by words.  A processor that reads a word of which parts have just been written
 * separately waits for all of them, a dozen cycles each time.  So, inside a
 * block:
 *
 * 1. a number that is stored at the start of a word of zeros is extended and
 *    stored as a word;
 * 2. a copy of words that are known to be in registers stores the registers;
 *    dce.c removes the first copy if nothing else reads it;
 * 3. a clear is removed if all its words are overwritten before anything reads
 *    them.
 */

#include "ir/internal.h"

enum {
	MOST_KNOWN = 16,
	MOST_COPIED = 32, /* bytes */
	MOST_CLEARED = 64 * 8,
};

/* What is in a word of an object; reg 0: zeros. */
struct known_word {
	uint32_t object;
	int64_t offset;
	ir_reg reg;
};

struct widener {
	struct ir_program *program;
	struct known_word known[MOST_KNOWN];
	unsigned count;
	bool changed;
};

static bool is_plain(const struct ir_mem *mem)
{
	return mem->space == IR_FRAME && !mem->base && mem->offset % 8 == 0;
}

static bool mentions(const struct ir_insn *insn, uint32_t object)
{
	return (insn->mem.space == IR_FRAME && insn->mem.object == object) ||
	       (insn->source.space == IR_FRAME &&
		insn->source.object == object);
}

static const struct known_word *find(const struct widener *w, uint32_t object,
				     int64_t offset)
{
	for (unsigned i = 0; i < w->count; i++)
		if (w->known[i].object == object &&
		    w->known[i].offset == offset)
			return &w->known[i];
	return NULL;
}

static void forget_register(struct widener *w, ir_reg reg)
{
	for (unsigned i = w->count; reg && i-- > 0;)
		if (w->known[i].reg == reg)
			w->known[i] = w->known[--w->count];
}

/* Bytes offset .. offset + size of an object. */
static void forget(struct widener *w, uint32_t object, int64_t offset,
		   int64_t size)
{
	for (unsigned i = w->count; i-- > 0;) {
		const struct known_word *word = &w->known[i];

		if (word->object == object && word->offset < offset + size &&
		    offset < word->offset + 8)
			w->known[i] = w->known[--w->count];
	}
}

static void forget_object(struct widener *w, const struct ir_mem *mem)
{
	if (mem->space == IR_FRAME)
		forget(w, mem->object, 0, INT32_MAX);
}

static void learn(struct widener *w, uint32_t object, int64_t offset,
		  ir_reg reg)
{
	if (w->count < MOST_KNOWN)
		w->known[w->count++] = (struct known_word){ object, offset,
							    reg };
}

/* ------------------------------------------------------------------ rules */

/* A new instruction before the one that `link` leads to. */
static struct ir_insn *insert(struct widener *w, struct ir_insn ***link,
			      enum ir_op op)
{
	struct ir_insn *insn = arena_new_of(w->program->arena, struct ir_insn);

	insn->op = op;
	insn->place = (**link)->place;
	insn->next = **link;
	**link = insn;
	*link = &insn->next;
	w->changed = true;
	return insn;
}

static ir_reg insert_unary(struct widener *w, struct ir_insn ***link,
			   enum ir_op op, ir_reg a, int64_t imm)
{
	struct ir_insn *insn = insert(w, link, op);

	insn->a = a;
	insn->imm = imm;
	insn->dst = ir_reg_new(w->program);
	return insn->dst;
}

static void widen_store(struct widener *w, struct ir_insn **link)
{
	struct ir_insn *store = *link;
	const struct known_word *word;

	if (!is_plain(&store->mem) || store->size == 8)
		return;
	word = find(w, store->mem.object, store->mem.offset);
	if (!word || word->reg)
		return;

	struct ir_insn *extend = insert(w, &link, IR_EXTEND);

	extend->a = store->a;
	extend->size = store->size;
	extend->dst = ir_reg_new(w->program);
	store->a = extend->dst;
	store->size = 8;
}

/* Are all words of the copy known?  Strings of one size end with a NUL. */
static bool is_known(const struct widener *w, const struct ir_insn *copy)
{
	if (!is_plain(&copy->mem) || !is_plain(&copy->source) || !copy->imm ||
	    copy->imm % 8 || copy->imm > MOST_COPIED ||
	    copy->mem.object == copy->source.object ||
	    (copy->op == IR_STRING_COPY && copy->imm != copy->imm2))
		return false;
	for (int64_t at = 0; at < copy->imm; at += 8)
		if (!find(w, copy->source.object, copy->source.offset + at))
			return false;
	return true;
}

/* Stores before the copy, which becomes the store of the last word. */
static void store_copied(struct widener *w, struct ir_insn **link)
{
	struct ir_insn *copy = *link;
	int64_t last = copy->imm - 8;

	for (int64_t at = 0; at <= last; at += 8) {
		ir_reg reg = find(w, copy->source.object,
				  copy->source.offset + at)
				     ->reg;

		if (!reg) {
			reg = insert_unary(w, &link, IR_CONST, 0, 0);
		} else if (at == last && copy->op == IR_STRING_COPY) {
			/* its last byte is the NUL */
			reg = insert_unary(w, &link, IR_SHL, reg, 8);
			reg = insert_unary(w, &link, IR_LSR, reg, 8);
		}

		struct ir_insn *store = insert(w, &link, IR_STORE);

		store->mem = copy->mem;
		store->mem.offset += at;
		store->a = reg;
		store->size = 8;
		forget(w, store->mem.object, store->mem.offset, 8);
		learn(w, store->mem.object, store->mem.offset, reg);
	}
	*copy = (struct ir_insn){ .op = IR_NOP,
				  .place = copy->place,
				  .next = copy->next };
}

/* Is every word of the clear stored before the block does anything else? */
static bool is_overwritten(const struct ir_insn *clear)
{
	const struct ir_mem *mem = &clear->mem;
	uint64_t left = clear->imm < MOST_CLEARED
				? (UINT64_C(1) << clear->imm / 8) - 1
				: UINT64_MAX;

	if (!is_plain(mem) || clear->b || !clear->imm || clear->imm % 8 ||
	    clear->imm > MOST_CLEARED)
		return false;
	for (const struct ir_insn *insn = clear->next; insn && left;
	     insn = insn->next) {
		if (insn->op == IR_STORE && insn->size == 8 &&
		    is_plain(&insn->mem) && insn->mem.object == mem->object) {
			int64_t at = (insn->mem.offset - mem->offset) / 8;

			if (at >= 0 && at < 64)
				left &= ~(UINT64_C(1) << at);
			continue;
		}
		/* a jump, a routine or a read may see it by its address */
		if (mentions(insn, mem->object) ||
		    !(ir_is_arithmetic(insn->op) || insn->op == IR_NOP ||
		      insn->op == IR_LOAD || insn->op == IR_STORE ||
		      insn->op == IR_QUERY))
			return false;
	}
	return !left;
}

/* ------------------------------------------------------------------- walk */

static void note_write(struct widener *w, const struct ir_insn *insn)
{
	const struct ir_mem *mem = &insn->mem;

	if (insn->op == IR_STORE && mem->space == IR_FRAME && !mem->base) {
		forget(w, mem->object, mem->offset, insn->size);
		if (is_plain(mem) && insn->size == 8)
			learn(w, mem->object, mem->offset, insn->a);
	} else if (insn->op == IR_CLEAR && is_plain(mem) && !insn->b) {
		forget(w, mem->object, mem->offset, insn->imm);
		for (int64_t at = 0; at + 8 <= insn->imm; at += 8)
			learn(w, mem->object, mem->offset + at, 0);
	} else if (ir_calls_routine(insn)) {
		w->count = 0;
	} else if (insn->op != IR_LOAD && insn->op != IR_AGGREGATE) {
		forget_object(w, mem);
		/* a copy only reads its source, others may use it */
		if (insn->op != IR_COPY && insn->op != IR_STRING_COPY)
			forget_object(w, &insn->source);
	}
	forget_register(w, insn->dst);
}

static void widen_block(struct widener *w, struct ir_block *block)
{
	struct ir_insn **link = &block->first, *insn;

	w->count = 0;
	for (; (insn = *link); link = &insn->next) {
		if (insn->op == IR_STORE) {
			widen_store(w, link);
		} else if ((insn->op == IR_COPY ||
			    insn->op == IR_STRING_COPY) &&
			   is_known(w, insn)) {
			store_copied(w, link);
		} else if (insn->op == IR_CLEAR && is_overwritten(insn)) {
			*insn = (struct ir_insn){ .op = IR_NOP,
						  .place = insn->place,
						  .next = insn->next };
			w->changed = true;
		}
		note_write(w, insn);
	}
}

bool ir_widen_words(struct ir_program *program)
{
	struct widener w = { .program = program };

	for (struct ir_block *block = program->blocks; block;
	     block = block->next)
		widen_block(&w, block);
	return w.changed;
}
