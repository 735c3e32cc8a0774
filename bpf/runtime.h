/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Runtimes of languages in the walk of a user's stack (unwind.bpf.c): Python's
 * interpreter, Java's ...
 *
 * A list of mappings names a block of words (LIST_RUNTIME), filled by the
 * runtime's file in src/runtime/: a kind, ranges of code, and what the kind
 * needs, offsets in the process's structures mostly.  Where a list has no block,
 * a frame costs a comparison or two.  When a frame's code is in one of the
 * ranges, runtime_step() decides what it is:
 *
 *	RUNTIME_ORDINARY	as any other: its address, and its row's rule
 *	RUNTIME_MOVED		the step has written what there is to write
 *				(runtime_put()), and s->pc, sp, fp are the
 *				caller's, as a return address: s->is_exact is 0
 *	RUNTIME_END		the same, and there is no caller
 *	RUNTIME_PLACE		an interpreter's loop: the walk goes on as usual,
 *				but in place of this frame come those of the
 *				language, one in a turn
 *
 * For the latter, a kind has two functions.  begin: are there any?  s->loop_sp is
 * the stack pointer in the loop, s->sp that of its caller; so whatever is on the
 * stack in between belongs to this loop.  Without any, the address is written
 * after all.  next: write a frame; 0: that was the last one.  s->own is theirs,
 * all 0 when a walk begins.
 *
 * The kernel allows eight functions deep, and the program may have one of its own
 * below the walk: begin and next may call two more, and runtime_put_frame().
 *
 * A kind is a header that is included below, an entry in enum runtime_kind and a
 * line in each of the functions at the end.  All of it is compiled natively,
 * too, for stacks that were copied.  Then other memory than the stack is read
 * from the process as it is now, not as it was; so begin says that there are none
 * unless runtime_is_still() or runtime_is_parked().
 */

#include "runtime_words.h"
#include "unwind_state.h"

enum runtime_verdict {
	RUNTIME_ORDINARY, RUNTIME_MOVED, RUNTIME_END, RUNTIME_PLACE,
};
enum { INSIDE_BEGIN = 1, INSIDE_FRAMES };

/* A word of the block. */
INLINE uint64_t runtime_word(const struct walk *w, uint64_t n)
{
	return table_word(w, w->s->block + n * WORD);
}

#ifdef __bpf__
INLINE uint64_t thread_pointer(const struct walk *w)
{
	return kernel_word(bpf_get_current_task() +
			   header(w, UNWIND_TASK_THREAD));
}

/* Bytes of the process become s->piece; false: they cannot be read. */
#define read_piece(s, from, size) \
	(!bpf_probe_read_user((s)->piece, size, (const void *)(from)))

/* Is the word of the stack the same in the process now? */
INLINE bool runtime_is_still(UNUSED struct walk *w, UNUSED uint64_t place)
{
	return true;
}

/* Is all of the stack, up to the loop's caller? */
INLINE bool runtime_is_parked(UNUSED struct walk *w)
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
static NOINLINE uint64_t note_frame(struct walk *w, uint64_t frame)
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
	put_word((char *)w->table, at, CAP_SOURCE(w->caps), mix);
	return ask_for(w, frame);
}
#else
INLINE uint64_t thread_pointer(const struct walk *w)
{
	return w->s->thread;
}

static bool read_piece(struct state *s, uint64_t from, uint32_t size)
{
	return unwind_read && unwind_read_process &&
	       (unwind_read(s->piece, size, from) ||
		unwind_read_process(s->piece, size, from));
}

static bool runtime_is_still(struct walk *w, uint64_t place)
{
	uint64_t now = 0, then = 1;

	(void)w;
	return unwind_read && unwind_read_process &&
	       unwind_read(&then, WORD, place) &&
	       unwind_read_process(&now, WORD, place) && now == then;
}

static bool runtime_is_parked(struct walk *w)
{
	const struct state *s = w->s;

	for (uint64_t at = s->first_sp; at < s->sp; at += WORD)
		if (!runtime_is_still(w, at))
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

/* A word of the process, wherever it is; 0: it cannot be read. */
static NOINLINE uint64_t process_word(struct state *s, uint64_t from)
{
	return read_piece(s, from, WORD) ? s->piece[0] : 0;
}

/* The word of s->piece at a byte offset; the byte. */
INLINE uint64_t piece_word(const struct state *s, uint64_t at)
{
	return word_at((const char *)s->piece, at, sizeof(s->piece));
}

INLINE uint64_t piece_byte(const struct state *s, uint64_t at)
{
	return byte_at((const char *)s->piece, at, sizeof(s->piece));
}

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
	put_word(w->mem, w->s->at, CAP_MEM(w->caps), frame);
	w->s->at += WORD;
}

/* `pointer`: to what describes the function. */
INLINE uint64_t runtime_put_frame(struct walk *w, uint64_t pointer,
				  uint64_t detail)
{
	if (detail > RUNTIME_DETAIL_MOST)
		detail = RUNTIME_DETAIL_MOST;
	uint64_t frame = RUNTIME_FRAME(pointer, detail);

	runtime_put(w, frame);
	return note_frame(w, frame);
}

#include "runtime_cpython.h"
#include "runtime_hotspot.h"
#include "runtime_php.h"

/* ------------------------------------------------------------- all kinds */

/* What runs in s->pc, which is in the runtime's code? */
INLINE uint64_t runtime_step(struct walk *w)
{
	uint64_t kind = runtime_word(w, RUNTIME_KIND);

	if (kind == RUNTIME_CPYTHON || kind == RUNTIME_PHP)
		return RUNTIME_PLACE;
	if (kind == RUNTIME_HOTSPOT)
		return hotspot_step(w);
	return RUNTIME_ORDINARY;
}

INLINE uint64_t runtime_begin(struct walk *w)
{
	uint64_t kind = runtime_word(w, RUNTIME_KIND);

	if (kind == RUNTIME_CPYTHON)
		return cpython_begin(w);
	if (kind == RUNTIME_PHP)
		return php_begin(w);
	return 0;
}

INLINE uint64_t runtime_next(struct walk *w)
{
	uint64_t kind = runtime_word(w, RUNTIME_KIND);

	if (kind == RUNTIME_CPYTHON)
		return cpython_next(w);
	if (kind == RUNTIME_PHP)
		return php_next(w);
	return 0;
}

/* -------------------------------------------------------------- the walk */

/* Is the address in code of a runtime? */
INLINE bool is_runtime_code(const struct state *s, uint64_t address)
{
	return address - s->code < s->code_size ||
	       address - s->cold < s->cold_size;
}

#ifdef __bpf__
/* A turn in which frames of a runtime are written. */
static NOINLINE uint64_t inside_turn(struct walk *w)
{
	struct state *s = w->s;

	if (s->inside == INSIDE_FRAMES) {
		if (!runtime_next(w))
			s->inside = 0;
		return 0;
	}
	s->inside = INSIDE_FRAMES;
	if (s->is_collecting) {
		s->loop_sp = s->first_sp;
		s->sp = NOWHERE;
	}
	uint64_t has_any = runtime_begin(w);

	if (s->is_collecting) {
		runtime_put(w, has_any ? s->anchor : 0);
		return !has_any;
	}
	if (!has_any) {
		s->inside = 0;
		runtime_put(w, s->loop_pc);
	}
	return 0;
}

#else
/* The same, of those that came with the copy. */
static uint64_t recorded_turn(struct walk *w)
{
	struct state *s = w->s;
	const uint64_t *at = &s->language[s->collected / WORD];

	if (s->inside == INSIDE_BEGIN) {
		/* Those of loops that the walk has not met. */
		while (at[0] > 1 && at[0] < s->loop_sp)
			do
				at++;
			while (RUNTIME_IS_FRAME(at[0]));
		s->inside = INSIDE_FRAMES;
		if (!at[0] ||
		    (at[0] > 1 && at[0] - s->loop_sp >= s->sp - s->loop_sp))
			s->inside = 0;
		s->collected = (uint64_t)(at - s->language) * WORD;
		if (s->inside)
			s->collected += WORD;
		else
			runtime_put(w, s->loop_pc);
		return 0;
	}
	if (RUNTIME_IS_FRAME(at[0])) {
		runtime_put(w, at[0]);
		s->collected += WORD;
	} else {
		s->inside = 0;
	}
	return 0;
}

static uint64_t inside_turn(struct walk *w)
{
	struct state *s = w->s;

	if (s->language[0])
		return recorded_turn(w);
	if (s->inside == INSIDE_FRAMES) {
		if (!runtime_next(w))
			s->inside = 0;
		return 0;
	}
	s->inside = INSIDE_FRAMES;
	if (!runtime_begin(w)) {
		s->inside = 0;
		runtime_put(w, s->loop_pc);
	}
	return 0;
}
#endif

/*
 * The walk has come to an address that user space does not know yet, and will be
 * done again on a copy of the stack.  What the runtime keeps elsewhere would be
 * another by then, so all its frames go with the copy.
 */
INLINE uint64_t collect(struct state *s)
{
	if (!s->block || !s->is_unmapped || !s->may_wait || s->is_collecting)
		return 0;
	s->is_collecting = 1;
	s->inside = INSIDE_BEGIN;
	s->own[0] = s->own[1] = s->own[2] = 0;
	s->own[3] = s->own[4] = s->own[5] = 0;
	return 1;
}

/* A turn of that. */
INLINE uint64_t collecting_turn(struct walk *w)
{
	struct state *s = w->s;

	if (!s->inside)
		s->inside = INSIDE_BEGIN;
	return s->collected >= UNWIND_LANGUAGE - WORD;
}

/* Before the first frame. */
INLINE uint64_t runtime_start(struct walk *w)
{
	struct state *s = w->s;

	s->inside = s->look = 0;
	s->is_collecting = s->collected = 0;
	s->language[0] = 0;
	s->code_size = s->cold_size = 0;
	s->own[0] = s->own[1] = s->own[2] = 0;
	s->own[3] = s->own[4] = s->own[5] = 0;
	s->block = table_word(w, s->list + LIST_RUNTIME * WORD);
	if (!s->block)
		return 0;
	s->code = runtime_word(w, RUNTIME_CODE);
	s->code_size = runtime_word(w, RUNTIME_CODE_SIZE);
	s->cold = runtime_word(w, RUNTIME_COLD);
	s->cold_size = runtime_word(w, RUNTIME_COLD_SIZE);
	if (runtime_word(w, RUNTIME_KIND) == RUNTIME_HOTSPOT)
		hotspot_start(w);
	return 0;
}
