/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside unwind.bpf.c: stacks that cannot be walked here are copied into slots,
 * for user space.
 */

#include "machine.h"
#include "runtime.h"
#include "unwind_state.h"

/* A pointer whose bounds the verifier keeps. */
INLINE char *slot_at(const char *table, uint64_t n)
{
	const char *slot = table;

	asm volatile(
		"%[n] &= %[most]\n"
		"%[n] *= %[size]\n"
		"%[slot] += %[n]\n"
		: [n] "+r"(n), [slot] "+r"(slot)
		: [most] "i"(UNWIND_SLOTS - 1), [size] "i"(UNWIND_SLOT_SIZE));
	return (char *)slot + UNWIND_SLOTS_AT;
}

INLINE void slot_put(char *slot, uint64_t n, uint64_t value)
{
	((volatile uint64_t *)slot)[n] = value;
}

/* A free slot becomes the walk's; its number, or 0. */
static NOINLINE uint64_t claim_slot(struct walk *w)
{
	uint64_t *last = (uint64_t *)w->table + UNWIND_LAST_ID;
	uint64_t id = __sync_fetch_and_add(last, 1) + 1;
	char *slot = slot_at(w->table, id);

	if (__sync_val_compare_and_swap((uint64_t *)slot, 0, 1))
		return 0;
	slot_put(slot, SLOT_ID, id);
	slot_put(slot, SLOT_MORE, 0);
	slot_put(slot, SLOT_LENGTH, 0);
	w->s->slot = id;
	w->s->length = 0;
	return id;
}

/* What follows goes into another slot. */
INLINE uint64_t claim_more(struct walk *w)
{
	char *slot = slot_at(w->table, w->s->slot);
	uint64_t id = claim_slot(w);

	slot_put(slot, SLOT_MORE, id);
	return id;
}

static long copy_language_turn(uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t n = turn;
	char *to = slot_at(w->table, s->slot);
	uint64_t frame = word_at((const char *)s->language, n * WORD,
				 UNWIND_LANGUAGE);

	asm volatile("%[n] &= %[most]\n"
		     "%[n] <<= 3\n"
		     "%[to] += %[n]\n"
		     : [n] "+r"(n), [to] "+r"(to)
		     : [most] "i"(UNWIND_LANGUAGE / WORD - 1));
	slot_put(to, SLOT_LANGUAGE, frame);
	return 0;
}

/* Up to the end of a page: the next one may not be mapped. */
static long copy_turn(uint32_t turn, void *context)
{
	enum { PAGES = UNWIND_COPY / PAGE };
	struct walk *w = context;
	struct state *s = w->s;

	if (turn && !(turn & (PAGES - 1)) && !claim_more(w))
		return 1;
	uint64_t from = s->from, length = s->length;
	uint64_t size = PAGE - (from & (PAGE - 1));
	char *slot = slot_at(w->table, s->slot), *to = slot;

	asm volatile("%[size] += -1\n"
		     "%[size] &= 4095\n"
		     "%[size] += 1\n"
		     "%[length] &= %[most]\n"
		     "%[to] += %[length]\n"
		     : [size] "+r"(size), [length] "+r"(length), [to] "+r"(to)
		     : [most] "i"(UNWIND_COPY - 1));
	if (bpf_probe_read_user(to + UNWIND_SLOT_HEAD, (uint32_t)size,
				(const void *)from))
		return 1;
	s->from = from + size;
	s->length += size;
	slot_put(slot, SLOT_LENGTH, s->length);
	return 0;
}

static long copy_instance_turn(uint32_t turn, void *context)
{
	struct walk *w = context;
	uint64_t at = w->s->instances, n = turn;
	char *to = slot_at(w->table, w->s->slot);

	asm volatile("%[n] &= 15\n"
		     "%[n] <<= 4\n"
		     "%[to] += %[n]\n"
		     : [n] "+r"(n), [to] "+r"(to));
	slot_put(to, SLOT_INSTANCES, 0);
	if (!at)
		return 1;
	slot_put(to, SLOT_INSTANCES,
		 kernel_word(at + header(w, UNWIND_INSTANCE_STACK)));
	slot_put(to, SLOT_INSTANCES + 1,
		 kernel_word(at + header(w, UNWIND_INSTANCE_RETURN)));
	w->s->instances = kernel_word(at + header(w, UNWIND_INSTANCE_NEXT));
	return 0;
}

/*
 * Where a copy begins: below the stack pointer, if there is memory.  A function
 * that is about to return has popped registers, and its rules still say that
 * they are on the stack.
 */
INLINE uint64_t begin_of(struct state *s)
{
	return s->first_sp -
	       ARCH_RED_ZONE * read_user(s, s->first_sp - ARCH_RED_ZONE);
}

/*
 * The stack goes into a slot, or several for many frames; the number of the
 * first, or 0: none is free.
 */
static NOINLINE uint64_t copy_stack(struct walk *w, uint64_t pid,
				    uint64_t layout, uint64_t exact)
{
	struct state *s = w->s;
	uint64_t id = claim_slot(w);
	char *slot = slot_at(w->table, id);
	uint64_t parts = 1 + CAP_MEM(w->caps) / (UNWIND_PART_FRAMES * WORD);

	if (!id)
		return 0;
	s->from = begin_of(s);
	s->instances = s->first_instances;
	slot_put(slot, SLOT_PID, pid);
	slot_put(slot, SLOT_TID, (uint32_t)bpf_get_current_pid_tgid());
	slot_put(slot, SLOT_LAYOUT, layout);
	slot_put(slot, SLOT_EXACT, exact);
	slot_put(slot, SLOT_PC, s->first_pc);
	slot_put(slot, SLOT_SP, s->first_sp);
	slot_put(slot, SLOT_FP, s->first_fp);
	slot_put(slot, SLOT_FROM, s->from);
	slot_put(slot, SLOT_CAP, CAP_MEM(w->caps));
	slot_put(slot, SLOT_TIME, bpf_ktime_get_ns());
	slot_put(slot, SLOT_THREAD, s->thread);
	slot_put(slot, SLOT_REGISTERS, s->user[0]);
	slot_put(slot, SLOT_REGISTERS + 1, s->user[1]);
	slot_put(slot, SLOT_REGISTERS + 2, s->user[2]);
	slot_put(slot, SLOT_REGISTERS + 3, s->user[3]);
	slot_put(slot, SLOT_REGISTERS + 4, s->user[4]);
	slot_put(slot, SLOT_REGISTERS + 5, s->user[5]);
	slot_put(slot, SLOT_CODE, user_word(s->first_pc));
	slot_put(slot, SLOT_CALL, user_word(user_word(s->first_sp) - WORD));
	repeat(UNWIND_INSTANCE_MOST, copy_instance_turn, w);
	slot_put(slot, SLOT_LANGUAGE, 0);
	/* with the 0 behind it */
	if (s->collected)
		repeat(s->collected / WORD + 1, copy_language_turn, w);
	if (parts > UNWIND_PARTS)
		parts = UNWIND_PARTS;
	repeat(parts * (UNWIND_COPY / PAGE), copy_turn, w);
	__sync_fetch_and_add((uint64_t *)slot, 1);
	return id;
}
