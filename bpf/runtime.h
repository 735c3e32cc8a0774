/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Runtimes of languages in the walk of a user's stack (unwind.bpf.c): Python's
 * interpreter, Java's ...
 *
 * A list of mappings names a block of words (LIST_RUNTIME), filled by the
 * runtime's file in src/runtime/: ranges of code, constants, and steps, which are
 * programs for the small machine below (runtime_steps.h).  Where a list has no
 * block, a frame costs a comparison or two.
 *
 * A frame whose code is in one of the ranges is shown to RUNTIME_STEPS.  For a
 * place (RUNTIME_PLACE) the walk goes on as usual, and in the next turn
 * RUNTIME_FRAMES writes the frames of the language instead of this one:
 * REG_LOOP_SP is the stack pointer in the loop, REG_SP that of its caller; so
 * whatever is on the stack in between belongs to this loop.  If there are none,
 * the address is written after all.
 *
 * The kernel allows eight functions deep, and the program may have one of its own
 * below the walk.
 *
 * All of it is compiled natively, too, for stacks that were copied.  Then other
 * memory than the stack is read from the process as it is now, not as it was; so
 * steps can ask whether it has changed (DO_STILL, DO_PARKED).
 */

#include "machine.h"
#include "unwind_state.h"

enum { INSIDE_BEGIN = 1, INSIDE_FRAMES };
enum { RUNTIME_UNKNOWN = 4 }; /* no program has been asked */

/* Steps for a stack of so many bytes. */
INLINE uint64_t runtime_budget(uint64_t limit)
{
	return limit * 8 + 1024;
}

/* A word of the block. */
INLINE uint64_t runtime_word(const struct walk *w, uint64_t n)
{
	return table_word(w, w->s->block + n * WORD);
}

static uint64_t find_mapping(struct walk *w, uint64_t address);

#ifdef __bpf__
/* Bytes of the process become s->piece; false: they cannot be read. */
INLINE bool read_piece(struct state *s, uint64_t from, uint64_t words)
{
	uint64_t size = words;

	asm volatile("%[size] &= %[most]\n"
		     "%[size] += 1\n"
		     "%[size] <<= 3\n"
		     : [size] "+r"(size)
		     : [most] "i"(RUNTIME_PIECE - 1));
	return !bpf_probe_read_user(s->piece, (uint32_t)size,
				    (const void *)from);
}

INLINE uint64_t process_word(UNUSED const struct walk *w, uint64_t from)
{
	return user_word(from);
}

/* Is the word of the stack the same in the process now? */
INLINE bool is_still(UNUSED struct walk *w, UNUSED uint64_t place)
{
	return true;
}

/* Is all of the stack, up to the loop's caller? */
INLINE bool is_parked(UNUSED struct walk *w)
{
	return true;
}

/* A pointer whose bounds the verifier keeps. */
INLINE char *question_at(const struct walk *w, uint64_t n)
{
	const char *question = w->table;

	asm volatile("%[n] &= %[most]\n"
		     "%[n] *= %[size]\n"
		     "%[question] += %[n]\n"
		     : [n] "+r"(n), [question] "+r"(question)
		     : [most] "i"(UNWIND_QUESTIONS - 1),
		       [size] "i"(UNWIND_QUESTION_SIZE));
	return (char *)question + UNWIND_QUESTIONS_AT;
}

INLINE void question_put(char *question, uint64_t n, uint64_t value)
{
	((volatile uint64_t *)question)[n] = value;
}

/* Without a branch: the verifier would follow all combinations of them. */
#define COPY_PIECE(question, n, from) \
	question_put(question, QUESTION_PLACES + (n), \
		     (from) & ~(uint64_t)(bpf_probe_read_user( \
						  (question) + QUESTION_AT(n), \
						  QUESTION_AT((n) + 1) - \
							  QUESTION_AT(n), \
						  (const void *)(from)) >> \
					  63))

/* Where the n-th pointer of the object that was copied leads to. */
INLINE uint64_t pointed_at(const struct walk *w, const char *question,
			   uint64_t n)
{
	enum { SIZE = QUESTION_AT(1) - QUESTION_AT(0) };

	return word_at(question + QUESTION_AT(0),
		       runtime_word(w, RUNTIME_POINTS + n), SIZE);
}

static NOINLINE uint64_t ask_for(struct walk *w, uint64_t frame)
{
	uint64_t *asked = (uint64_t *)w->table + UNWIND_ASKED;
	uint64_t n = __sync_fetch_and_add(asked, 1);
	char *question = question_at(w, n);
	uint64_t object = RUNTIME_POINTER(frame), from;

	question_put(question, QUESTION_NUMBER, 0);
	question_put(question, QUESTION_PID,
		     UNWIND_PROCESS(word_at(w->mem, 0, 8)));
	question_put(question, QUESTION_FRAME, frame);
	COPY_PIECE(question, 0, object);
	from = pointed_at(w, question, 0);
	COPY_PIECE(question, 1, from);
	from = pointed_at(w, question, 1);
	COPY_PIECE(question, 2, from);
	from = pointed_at(w, question, 2);
	COPY_PIECE(question, 3, from);
	question_put(question, QUESTION_NUMBER, n + 1);
	w->s->look = UNWIND_WANTS_LOOK;
	return 0;
}

/* User space is to name it, once: it may be gone soon. */
INLINE uint64_t note_frame(struct walk *w, uint64_t frame)
{
	uint64_t pid = UNWIND_PROCESS(word_at(w->mem, 0, 8));
	uint64_t identity = runtime_word(w, RUNTIME_IDENTITY);
	uint64_t mix = frame & (((uint64_t)1 << RUNTIME_POINTER_BITS) - 1);

	if (identity)
		mix ^= user_word(RUNTIME_POINTER(frame) + identity) << 16;
	mix = (mix ^ pid << 40) * UNWIND_FACTOR;
	uint64_t at = UNWIND_SEEN_AT + (mix >> UNWIND_SEEN_SHIFT) * WORD;

	if (table_word(w, at) == mix)
		return 0;
	put_table_word(w, at, mix);
	return ask_for(w, frame);
}
#else
static bool read_process(void *to, uint32_t size, uint64_t from)
{
	return unwind_read && unwind_read_process &&
	       (unwind_read(to, size, from) ||
		unwind_read_process(to, size, from));
}

static bool read_piece(struct state *s, uint64_t from, uint64_t words)
{
	memset(s->piece, 0, sizeof(s->piece));
	return read_process(s->piece,
			    (uint32_t)((words % RUNTIME_PIECE + 1) * WORD),
			    from);
}

static uint64_t process_word(const struct walk *w, uint64_t from)
{
	uint64_t word;

	(void)w;
	return read_process(&word, WORD, from) ? word : 0;
}

static bool is_still(struct walk *w, uint64_t place)
{
	uint64_t now = 0, then = 1;

	(void)w;
	return unwind_read && unwind_read_process &&
	       unwind_read(&then, WORD, place) &&
	       unwind_read_process(&now, WORD, place) && now == then;
}

static bool is_parked(struct walk *w)
{
	struct state *s = w->s;

	/* What is below was looked at for the places before: s->parked. */
	if (s->parked < s->first_sp)
		s->parked = s->first_sp;
	for (; s->parked < s->sp; s->parked += WORD)
		if (!is_still(w, s->parked))
			return false;
	return true;
}

static uint64_t note_frame(struct walk *w, uint64_t frame)
{
	(void)w;
	(void)frame;
	return 0;
}
#endif

/* A frame with an address of its own, or RUNTIME_FRAME(). */
INLINE void runtime_put(struct walk *w, uint64_t frame)
{
	struct state *s = w->s;

	if (s->is_collecting) {
		put_word((char *)s->language, s->collected, UNWIND_LANGUAGE,
			 frame);
		s->collected += WORD;
		return;
	}
	put_mem_word(w, s->at, frame);
	s->at += WORD;
}

/* ----------------------------------------------------------- the machine */

/*
 * Whatever the verifier has to follow twice costs load time in every program with
 * ustack().  So numbers are masked rather than tested, and what is long waits in
 * memory, of which the verifier knows nothing, for a turn of its own.
 */
#ifdef __bpf__
INLINE volatile uint64_t *register_at(struct state *s, uint64_t n)
{
	char *p = (char *)s;

	asm volatile("%[n] &= %[most]\n"
		     "%[n] <<= 3\n"
		     "%[p] += %[n]\n"
		     : [n] "+r"(n), [p] "+r"(p)
		     : [most] "i"(RUNTIME_REGISTERS - 1));
	return ((struct state *)p)->reg;
}

INLINE uint64_t piece_word(struct state *s, uint64_t at)
{
	char *p = (char *)s;

	asm volatile("%[at] &= %[most]\n"
		     "%[p] += %[at]\n"
		     : [at] "+r"(at), [p] "+r"(p)
		     : [most] "i"(RUNTIME_PIECE * WORD - 1));
	return *(volatile uint64_t *)((struct state *)p)->piece;
}
#else
static uint64_t *register_at(struct state *s, uint64_t n)
{
	return &s->reg[n % RUNTIME_REGISTERS];
}

static uint64_t piece_word(const struct state *s, uint64_t at)
{
	uint64_t word;

	memcpy(&word, (const char *)s->piece + at % (RUNTIME_PIECE * WORD),
	       WORD);
	return word;
}
#endif

/*
 * A frame that waits to be written, and one that waits for a name; 1: there is no
 * room.
 */
static NOINLINE uint64_t waiting_turn(struct walk *w)
{
	struct state *s = w->s;
	uint64_t frame = s->waiting, nameless = s->nameless;

	s->waiting = s->nameless = 0;
	if (frame) {
		if (s->is_collecting
			    ? s->collected >= UNWIND_LANGUAGE - 2 * WORD
			    : s->at >= s->limit) {
			s->status = STACK_FULL;
			return 1;
		}
		runtime_put(w, frame);
	}
	if (nameless)
		note_frame(w, nameless);
	return 0;
}

/* ------------------------------------------------------------------ rules */

/*
 * Rules that programs have found are remembered with those of files, but for some
 * seconds only: other code may come to the same place.
 */
#ifdef __bpf__
INLINE uint64_t rule_mix(const struct state *s)
{
	return (s->pc + s->moment) * UNWIND_FACTOR;
}

static NOINLINE uint64_t remembered_rule(struct walk *w)
{
	uint64_t mix = rule_mix(w->s);
	uint64_t rule = table_word(w,
				   UNWIND_RULES_AT +
					   (mix >> UNWIND_RULE_SHIFT) * WORD);

	return (rule & 0xffffffff) == (mix >> 20 & 0xffffffff) ? rule : 0;
}

static NOINLINE uint64_t remember_rule(struct walk *w)
{
	uint64_t mix = rule_mix(w->s);

	put_table_word(w, UNWIND_RULES_AT + (mix >> UNWIND_RULE_SHIFT) * WORD,
		       w->s->rule | (mix >> 20 & 0xffffffff));
	return 0;
}

INLINE uint64_t this_moment(void)
{
	enum { SECONDS_4 = 32 };

	return bpf_ktime_get_ns() >> SECONDS_4;
}
#else
static uint64_t remembered_rule(struct walk *w)
{
	(void)w;
	return 0;
}

static uint64_t remember_rule(struct walk *w)
{
	(void)w;
	return 0;
}

static uint64_t this_moment(void)
{
	return 0;
}
#endif

/* One step; 1: the program has ended, and s->verdict is what it says. */
static NOINLINE uint64_t step_turn(struct walk *w)
{
	struct state *s = w->s;
	uint64_t word = runtime_word(w, s->step), value = 0;
	uint64_t what = word & 255;
	/* Of a comparison only the upper half is the number. */
	uint64_t n = (uint64_t)((int64_t)word >>
				(32 + (what / DO_COMPARE) * 16));
	uint64_t x = *register_at(s, word >> 16);
	uint64_t y = *register_at(s, word >> 24) + n;

	s->step++;
	s->budget--;
	switch (what) {
	case DO_ADD:
		value = x + y;
		break;
	case DO_SUBTRACT:
		value = x - y;
		break;
	case DO_AND:
		value = x & y;
		break;
	case DO_OR:
		value = x | y;
		break;
	case DO_MULTIPLY:
		value = x * y;
		break;
	case DO_LEFT:
		value = x << (y & 63);
		break;
	case DO_RIGHT:
		value = x >> (y & 63);
		break;
	case DO_RIGHT_SIGNED:
		value = (uint64_t)((int64_t)x >> (y & 63));
		break;
	case DO_LOAD:
		value = process_word(w, x + y);
		break;
	case DO_READ:
		value = read_piece(s, x + n, word >> 24);
		break;
	case DO_PICK:
		value = piece_word(s, x + y);
		break;
	case DO_CONSTANT:
		value = runtime_word(w, y);
		break;
	case DO_IF_EQUAL:
		if (x == y)
			s->step = word >> 32 & 0xffff;
		return 0;
	case DO_IF_UNEQUAL:
		if (x != y)
			s->step = word >> 32 & 0xffff;
		return 0;
	case DO_IF_LESS:
		if (x < y)
			s->step = word >> 32 & 0xffff;
		return 0;
	case DO_IF_NOT_LESS:
		if (x >= y)
			s->step = word >> 32 & 0xffff;
		return 0;
	case DO_IF_BYTES:
		if (low_bytes(x, word >> 8 & 7) != word >> 32)
			s->step++;
		return 0;
	case DO_CALL:
		value = s->step;
		s->step = n;
		break;
	case DO_RETURN:
		s->step = *register_at(s, word >> 8);
		return 0;
	case DO_FRAME:
		s->waiting = s->nameless =
			RUNTIME_FRAME(x, smaller(y, RUNTIME_DETAIL_MOST));
		return 0;
	case DO_PUT:
		s->waiting = x + y;
		return 0;
	case DO_NOTE:
		s->nameless = x + y;
		return 0;
	case DO_MAPPED:
		value = find_mapping(w, x + y) && s->file;
		break;
	case DO_STILL:
		value = is_still(w, x + y);
		break;
	case DO_PARKED:
		value = is_parked(w);
		break;
	case DO_BEGIN:
		s->has_any = 1;
		if (s->is_collecting)
			s->waiting = s->anchor;
		return 0;
	case DO_LOOK:
		s->is_unmapped = UNMAPPED_SOON;
		return 0;
	case DO_RULE:
		s->rule = (uint64_t)ROW_SP << 48 | (y >> 3 & 0x7fff) << 32 |
			  (uint64_t)-2 << 52;
		remember_rule(w);
		return 0;
	default:
		s->verdict = y;
		return 1;
	}
	*register_at(s, word >> 8) = value;
	s->zero = 0;
	return 0;
}

/* -------------------------------------------------------------- the walk */

/* Is the address in code of a runtime? */
static NOINLINE uint64_t is_runtime_code(struct walk *w, uint64_t address)
{
	for (unsigned i = 0; i < RUNTIME_RANGES_MOST; i++)
		if (address - runtime_word(w, RUNTIME_RANGES + 2 * i) <
		    runtime_word(w, RUNTIME_RANGES + 2 * i + 1))
			return 1;
	return 0;
}

/* A program begins; without one, the verdict is that of an empty one. */
INLINE void start_program(struct walk *w, uint64_t entry)
{
	struct state *s = w->s;

	s->step = runtime_word(w, entry);
	s->verdict = RUNTIME_PLACE;
	s->has_any = 0;
	s->is_first = s->is_exact && s->at == WORD;
}

#ifdef __bpf__
INLINE void start_frames(struct walk *w)
{
	start_program(w, RUNTIME_FRAMES);
}
#else
/* Those that came with the copy belong to this place, or have been passed. */
static void recorded_frames(struct walk *w)
{
	struct state *s = w->s;
	const uint64_t *at = &s->language[s->collected / WORD];

	/* Those of loops that the walk has not met. */
	while (at[0] > 1 && at[0] < s->loop_sp)
		do
			at++;
		while (RUNTIME_IS_FRAME(at[0]));
	if (at[0] && (at[0] == 1 || at[0] - s->loop_sp < s->sp - s->loop_sp)) {
		s->has_any = 1;
		for (at++; RUNTIME_IS_FRAME(at[0]) && s->at < s->limit; at++)
			runtime_put(w, at[0]);
	}
	s->collected = (uint64_t)(at - s->language) * WORD;
}

static void start_frames(struct walk *w)
{
	start_program(w, RUNTIME_FRAMES);
	if (w->s->language[0]) {
		w->s->step = 0;
		recorded_frames(w);
	}
}
#endif

/* Frames stand for a place that the walk has left; or all of them, for a copy. */
INLINE uint64_t frames_turn(struct walk *w)
{
	struct state *s = w->s;

	if (s->inside == INSIDE_BEGIN) {
		s->inside = INSIDE_FRAMES;
		if (s->is_collecting) {
			s->loop_sp = s->first_sp;
			s->sp = NOWHERE;
		}
		start_frames(w);
		return 0;
	}
	s->inside = 0;
	if (!s->is_collecting) {
		s->verdict = RUNTIME_UNKNOWN;
		if (!s->has_any)
			runtime_put(w, s->loop_pc);
		return 0;
	}
	s->inside = INSIDE_BEGIN;
	if (s->has_any)
		return 0;
	runtime_put(w, 0);
	return 1;
}

/* What remains to be done before the walk goes on; 1: it does not. */
INLINE uint64_t runtime_turn(struct walk *w)
{
	struct state *s = w->s;

	if (s->waiting | s->nameless) {
		if (!waiting_turn(w))
			return 0;
		if (s->is_collecting)
			runtime_put(w, 0);
		return 1;
	}
	if (s->step) {
		if (!s->budget)
			s->step = 0;
		else if (step_turn(w))
			s->step = 0;
		return 0;
	}
	return frames_turn(w);
}

INLINE void clear_kept(struct state *s)
{
	for (unsigned i = 0; i < 8; i++)
		((volatile uint64_t *)s->reg)[REG_KEPT + i] = 0;
}

/*
 * The walk has come to an address that user space does not know yet, and will be
 * done again on a copy of the stack.  What the runtime keeps elsewhere would be
 * another by then, so all its frames go with the copy.
 */
INLINE uint64_t collect(struct walk *w)
{
	struct state *s = w->s;

	if (!s->block || !s->is_unmapped || !s->may_wait || s->is_collecting)
		return 0;
	s->is_collecting = 1;
	s->inside = INSIDE_BEGIN;
	clear_kept(s);
	return 1;
}

/* Before the first frame. */
INLINE void runtime_start(struct walk *w)
{
	struct state *s = w->s;

	s->inside = s->look = s->step = 0;
	s->waiting = s->nameless = s->rule = 0;
	s->moment = s->salt + this_moment() * UNWIND_FACTOR;
	s->verdict = RUNTIME_UNKNOWN;
	s->is_collecting = s->collected = 0;
	s->language[0] = 0;
	s->zero = 0;
	s->budget = runtime_budget(s->limit);
	clear_kept(s);
	s->block = table_word(w, s->list + LIST_RUNTIME * WORD);
}
