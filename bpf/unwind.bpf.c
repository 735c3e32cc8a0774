/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's stack, complete without frame pointers.
 *
 * Tables made from .eh_frame (see unwind.h) say for every instruction of the
 * process's files how far it is to the caller's frame.  Where there are none,
 * in JIT code, frame pointers must do.  Functions whose return the kernel has
 * intercepted (uretprobes) have the wrong return address on the stack; the
 * right one is in the kernel's list.
 *
 * A process that is not known yet has its stack copied into a slot, for user
 * space to walk with this same code, natively, when it has read the tables.  So
 * the first stack of a process is as complete as the second.  The same happens
 * when a walk meets an address where nothing was mapped the last time that user
 * space looked.
 *
 * A thread at a probe runs a copy of the instruction elsewhere, or the kernel's
 * trampoline.  User space reports no mapping there, so this is checked only
 * then; the frame becomes the probed instruction.
 *
 * Everything in the pool may change while it is read, if user space has to
 * empty it.  Reads are bounded, so the worst case is a wrong frame, which the
 * epoch reveals: such a stack ends at once.
 */
#include "runtime.h"
#include "unwind_probes.h"
#ifdef __bpf__
#include "unwind_slot.h"
#endif

enum { REPAIRS = 4 }; /* iterations without a frame: leave_machinery() */
enum { TURNS = 6 };   /* for a frame, with runtimes */
static const uint64_t NO_MAPPING = 1; /* no rule is */

/* ------------------------------------------------------------- searching */

static long search_turn(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t low = s->low, high = s->high;

	if (high - low < 2)
		return 1;
	uint64_t middle = (low + high) >> 1;
	uint64_t value = table_word(w, s->base + (middle << (s->shift & 7)));

	if (s->shift == 3) /* rows: the address is the lower half */
		value &= 0xffffffff;
	if (value > s->want)
		s->high = middle;
	else
		s->low = middle;
	return 0;
}

/* The mapping of an address becomes the walk's; 0: none. */
static NOINLINE uint64_t find_mapping(struct walk *w, uint64_t address)
{
	struct state *s = w->s;
	uint64_t list = s->list;

	if (address - s->start < s->end - s->start)
		return 1;
	s->base = list + LIST_HEAD * WORD;
	s->shift = 5;
	s->low = 0;
	s->high = table_word(w, list + LIST_COUNT * WORD);
	s->want = address;
	repeat(16, search_turn, w);
	uint64_t entry = s->base + (s->low << 5);

	s->start = table_word(w, entry);
	s->end = table_word(w, entry + WORD);
	s->bias = table_word(w, entry + 2 * WORD);
	s->file = table_word(w, entry + 3 * WORD);
	return address - s->start < s->end - s->start;
}

/* Half words of the index of buckets. */
INLINE uint64_t bucket(const struct walk *w, uint64_t n)
{
	uint64_t word = table_word(w, w->s->file + 2 * WORD + (n >> 1) * WORD);

	return word >> ((n & 1) * 32) & 0xffffffff;
}

/* The row for an address in that mapping; 0 is a row, too: ROW_NONE. */
static NOINLINE uint64_t find_row(struct walk *w, uint64_t address)
{
	struct state *s = w->s;
	uint64_t file = s->file;
	uint64_t range = table_word(w, file);
	uint64_t want = address - s->bias;
	uint64_t n = (want - (range & 0xffffffff)) >> UNWIND_BUCKET_SHIFT;

	if (!file || n >= range >> 32)
		return 0;
	s->base = table_word(w, file + WORD);
	s->shift = 3;
	s->low = bucket(w, n);
	s->high = bucket(w, n + 1) + 1;
	s->want = want;
	repeat(12, search_turn, w);
	return table_word(w, s->base + (s->low << 3));
}

/* ------------------------------------------------------- one frame further */

static uint64_t fail(struct walk *w, uint64_t status)
{
	w->s->status = status;
	return 1;
}

/* The caller is where s->word says, which is from that place. */
INLINE uint64_t caller_found(struct walk *w, uint64_t place)
{
	struct state *s = w->s;

	repair_return(w, place);
	s->pc = s->word;
	s->sp = place + WORD;
	s->is_exact = 0;
	return 0;
}

/* The caller is where `place` says. */
static NOINLINE uint64_t return_to(struct walk *w, uint64_t place)
{
	if (!read_user(w->s, place))
		return fail(w, STACK_UNREADABLE);
	return caller_found(w, place);
}

/* Is what it was called from still on top of the stack? */
INLINE uint64_t has_no_frame(struct walk *w)
{
	struct state *s = w->s;

	if (!read_user(s, s->sp))
		return 0;
	uint64_t address = s->word;

	return find_mapping(w, address - 1) &&
	       walk_is_behind_call(s, address, s->pc);
}

/*
 * By frame pointers.  The innermost function may not have set up its frame yet,
 * may have removed it, or may never have one: its code shows that, or the
 * stack.
 */
static NOINLINE uint64_t step_by_pointer(struct walk *w)
{
	struct state *s = w->s;
	uint64_t place = s->fp;

	if (s->is_exact && read_user(s, s->pc)) {
		uint64_t code = s->word;

		if (walk_has_nothing_pushed(code))
			return return_to(w, s->sp);
		if (walk_has_pointer_pushed(code))
			return return_to(w, s->sp + WORD);
	}
	if (s->is_exact && has_no_frame(w))
		return return_to(w, s->sp);
	/* The frame pointer is 0 in the outermost function. */
	if (!place)
		return 1;
	if (place - s->sp >= 1 << 20 || (place & 7) || !read_user(s, place))
		return fail(w, STACK_NO_RULE);
	s->fp = s->word;
	if (return_to(w, place + WORD))
		return 1;
	/* Where nothing is known of mappings: is there a call before it? */
	return s->list == UNWIND_NOTHING && !walk_is_behind_call(s, s->pc, 0);
}

/* What a signal's handler returns to: registers of what it interrupted. */
static NOINLINE uint64_t step_by_signal(struct walk *w)
{
	struct state *s = w->s;
	uint64_t at = s->sp;

	if (!read_user(s, at + WALK_SIGNAL_FP))
		return fail(w, STACK_UNREADABLE);
	s->fp = s->word;
	if (!read_user(s, at + WALK_SIGNAL_SP))
		return fail(w, STACK_UNREADABLE);
	s->sp = s->word;
	if (!read_user(s, at + WALK_SIGNAL_PC))
		return fail(w, STACK_UNREADABLE);
	s->pc = s->word;
	s->is_exact = 1;
	return 0;
}

static NOINLINE uint64_t step_by_row(struct walk *w, uint64_t row)
{
	struct state *s = w->s;
	uint64_t kind = row >> 48 & 15;
	int64_t offset = ((int64_t)(row << 16) >> 48) * 8;
	int64_t saved_fp = ((int64_t)row >> 52) * 8;
	uint64_t cfa = s->sp + (uint64_t)offset;

	if (kind == ROW_SIGNAL)
		return step_by_signal(w);
	if (kind == ROW_FP)
		cfa = s->fp + (uint64_t)offset;
	if (kind == ROW_PLT)
		cfa = walk_linkage_cfa(s->pc, s->sp);
	if (kind == ROW_LOAD) {
		if (!read_user(s, s->fp + (uint64_t)offset))
			return fail(w, STACK_UNREADABLE);
		cfa = s->word;
		if (!read_user(s, s->fp))
			return fail(w, STACK_UNREADABLE);
		s->fp = s->word;
	}
	if (kind == ROW_END)
		return 1;
	/* Stacks only grow down, unless a signal has one of its own. */
	if (kind == ROW_UNKNOWN || cfa <= s->sp || (cfa & 7))
		return fail(w, STACK_NO_RULE);
	/* Mostly they are neighbours; to ask the kernel is the dear part. */
	if (saved_fp == -2 * WORD) {
		if (!read_pair(s, cfa - 2 * WORD))
			return fail(w, STACK_UNREADABLE);
		s->fp = s->below;
		return caller_found(w, cfa - WORD);
	}
	if (saved_fp) {
		if (!read_user(s, cfa + (uint64_t)saved_fp))
			return fail(w, STACK_UNREADABLE);
		s->fp = s->word;
	}
	return return_to(w, cfa - WORD);
}

/* Remembered rules belong to a list, and last until the pool is emptied. */
INLINE void remember_for(struct walk *w, uint64_t epoch)
{
	w->s->salt = (w->s->list ^ epoch << 32) * UNWIND_FACTOR;
}

/*
 * The rule for an address; the lower half is not its row's.  Stacks have much
 * in common with the last ones, so rules are remembered.
 */
INLINE uint64_t find_rule(struct walk *w, uint64_t address)
{
	struct state *s = w->s;
	uint64_t mix = (address + s->salt) * UNWIND_FACTOR;
	uint64_t at = UNWIND_RULES_AT + (mix >> UNWIND_RULE_SHIFT) * WORD;
	uint64_t tag = mix >> 20 & 0xffffffff;
	uint64_t rule = table_word(w, at);

	if ((rule & 0xffffffff) == tag)
		return rule;
	if (!find_mapping(w, address))
		return NO_MAPPING;
	rule = find_row(w, address) >> 32 << 32;
	if (rule)
		put_table_word(w, at, rule | tag);
	return rule;
}

/* Where the walk starts, for a copy. */
INLINE void keep_first(struct state *s)
{
	s->first_pc = s->pc;
	s->first_sp = s->sp;
	s->first_fp = s->fp;
	s->first_instances = s->instances;
}

INLINE long walk_turn(struct walk *w)
{
	struct state *s = w->s;
	uint64_t at = s->at;

	if (!s->pc)
		return 1;
	if (at >= s->limit) {
		s->status = STACK_FULL;
		return 1;
	}
	uint64_t address = s->pc - !s->is_exact;

	if (s->verdict == RUNTIME_UNKNOWN && s->block &&
	    is_runtime_code(w, address)) {
		s->rule = s->is_exact ? 0 : remembered_rule(w);
		if (!s->rule) {
			start_program(w, RUNTIME_STEPS);
			return 0;
		}
	}
	if (s->verdict == RUNTIME_STOP)
		return 1;
	if (s->verdict == RUNTIME_MOVED) {
		s->verdict = RUNTIME_UNKNOWN;
		s->is_exact = 0;
		return 0;
	}
	s->inside = s->verdict == RUNTIME_PLACE;
	s->verdict = RUNTIME_UNKNOWN;
	uint64_t row = s->rule ? s->rule : find_rule(w, address);

	s->rule = 0;
	if (row == NO_MAPPING) {
		s->inside = 0;
		if (leave_machinery(w)) {
			if (at == WORD)
				keep_first(s);
			return 0;
		}
		row = 0;
		s->is_unmapped |= s->block ? UNMAPPED_SOON : 1;
		/* It is not a return address after all. */
		if (!s->is_exact &&
		    !(table_word(w, s->list + LIST_FLAGS * WORD) &
		      LIST_CHANGES)) {
			s->status = STACK_LOST;
			return 1;
		}
	}
	if (s->inside) {
		s->loop_pc = s->pc;
		s->loop_sp = s->sp;
	} else {
		put_mem_word(w, at, s->pc);
		s->at = at + WORD;
	}
	uint64_t is_last = (row >> 48 & 15) == ROW_NONE ? step_by_pointer(w)
							: step_by_row(w, row);

	/* What it stands for is still to be written. */
	if (is_last && s->inside)
		s->pc = is_last = 0;
	return (long)is_last;
}

static long frame_turn(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;

	if (s->step | s->waiting | s->nameless | s->inside)
		return (long)runtime_turn(w);
	return walk_turn(w) && !collect(w);
}

/* -------------------------------------------------------------- layouts */

static NOINLINE uint64_t find_layout(struct walk *w, uint64_t key)
{
	uint64_t at = UNWIND_LAYOUTS_AT + (key >> UNWIND_LAYOUT_SHIFT) * 16;
	uint64_t list = 0;

	if (table_word(w, at) == key)
		list = table_word(w, at + WORD);
	if (table_word(w, at + 16) == key)
		list = table_word(w, at + 16 + WORD);
	if (table_word(w, at + 32) == key)
		list = table_word(w, at + 32 + WORD);
	if (table_word(w, at + 48) == key)
		list = table_word(w, at + 48 + WORD);
	return list;
}

#ifdef __bpf__

/* ------------------------------------------------------------------- all */

/* The user's registers (s->word: ARCH_MODE), and what the kernel knows of intercepted returns. */
static void get_registers(struct walk *w, uint64_t task)
{
	struct state *s = w->s;
	const volatile uint64_t *regs = (const volatile uint64_t *)
		bpf_task_pt_regs(bpf_get_current_task_btf());
	uint64_t utask_at = header(w, UNWIND_TASK_UTASK), utask = 0;

	s->user[0] = regs[ARCH_RUNTIME_0 / WORD];
	s->user[1] = regs[ARCH_RUNTIME_1 / WORD];
	s->user[2] = regs[ARCH_RUNTIME_2 / WORD];
	s->user[3] = regs[ARCH_RUNTIME_3 / WORD];
	s->user[4] = regs[ARCH_RUNTIME_4 / WORD];
	s->user[5] = regs[ARCH_RUNTIME_5 / WORD];
	s->thread = kernel_word(task + header(w, UNWIND_TASK_THREAD));
	s->fp = regs[ARCH_FP / WORD];
	s->pc = regs[ARCH_PC / WORD];
	s->sp = regs[ARCH_SP / WORD];
	s->word = regs[ARCH_MODE / WORD];
	s->instances = 0;
	if (utask_at)
		utask = kernel_word(task + utask_at);
	s->utask = utask;
	if (utask)
		s->instances = kernel_word(utask + header(w, UNWIND_INSTANCES));
}

/*
 * For a process whose code comes and goes, what was known last is good enough
 * for a while.
 */
static NOINLINE uint64_t find_older(struct walk *w, uint64_t layout)
{
	uint64_t list = find_layout(w, layout), now = bpf_ktime_get_ns();

	if (!list)
		return 0;
	if ((table_word(w, list + LIST_FLAGS * WORD) & LIST_CHANGES) &&
	    now - table_word(w, list + LIST_LOOKED_AT * WORD) < UNWIND_PATIENCE)
		return list;
	put_table_word(w, list + LIST_LOOKED_AT * WORD, now);
	return 0;
}

/*
 * An address was in no mapping: does the process have more by now than its list
 * says?  Not if user space has just looked.  Where code comes and goes frame
 * pointers suffice, so that one look is enough; elsewhere all stacks wait for
 * it.
 */
static NOINLINE uint64_t wants_look(struct walk *w)
{
	uint64_t list = w->s->list, now = bpf_ktime_get_ns();
	uint64_t patience = (uint64_t)UNWIND_PATIENCE >>
			    (w->s->is_unmapped & UNMAPPED_SOON);

	if (now - table_word(w, list + LIST_LOOKED_AT * WORD) < patience)
		return 0;
	if (table_word(w, list + LIST_FLAGS * WORD) & LIST_CHANGES)
		put_table_word(w, list + LIST_LOOKED_AT * WORD, now);
	return 1;
}

/* The record or key names the copy that user space will walk. */
INLINE int64_t put_off(const struct walk *w, uint64_t pid, uint64_t id)
{
	put_word(w->mem, 0, 8, pid | (uint64_t)STACK_PENDING << 32);
	put_mem_word(w, 8, id);
	return (int64_t)UNWIND_WANTS_LOOK;
}

/*
 * mem (zeroed) = {process and status, frames ...} of the user's stack; source
 * is the memory of unwind.h; b points to UNWIND_STATE bytes.  a is the process,
 * and enum unwind_flags.  Returns how many frames there are, and
 * UNWIND_WANTS_LOOK.
 */
LIBRARY(unwind)
{
	struct state *s = (struct state *)b;
	struct walk w = WALK(s, mem, source, caps);
	uint64_t task = bpf_get_current_task(), look = 0;
	uint64_t pid = UNWIND_PROCESS(a);
	uint64_t epoch = header(&w, UNWIND_EPOCH);
	uint64_t mm = kernel_word(task + header(&w, UNWIND_TASK_MM));

	put_word(mem, 0, 8, pid);
	if (!mm)
		return 0;
	get_registers(&w, task);
	s->at = WORD;
	s->limit = a & UNWIND_COUNT ? (1 + UNWIND_FRAMES) * WORD
				    : CAP_MEM(caps);
	s->start = s->end = 0;
	s->status = STACK_WHOLE;
	s->is_exact = 1;
	s->is_unmapped = 0;
	s->may_wait = !(a & UNWIND_NOW);
	if (walk_is_narrow(s->word)) {
		put_mem_word(&w, 8, s->pc);
		put_word(mem, 0, 8, pid | (uint64_t)STACK_NARROW << 32);
		return 1;
	}
	uint64_t layout =
		UNWIND_LAYOUT(kernel_word(mm + header(&w, UNWIND_START_CODE)),
			      kernel_word(mm + header(&w, UNWIND_END_CODE)),
			      kernel_word(mm + header(&w, UNWIND_START_STACK)));
	uint64_t exact = UNWIND_EXACT(layout,
				      kernel_word(mm +
						  header(&w, UNWIND_EXEC_VM)));

	if (a & UNWIND_IN_KERNEL)
		leave_breakpoint(&w);
	s->list = find_layout(&w, exact);
	if (!s->list)
		s->list = find_older(&w, layout);
	s->known = s->list;
	/* What was known before is better than nothing. */
	if (!s->list)
		s->list = find_layout(&w, layout);
	if (!s->list)
		s->list = UNWIND_NOTHING;
	keep_first(s);
	remember_for(&w, epoch);
	runtime_start(&w);
	repeat(s->limit / WORD * TURNS + REPAIRS + s->budget, frame_turn, &w);
	if (!s->known || (s->is_unmapped && wants_look(&w))) {
		uint64_t id = copy_stack(&w, pid, layout, exact);

		/*
		 * What a runtime keeps elsewhere is not in the copy.  All code
		 * was in the older list, so it does for this stack.
		 */
		if (s->block && s->status == STACK_WHOLE && !s->is_unmapped)
			a |= UNWIND_NOW;
		if (id && !(a & UNWIND_NOW))
			return put_off(&w, pid, id);
		if (id)
			look = UNWIND_WANTS_LOOK;
	}
	if (s->list == UNWIND_NOTHING || header(&w, UNWIND_EPOCH) != epoch)
		s->status = STACK_BUSY;
	put_word(mem, 0, 8, pid | s->status << 32);
	return (int64_t)((s->at >> 3) - 1 | look | s->look);
}

#else

int64_t unwind_native(char *mem, const char *source, uint64_t caps,
		      uint64_t list, const uint64_t *slot,
		      unwind_reader *reader, unwind_reader *process)
{
	struct state s = {
		.at = WORD, .limit = CAP_MEM(caps),
		.is_exact = 1, .list = list ? list : UNWIND_NOTHING,
		.pc = slot[SLOT_PC],
		.sp = slot[SLOT_SP], .fp = slot[SLOT_FP],
		.first_sp = slot[SLOT_SP], .thread = slot[SLOT_THREAD],
	};
	struct walk w = WALK(&s, mem, source, caps);

	remember_for(&w, header(&w, UNWIND_EPOCH));
	unwind_read = reader;
	unwind_read_process = process;
	unwind_instances = slot + SLOT_INSTANCES;
	memcpy(s.user, slot + SLOT_REGISTERS, sizeof(s.user));
	runtime_start(&w);
	memcpy(s.language, slot + SLOT_LANGUAGE, UNWIND_LANGUAGE - WORD);
	repeat(CAP_MEM(caps) / WORD * TURNS + s.budget, frame_turn, &w);
	unwind_read = unwind_read_process = NULL;
	if (!list)
		s.status = STACK_BUSY;
	put_word(mem, 0, 8, slot[SLOT_PID] | s.status << 32);
	return (int64_t)((s.at / WORD - 1) |
			 (s.is_unmapped ? UNWIND_WANTS_LOOK : 0));
}

/* An interpreted world has no stacks to walk. */
LIBRARY(unwind)
{
	(void)find_layout;
	return 0;
}

#endif
