/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside unwind.bpf.c: what the kernel's probes do to a thread, undone.
 *
 * 1. Functions whose return is intercepted have another address on the stack;
 *    theirs is in a list of the thread.
 * 2. A probed instruction runs in a slot of a page that the process does not
 *    know about; a return that was intercepted goes through the same page.
 * 3. A nop that is probed may be made a call, of code in another such page.
 * 4. Where there is a breakpoint the address is behind it for a moment.
 *
 * In a copy that is walked natively, 2 to 4 are already resolved, and it has
 * its own list for 1.
 */

#include "unwind_state.h"
#include "walk.h"

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
	     pair[0];
	     pair += 2)
		if (pair[0] == place)
			w->s->word = pair[1];
}
#endif

#ifdef __bpf__

/* A word of struct uprobe_task; 0 if the kernel or the thread has none. */
INLINE uint64_t utask_word(const struct walk *w, enum unwind_word n)
{
	uint64_t utask = w->s->utask, at = header(w, n);

	return utask && at ? kernel_word(utask + at) : 0;
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
 * kernel was asked, then in what it used last, and on the stack.  Where that is
 * done by a breakpoint, or the kernel is doing it, nothing is pushed.
 *
 * Linux before 6.14 keeps nothing that it used, and writes to the stack last:
 * for a moment the caller is nowhere, and there is the function's result.  So
 * what is found on the stack is a return address only if it is one of code.
 */
static NOINLINE uint64_t leave_return(struct walk *w, uint64_t offset)
{
	struct state *s = w->s;
	uint64_t pushed = walk_pushed_at_return(offset);

	if (leave_by_instance(w, s->instances, pushed) ||
	    leave_by_instance(w, utask_word(w, UNWIND_USED), pushed))
		return 1;
	if (!pushed || !read_user(s, s->sp + pushed - WORD))
		return 0;
	s->pc = s->word;
	s->sp += pushed;
	s->is_exact = 0;
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
	s->from = kernel_word(at); /* the list's links come first */
	return 0;
}

/*
 * The trampoline of nops that the thread is in becomes s->base; 0: in none.
 * Linux 6.18 has a list of them, Linux 7 has not: it is known by its code.
 */
static NOINLINE uint64_t find_trampoline(struct walk *w, uint64_t state)
{
	enum { CODE_BYTES = 21, TRAMPOLINES = 16 };
	struct state *s = w->s;

	if (header(w, UNWIND_TRAMPOLINES)) {
		s->from = kernel_word(state + header(w, UNWIND_TRAMPOLINES));
		repeat(TRAMPOLINES, trampoline_turn, w);
		return s->from;
	}
	s->base = s->pc & ~(uint64_t)(PAGE - 1);
	return s->pc - s->base < CODE_BYTES &&
	       walk_is_nop_code(user_word(s->base));
}

/*
 * An address that is the kernel's own, shown to the process for its probes,
 * becomes the program's; 0: it is not.
 */
static NOINLINE uint64_t leave_machinery(struct walk *w)
{
	enum { SLOT_BYTES = 128 };
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
		uint64_t offset =
			s->pc - kernel_word(area + header(w, UNWIND_XOL_START));

		if (offset < SLOT_BYTES)
			return leave_return(w, offset);
	}
	if (!find_trampoline(w, state))
		return 0;
	return walk_leave_nop(w, s->pc - s->base);
}

/*
 * Between the breakpoint of a probe and the moment that the kernel deals with
 * it the address may be behind it.  Nobody runs there in the kernel for another
 * reason, unless a probed instruction is as short as a breakpoint and the next
 * is probed, too.
 */
static NOINLINE void leave_breakpoint(struct walk *w)
{
	struct state *s = w->s;

	if (!s->utask || !header(w, UNWIND_HANDLED) ||
	    utask_word(w, UNWIND_ACTIVE) || utask_word(w, UNWIND_HANDLED) ||
	    !read_user(s, s->pc - WORD))
		return;
	if (walk_is_breakpoint(s->word))
		s->pc -= WALK_BREAKPOINT;
}
#else
static uint64_t leave_machinery(struct walk *w)
{
	(void)w;
	return 0;
}
#endif
