/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's stack, complete without frame pointers.
 *
 * Tables made from .eh_frame (see unwind.h) say for every instruction of the
 * process's files how far it is to the caller's frame.  Where there are none,
 * in code that was made at run time, frame pointers must do.  Functions whose
 * return the kernel has intercepted (uretprobes) have the wrong return
 * address on the stack; the right one is in the kernel's list.
 *
 * A process that is not known yet has its stack copied into a slot, for user
 * space to walk with this very code, natively, when it has read the tables.
 * So the first stack of a process is as complete as the second.
 *
 * Everything in the pool may change while it is read, if user space has to
 * empty it.  Reads are bounded, so the worst is a wrong frame, and the epoch
 * tells: such a stack ends at once.
 */
#include "library.h"
#include "unwind.h"

enum { WORD = 8, PAGE = 4096 };
static const uint64_t NO_MAPPING = 1;	/* no rule is */

/*
 * What changes from frame to frame.  It is in a map, so the verifier knows
 * nothing of it: all ways through a frame look alike to it where they meet.
 */
struct state {
	uint64_t at;			/* bytes of mem that are written */
	uint64_t pc, sp, fp;
	uint64_t list;			/* of mappings; 0: nothing is known */
	uint64_t start, end, bias, file;	/* mapping of the last frame */
	uint64_t instances;		/* of intercepted returns, innermost */
	uint64_t status;
	uint64_t is_exact;		/* pc is no return address */
	uint64_t below, word;		/* what was read last */
	uint64_t salt;			/* of the rows that are remembered */
	/* the search at hand: words at base + (n << shift) */
	uint64_t base, shift, low, high, want;
	uint64_t from, length;		/* of the copy at hand */
};
_Static_assert(sizeof(struct state) <= UNWIND_STATE, "room for it");

struct walk {
	struct state *s;
	char *mem;
	const char *table;
	uint64_t caps;
};

/* ------------------------------------------------------------ the world */

#ifdef __bpf__
static long (*const bpf_probe_read_kernel)(void *to, uint32_t size,
					   const void *from) = (void *)113;
static long (*const bpf_probe_read_user)(void *to, uint32_t size,
					 const void *from) = (void *)112;
static uint64_t (*const bpf_ktime_get_ns)(void) = (void *)5;
/* The same twice: a number, and a pointer that the verifier knows. */
static uint64_t (*const bpf_get_current_task)(void) = (void *)35;
static const char *(*const bpf_get_current_task_btf)(void) = (void *)158;
static const char *(*const bpf_task_pt_regs)(const char *task) = (void *)175;

/* A word of the process becomes s->word; false: it cannot be read. */
INLINE bool read_user(struct state *s, uint64_t from)
{
	return !bpf_probe_read_user(&s->word, WORD, (const void *)from);
}

/* The same of two words: s->below, s->word. */
INLINE bool read_pair(struct state *s, uint64_t from)
{
	return !bpf_probe_read_user(&s->below, 2 * WORD, (const void *)from);
}

INLINE uint64_t kernel_word(uint64_t address)
{
	uint64_t word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (const void *)address);
	return word;
}
#else
#include "unwind_native.h"

unwind_reader *unwind_read;
const uint64_t *unwind_instances;

static bool read_user(struct state *s, uint64_t from)
{
	s->word = 0;
	return unwind_read && unwind_read(&s->word, WORD, from);
}

static bool read_pair(struct state *s, uint64_t from)
{
	uint64_t pair[2] = { 0 };
	bool is_read = unwind_read && unwind_read(pair, sizeof(pair), from);

	s->below = pair[0];
	s->word = pair[1];
	return is_read;
}
#endif

INLINE uint64_t table_word(const struct walk *w, uint64_t at)
{
	return word_at(w->table, at, CAP_SOURCE(w->caps));
}

INLINE uint64_t header(const struct walk *w, enum unwind_word n)
{
	return table_word(w, (uint64_t)n * WORD);
}

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

	if (s->shift == 3)	/* rows: the address is the lower half */
		value &= 0xffffffff;
	if (value > s->want)
		s->high = middle;
	else
		s->low = middle;
	return 0;
}

/* The mapping of an address becomes the walk's; 0: there is none. */
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

/* Does a call end where the walk is?  Otherwise it is lost. */
static NOINLINE uint64_t is_behind_call(struct state *s)
{
	uint64_t found = 0;

	if (read_user(s, s->pc - WORD)) {
		uint64_t code = s->word;

		found |= (code >> 24 & 0xff) == 0xe8;
		found |= (code >> 8 & 0xff) == 0xff;
		found |= (code >> 16 & 0xff) == 0xff;
		found |= (code >> 40 & 0xff) == 0xff;
		found |= (code >> 48 & 0xff) == 0xff;
	}
	return found;
}

/*
 * By frame pointers.  The innermost function may not have set up its frame
 * yet, or not have it any more: its code tells.
 */
static NOINLINE uint64_t step_by_pointer(struct walk *w)
{
	struct state *s = w->s;
	uint64_t place = s->fp;

	if (s->is_exact && read_user(s, s->pc)) {
		uint64_t code = s->word;

		if ((code & 0xff) == 0x55 || (code & 0xff) == 0xc3 ||
		    (code & 0xffffffff) == 0xfa1e0ff3)
			return return_to(w, s->sp);
		if ((code & 0xffffff) == 0xe58948 ||
		    (code & 0xffffff) == 0xec8b48)
			return return_to(w, s->sp + WORD);
	}
	/* RBP is 0 in the outermost function. */
	if (!place)
		return 1;
	if (place - s->sp >= 1 << 20 || (place & 7) || !read_user(s, place))
		return fail(w, STACK_NO_RULE);
	s->fp = s->word;
	if (return_to(w, place + WORD))
		return 1;
	/* Where nothing is known of mappings: is there a call before it? */
	return !s->list && !is_behind_call(s);
}

/* What a signal's handler returns to: registers of what it interrupted. */
static NOINLINE uint64_t step_by_signal(struct walk *w)
{
	enum { UC_RBP = 120, UC_RSP = 160, UC_RIP = 168 };
	struct state *s = w->s;
	uint64_t at = s->sp;

	if (!read_user(s, at + UC_RBP))
		return fail(w, STACK_UNREADABLE);
	s->fp = s->word;
	if (!read_user(s, at + UC_RSP))
		return fail(w, STACK_UNREADABLE);
	s->sp = s->word;
	if (!read_user(s, at + UC_RIP))
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
	int64_t rbp = ((int64_t)row >> 52) * 8;
	uint64_t cfa = s->sp + (uint64_t)offset;

	if (kind == ROW_SIGNAL)
		return step_by_signal(w);
	if (kind == ROW_FP)
		cfa = s->fp + (uint64_t)offset;
	if (kind == ROW_PLT)
		cfa = s->sp + WORD + ((s->pc & 15) >= 11) * WORD;
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
	if (rbp == -2 * WORD) {
		if (!read_pair(s, cfa - 2 * WORD))
			return fail(w, STACK_UNREADABLE);
		s->fp = s->below;
		return caller_found(w, cfa - WORD);
	}
	if (rbp) {
		if (!read_user(s, cfa + (uint64_t)rbp))
			return fail(w, STACK_UNREADABLE);
		s->fp = s->word;
	}
	return return_to(w, cfa - WORD);
}

/* What is remembered is of a list, and until the pool is emptied. */
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
		put_word((char *)w->table, at, CAP_SOURCE(w->caps), rule | tag);
	return rule;
}

static long frame_turn(UNUSED uint32_t turn, void *context)
{
	struct walk *w = context;
	struct state *s = w->s;
	uint64_t at = s->at, row = 0;

	if (!s->pc)
		return 1;
	if (at >= CAP_MEM(w->caps)) {
		s->status = STACK_FULL;
		return 1;
	}
	uint64_t address = s->pc - !s->is_exact;

	if (s->list) {
		row = find_rule(w, address);
		if (row == NO_MAPPING) {
			row = 0;
			/* What was taken for a return address is none. */
			if (!s->is_exact &&
			    !(table_word(w, s->list + LIST_FLAGS * WORD) &
			      LIST_CHANGES)) {
				s->status = STACK_LOST;
				return 1;
			}
		}
	}
	put_word(w->mem, at, CAP_MEM(w->caps), s->pc);
	s->at = at + WORD;
	if ((row >> 48 & 15) == ROW_NONE)
		return (long)step_by_pointer(w);
	return (long)step_by_row(w, row);
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

/* ----------------------------------------------------------------- slots */

/* A pointer whose bounds the verifier keeps. */
INLINE char *slot_at(const char *table, uint64_t n)
{
	const char *slot = table;

	asm volatile("%[n] &= %[most]\n"
		     "%[n] *= %[size]\n"
		     "%[slot] += %[n]\n"
		     : [n] "+r"(n), [slot] "+r"(slot)
		     : [most] "i"(UNWIND_SLOTS - 1),
		       [size] "i"(UNWIND_SLOT_SIZE));
	return (char *)slot + UNWIND_SLOTS_AT;
}

INLINE void slot_put(char *slot, uint64_t n, uint64_t value)
{
	((volatile uint64_t *)slot)[n] = value;
}

struct copy {
	struct walk *w;
	char *slot;
};

/* Up to the end of a page: what is behind it may not be there. */
static long copy_turn(UNUSED uint32_t turn, void *context)
{
	struct copy *c = context;
	struct state *s = c->w->s;
	uint64_t from = s->from, length = s->length;
	uint64_t size = PAGE - (from & (PAGE - 1));
	char *to = c->slot;

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
	return 0;
}

static long copy_instance_turn(uint32_t turn, void *context)
{
	struct copy *c = context;
	struct walk *w = c->w;
	uint64_t at = w->s->instances, n = turn;
	char *to = c->slot;

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

/* The stack goes into a slot; its number, or 0: none is free. */
static NOINLINE uint64_t copy_stack(struct walk *w, uint64_t pid,
				    uint64_t layout, uint64_t exact)
{
	struct state *s = w->s;
	uint64_t *last = (uint64_t *)w->table + UNWIND_LAST_ID;
	uint64_t id = __sync_fetch_and_add(last, 1) + 1;
	char *slot = slot_at(w->table, id);
	struct copy c = { .w = w, .slot = slot };

	if (__sync_val_compare_and_swap((uint64_t *)slot, 0, 1))
		return 0;
	s->from = s->sp;
	s->length = 0;
	slot_put(slot, SLOT_ID, id);
	slot_put(slot, SLOT_PID, pid);
	slot_put(slot, SLOT_LAYOUT, layout);
	slot_put(slot, SLOT_EXACT, exact);
	slot_put(slot, SLOT_PC, s->pc);
	slot_put(slot, SLOT_SP, s->sp);
	slot_put(slot, SLOT_FP, s->fp);
	slot_put(slot, SLOT_CAP, CAP_MEM(w->caps));
	slot_put(slot, SLOT_TIME, bpf_ktime_get_ns());
	s->word = s->instances;
	repeat(UNWIND_INSTANCE_MOST, copy_instance_turn, &c);
	s->instances = s->word;
	repeat(UNWIND_COPY / PAGE, copy_turn, &c);
	slot_put(slot, SLOT_LENGTH, s->length);
	__sync_fetch_and_add((uint64_t *)slot, 1);
	return id;
}

/* ------------------------------------------------------------------- all */

enum { USER32_CS = 0x23 };

/* The user's registers (s->word: CS), and what the kernel knows of intercepted returns. */
static void get_registers(struct walk *w, uint64_t task)
{
	struct state *s = w->s;
	const volatile uint64_t *regs = (const volatile uint64_t *)
		bpf_task_pt_regs(bpf_get_current_task_btf());
	uint64_t utask_at = header(w, UNWIND_TASK_UTASK), utask = 0;

	s->fp = regs[4];
	s->pc = regs[16];
	s->sp = regs[19];
	s->word = regs[17];
	s->instances = 0;
	if (utask_at)
		utask = kernel_word(task + utask_at);
	if (utask)
		s->instances = kernel_word(utask +
					   header(w, UNWIND_INSTANCES));
}

/*
 * A process whose code comes and goes may do with what was known of it last,
 * for a while.
 */
static NOINLINE uint64_t find_older(struct walk *w, uint64_t layout)
{
	uint64_t list = find_layout(w, layout), now = bpf_ktime_get_ns();

	if (!list)
		return 0;
	if ((table_word(w, list + LIST_FLAGS * WORD) & LIST_CHANGES) &&
	    now - table_word(w, list + LIST_LOOKED_AT * WORD) <
		    UNWIND_PATIENCE)
		return list;
	put_word((char *)w->table, list + LIST_LOOKED_AT * WORD,
		 CAP_SOURCE(w->caps), now);
	return 0;
}

/*
 * mem (zeroed) = {process and status, frames ...} of the user's stack; source
 * is the memory of unwind.h; b points to UNWIND_STATE bytes.  a is the process,
 * and UNWIND_NOW.  Returns how many frames there are, and UNWIND_WANTS_LOOK.
 */
LIBRARY(unwind)
{
	struct state *s = (struct state *)b;
	struct walk w = { s, mem, source, caps };
	uint64_t task = bpf_get_current_task(), look = 0;
	uint64_t pid = a & (UNWIND_NOW - 1);
	uint64_t epoch = header(&w, UNWIND_EPOCH);
	uint64_t mm = kernel_word(task + header(&w, UNWIND_TASK_MM));

	put_word(mem, 0, 8, pid);
	if (!mm)
		return 0;
	get_registers(&w, task);
	s->at = WORD;
	s->start = s->end = 0;
	s->status = STACK_WHOLE;
	s->is_exact = 1;
	if ((s->word & 0xffff) == USER32_CS) {
		put_word(mem, 8, CAP_MEM(caps), s->pc);
		put_word(mem, 0, 8, pid | (uint64_t)STACK_NARROW << 32);
		return 1;
	}
	uint64_t layout = UNWIND_LAYOUT(
		kernel_word(mm + header(&w, UNWIND_START_CODE)),
		kernel_word(mm + header(&w, UNWIND_END_CODE)),
		kernel_word(mm + header(&w, UNWIND_START_STACK)));
	uint64_t exact = UNWIND_EXACT(layout,
		kernel_word(mm + header(&w, UNWIND_EXEC_VM)));

	s->list = find_layout(&w, exact);
	if (!s->list)
		s->list = find_older(&w, layout);
	if (!s->list) {
		uint64_t id = copy_stack(&w, pid, layout, exact);

		if (id)
			look = UNWIND_WANTS_LOOK;
		if (id && !(a & UNWIND_NOW)) {
			put_word(mem, 0, 8, pid | (uint64_t)STACK_PENDING << 32);
			put_word(mem, 8, CAP_MEM(caps), id);
			return (int64_t)look;
		}
		/* What was known before is better than nothing. */
		s->list = find_layout(&w, layout);
	}
	remember_for(&w, epoch);
	repeat(CAP_MEM(caps) / WORD, frame_turn, &w);
	if (!s->list || header(&w, UNWIND_EPOCH) != epoch)
		s->status = STACK_BUSY;
	put_word(mem, 0, 8, pid | s->status << 32);
	return (int64_t)((s->at >> 3) - 1 | look);
}

#else

int64_t unwind_native(char *mem, const char *source, uint64_t caps,
		      uint64_t list, const uint64_t *slot,
		      unwind_reader *reader)
{
	struct state s = {
		.at = WORD, .is_exact = 1, .list = list, .pc = slot[SLOT_PC],
		.sp = slot[SLOT_SP], .fp = slot[SLOT_FP],
	};
	struct walk w = { &s, mem, source, caps };

	remember_for(&w, header(&w, UNWIND_EPOCH));
	unwind_read = reader;
	unwind_instances = slot + SLOT_INSTANCES;
	repeat(CAP_MEM(caps) / WORD, frame_turn, &w);
	unwind_read = NULL;
	if (!list)
		s.status = STACK_BUSY;
	put_word(mem, 0, 8, slot[SLOT_PID] | s.status << 32);
	return (int64_t)(s.at / WORD) - 1;
}

/* There are no stacks to walk in an interpreted world. */
LIBRARY(unwind)
{
	(void)find_layout;
	return 0;
}

#endif
