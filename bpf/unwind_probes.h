/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside unwind.bpf.c: what the kernel's probes do to a thread, undone.
 *
 * 1. Functions whose return is intercepted have another address on the stack;
 *    theirs is in a list of the thread.
 * 2. A probed instruction is run in a slot of a page that the process does not
 *    know of; a return that was intercepted goes through the same page.
 * 3. A nop that is probed may be made a call, of code in another such page.
 * 4. Where there is a breakpoint the address is one too high for a moment.
 *
 * A copy that is walked natively has 2 to 4 behind it, and its own list for 1.
 */

#include "unwind_state.h"

#ifdef __bpf__
static long instance_turn(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t at = s->instances;

	if (!at)
		return 1;
	uint64_t stack = kernel_word(at + header(w, UNWIND_INSTANCE_STACK));

	if (stack > s->want)
		return 1;
	if (stack == s->want) {
		s->word = kernel_word(at + header(w, UNWIND_INSTANCE_RETURN));
		return 1;
	}
	s->instances = kernel_word(at + header(w, UNWIND_INSTANCE_NEXT));
	return 0;
}

/* s->word is from that place: a return address, if it was not intercepted. */
static void repair_return(struct walk *w, uint64_t place)
{
	if (!w->s->instances)
		return;
	w->s->want = place;
	repeat(64, instance_turn, w);
}
#else
static void repair_return(struct walk *w, uint64_t place)
{
	for (const uint64_t *pair = unwind_instances;
	     pair && pair < unwind_instances + 2 * UNWIND_INSTANCE_MOST &&
	     pair[0]; pair += 2)
		if (pair[0] == place)
			w->s->word = pair[1];
}
#endif

#ifdef __bpf__

/* A word of struct uprobe_task; 0 where the kernel or the thread has none. */
INLINE uint64_t utask_word(const struct walk *w, enum unwind_word n)
{
	uint64_t utask = w->s->utask, at = header(w, n);

	return utask && at ? kernel_word(utask + at) : 0;
}

/*
 * Bytes pushed by a trampoline when it is at an instruction: three bits for
 * each byte of its code, as a number of words.
 */
#define PUSHED_AT_RETURN 0x00014db6db6db488ull
#define PUSHED_AT_NOP 0x000149b6db6db448ull
INLINE uint64_t pushed_at(uint64_t pushed, uint64_t offset)
{
	return (pushed >> (offset * 3 & 63) & 7) * WORD;
}

/* Is it the return of this instance that is under way? */
INLINE uint64_t leave_by_instance(struct walk *w, uint64_t instance,
				  uint64_t pushed)
{
	struct state *s = w->s;
	uint64_t above = kernel_word(instance +
				     header(w, UNWIND_INSTANCE_STACK)) +
			 WORD - s->sp;

	if (!instance || (above && above != pushed))
		return 0;
	s->pc = kernel_word(instance + header(w, UNWIND_INSTANCE_RETURN));
	s->sp += above;
	return 1;
}

/*
 * In the trampoline of returns: the caller is in the kernel's list until the
 * kernel was asked, then in what it used last, and on the stack.  Where that
 * is done by a breakpoint, or the kernel is at it, nothing is pushed.
 */
static NOINLINE uint64_t leave_return(struct walk *w, uint64_t offset)
{
	struct state *s = w->s;
	uint64_t pushed = pushed_at(PUSHED_AT_RETURN, offset);

	if (leave_by_instance(w, s->instances, pushed) ||
	    leave_by_instance(w, utask_word(w, UNWIND_USED), pushed))
		return 1;
	if (!pushed || !read_user(s, s->sp + pushed - WORD))
		return 0;
	s->pc = s->word;
	s->sp += pushed;
	return 1;
}

/* Is there the return address of a call of the trampoline at s->base? */
static NOINLINE uint64_t is_nop_call(struct state *s, uint64_t place)
{
	uint64_t address = user_word(place);
	uint64_t code = user_word(address - WORD);

	s->word = address;
	return (code >> 24 & 0xff) == 0xe8 &&
	       address + (uint64_t)((int64_t)code >> 32) == s->base;
}

/*
 * The call has 5 bytes; before it may be a jump over the red zone.  While the
 * kernel is at it nothing may be pushed any more.
 */
static NOINLINE uint64_t leave_nop(struct walk *w, uint64_t offset)
{
	enum { CALL = 5, LEA = 5, RED_ZONE = 128 };
	static const uint64_t lea = 0x8024648d48;	/* -128(%rsp), %rsp */
	struct state *s = w->s;
	uint64_t pushed = pushed_at(PUSHED_AT_NOP, offset);

	if (is_nop_call(s, s->sp + pushed))
		s->sp += pushed + WORD;
	else if (!is_nop_call(s, s->sp - WORD))
		return 0;
	s->pc = s->word - CALL;
	if (read_user(s, s->pc - LEA) && (s->word & 0xffffffffff) == lea) {
		s->pc -= LEA;
		s->sp += RED_ZONE;
	}
	return 1;
}

static long trampoline_turn(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t at = s->from;

	if (!at)
		return 1;
	s->base = kernel_word(at + header(w, UNWIND_TRAMPOLINE_START));
	if (s->pc - s->base < PAGE)
		return 1;
	s->from = kernel_word(at);	/* the list's links come first */
	return 0;
}

/*
 * An address that is the kernel's own, shown to the process for its probes,
 * becomes the program's; 0: it is not.
 */
static NOINLINE uint64_t leave_machinery(struct walk *w)
{
	enum { SLOT_BYTES = 128, TRAMPOLINES = 16 };
	struct state *s = w->s;
	uint64_t slot = utask_word(w, UNWIND_XOL_SLOT);

	if (slot && s->pc - slot < SLOT_BYTES) {
		s->pc += utask_word(w, UNWIND_PROBED) - slot;
		return 1;
	}
	if (!s->is_exact || !header(w, UNWIND_MM_UPROBES))
		return 0;
	uint64_t mm = kernel_word(bpf_get_current_task() +
				  header(w, UNWIND_TASK_MM));
	uint64_t state = mm + header(w, UNWIND_MM_UPROBES);
	uint64_t area = kernel_word(state + header(w, UNWIND_XOL_AREA));

	if (area) {
		uint64_t offset = s->pc - kernel_word(area +
			header(w, UNWIND_XOL_START));

		if (offset < SLOT_BYTES)
			return leave_return(w, offset);
	}
	if (!header(w, UNWIND_TRAMPOLINES))
		return 0;
	s->from = kernel_word(state + header(w, UNWIND_TRAMPOLINES));
	repeat(TRAMPOLINES, trampoline_turn, w);
	return s->from ? leave_nop(w, s->pc - s->base) : 0;
}

/*
 * Between the breakpoint of a probe and the moment that the kernel deals with
 * it the address is one too high.  Nobody runs there in the kernel for another
 * reason, unless a probed instruction is one byte long and the next is probed,
 * too; or behind breakpoints that a linker filled a gap with.
 */
static NOINLINE void leave_breakpoint(struct walk *w)
{
	enum { BREAKPOINT = 0xcc };
	struct state *s = w->s;

	if (!s->utask || !header(w, UNWIND_HANDLED) ||
	    utask_word(w, UNWIND_ACTIVE) || utask_word(w, UNWIND_HANDLED) ||
	    !read_user(s, s->pc - WORD))
		return;
	if (s->word >> 56 == BREAKPOINT &&
	    (s->word >> 48 & 0xff) != BREAKPOINT)
		s->pc--;
}
#else
static uint64_t leave_machinery(struct walk *w)
{
	(void)w;
	return 0;
}
#endif
