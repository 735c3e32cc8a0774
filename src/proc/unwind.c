/* SPDX-License-Identifier: Apache-2.0 */
#include "proc/unwind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "bpf/library.h"
#include "bpf/runtime_steps.h"
#include "bpf/unwind.h"
#include "bpf/unwind_native.h"
#include "proc/process.h"
#include "proc/symbols.h"

enum { WORD = 8, REMEMBERED = 8192, SECOND = 1000000000 };

struct unwind {
	uint8_t *memory;
	uint64_t size;
	struct symbols *symbols;
	struct processes *processes;
	uint64_t next;			 /* free place in the pool */
	uint64_t emptied_at;		 /* ns */
	struct unwind_stack *stacks;	 /* by id % REMEMBERED */
	struct unwind_runtimes runtimes; /* or none */
	uint64_t asked;			 /* questions that were read */
};

static uint64_t *word_of(const struct unwind *unwind, uint64_t at)
{
	return (uint64_t *)(unwind->memory + at);
}

static void publish(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* -------------------------------------------------------------- the pool */

static uint64_t epoch(const struct unwind *unwind)
{
	return *word_of(unwind, UNWIND_EPOCH * WORD);
}

/*
 * Forget everything; walks in progress will notice, and so will those that
 * begin meanwhile with data that is to be forgotten.
 */
static void empty(struct unwind *unwind)
{
	publish(word_of(unwind, UNWIND_EPOCH * WORD), epoch(unwind) + 1);
	memset(unwind->memory + UNWIND_LAYOUTS_AT, 0,
	       UNWIND_SLOTS_AT - UNWIND_LAYOUTS_AT);
	publish(word_of(unwind, UNWIND_EPOCH * WORD), epoch(unwind) + 1);
	unwind->next = UNWIND_POOL_AT;
	unwind->emptied_at = clock_monotonic();
}

/* Space for that many bytes; 0 if there is none. */
static uint64_t allocate(struct unwind *unwind, uint64_t size)
{
	uint64_t at = unwind->next;

	size = (size + WORD - 1) / WORD * WORD;
	if (size > unwind->size - UNWIND_POOL_AT)
		return 0;
	if (size > unwind->size - at) {
		if (clock_monotonic() - unwind->emptied_at < SECOND)
			return 0;
		empty(unwind);
		at = unwind->next;
	}
	unwind->next = at + size;
	return at;
}

/* --------------------------------------------------------------- layouts */

static uint64_t find_layout(const struct unwind *unwind, uint64_t key)
{
	uint64_t *pair = word_of(unwind, UNWIND_LAYOUTS_AT +
						 (key >> UNWIND_LAYOUT_SHIFT) *
							 2 * WORD);

	for (unsigned i = 0; i < UNWIND_TRIES; i++)
		if (pair[2 * i] == key)
			return pair[2 * i + 1];
	return 0;
}

static void put_layout(struct unwind *unwind, uint64_t key, uint64_t list)
{
	uint64_t *pair = word_of(unwind, UNWIND_LAYOUTS_AT +
						 (key >> UNWIND_LAYOUT_SHIFT) *
							 2 * WORD);
	unsigned n = 0;

	for (unsigned i = 0; i < UNWIND_TRIES; i++)
		if (pair[2 * i] == key)
			n = i + 1;
	for (unsigned i = 0; i < UNWIND_TRIES && !n; i++)
		if (!pair[2 * i])
			n = i + 1;
	/* All taken: one has to go; which does not matter much. */
	if (!n)
		n = 1 + (unsigned)(key % UNWIND_TRIES);
	pair += 2 * (n - 1);
	if (pair[0] != key)
		publish(&pair[0], 0);
	publish(&pair[1], list);
	publish(&pair[0], key);
}

/* ---------------------------------------------------------------- tables */

static void put_half(uint64_t *words, uint64_t n, uint32_t value)
{
	memcpy((uint8_t *)words + n * 4, &value, sizeof(value));
}

/* The layout of unwind.h; returns its place, or 0. */
static uint64_t put_table(struct unwind *unwind, const struct eh_rows *rows)
{
	if (!rows->count)
		return 0;
	uint32_t first = (uint32_t)rows->rows[0];
	uint32_t last = (uint32_t)rows->rows[rows->count - 1];
	uint64_t buckets = ((uint64_t)(last - first) >> UNWIND_BUCKET_SHIFT) +
			   1;
	uint64_t index = (2 + (buckets + 2) / 2) * WORD;
	uint64_t at = allocate(unwind, index + rows->count * WORD);

	if (!at)
		return 0;
	uint64_t *words = word_of(unwind, at);
	size_t row = 0;

	words[0] = first | buckets << 32;
	words[1] = at + index;
	for (uint64_t n = 0; n <= buckets; n++) {
		uint64_t start = first + (n << UNWIND_BUCKET_SHIFT);

		while (row + 1 < rows->count &&
		       (uint32_t)rows->rows[row + 1] <= start)
			row++;
		put_half(words + 2, n, (uint32_t)row);
	}
	memcpy(word_of(unwind, at + index), rows->rows, rows->count * WORD);
	return at;
}

static void load_rules(struct unwind *unwind, const struct process *process,
		       const struct mapping *mapping)
{
	struct image *image = mapping->image;
	struct image_place place = process_place(process, mapping);
	struct eh_rows rows = { 0 };

	if (image->rules.epoch == epoch(unwind) + 1 ||
	    !image_rules(unwind->processes, image, &place, &rows))
		return;
	uint64_t table = put_table(unwind, &rows);

	image->rules.table = table;
	image->rules.epoch = epoch(unwind) + 1;
	image->rules.base = rows.base;
	image->rules.ncode = rows.ncode;
	memcpy(image->rules.code, rows.code, sizeof(rows.code));
	eh_rows_free(&rows);
}

/* What must be taken from an address in the mapping to get a row's. */
static bool bias_of(const struct mapping *mapping, uint64_t *bias)
{
	const struct image *image = mapping->image;
	uint64_t end = mapping->offset + (mapping->end - mapping->start);

	for (unsigned i = 0; i < image->rules.ncode; i++) {
		const struct eh_code *code = &image->rules.code[i];

		if (mapping->offset >= code->offset + code->size ||
		    end <= code->offset)
			continue;
		*bias = mapping->start - mapping->offset + code->offset -
			code->address + image->rules.base;
		return true;
	}
	return false;
}

/* ----------------------------------------------------------------- lists */

/* Its files' tables first: that may empty the pool. */
static void load_tables(struct unwind *unwind, const struct process *process,
			const struct space *space)
{
	uint64_t before;

	do {
		before = epoch(unwind);
		for (size_t i = 0; i < space->count; i++)
			if (space->mappings[i].is_code &&
			    space->mappings[i].image)
				load_rules(unwind, process,
					   &space->mappings[i]);
	} while (before != epoch(unwind));
}

static size_t count_code(const struct space *space)
{
	size_t count = 0;

	for (size_t i = 0; i < space->count; i++)
		count += space->mappings[i].is_code;
	return count;
}

/*
 * Words of the list: its head, four for each mapping, the block of a runtime,
 * whose place LIST_RUNTIME still is in the list.
 */
static uint64_t *make_list(const struct unwind *unwind, struct process *process,
			   const struct space *space, size_t *nwords)
{
	size_t count = count_code(space);
	uint64_t *words = must_alloc(
		checked_mul(LIST_HEAD + 4 * count + RUNTIME_WORDS, WORD));
	uint64_t *at = words + LIST_HEAD;

	for (size_t i = 0; i < space->count; i++) {
		const struct mapping *mapping = &space->mappings[i];

		if (!mapping->is_code)
			continue;
		at[0] = mapping->start;
		at[1] = mapping->end;
		at[2] = at[3] = 0;
		if (mapping->image &&
		    mapping->image->rules.epoch == epoch(unwind) + 1 &&
		    bias_of(mapping, &at[2]))
			at[3] = mapping->image->rules.table;
		at += 4;
	}
	memset(words, 0, LIST_HEAD * WORD);
	words[LIST_COUNT] = count;
	memset(at, 0, RUNTIME_WORDS * WORD);
	if (unwind->runtimes.prepare &&
	    unwind->runtimes.prepare(unwind->runtimes.context, process, space,
				     at)) {
		words[LIST_RUNTIME] = (uint64_t)(at - words) * WORD;
		at += RUNTIME_WORDS;
	}
	*nwords = (size_t)(at - words);
	return words;
}

/* Do they have the same files, whatever else changed? */
static bool same_files(const uint64_t *a, const uint64_t *b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a[0] && !a[LIST_HEAD + 4 * i + 3])
			i++;
		while (k < b[0] && !b[LIST_HEAD + 4 * k + 3])
			k++;
		if (i == a[0] || k == b[0])
			return i == a[0] && k == b[0];
		if (memcmp(a + LIST_HEAD + 4 * i, b + LIST_HEAD + 4 * k,
			   4 * WORD))
			return false;
		i++;
		k++;
	}
}

static bool same_mappings(const uint64_t *a, const uint64_t *b)
{
	return a[LIST_COUNT] == b[LIST_COUNT] &&
	       !memcmp(a + LIST_HEAD, b + LIST_HEAD, 4 * a[LIST_COUNT] * WORD);
}

/* `known` is in the pool, `words` are not yet. */
static bool same_runtime(const struct unwind *unwind, const uint64_t *known,
			 const uint64_t *words)
{
	if (!known[LIST_RUNTIME] || !words[LIST_RUNTIME])
		return known[LIST_RUNTIME] == words[LIST_RUNTIME];
	return !memcmp(word_of(unwind, known[LIST_RUNTIME]),
		       words + words[LIST_RUNTIME] / WORD,
		       RUNTIME_WORDS * WORD);
}

/*
 * has_moved: the kernel counts more or less code than the last time.  It may
 * have been there for a moment only, or be the kernel's own.
 */
static uint64_t put_list(struct unwind *unwind, struct process *process,
			 const struct space *space, bool has_moved)
{
	size_t nwords;

	load_tables(unwind, process, space);
	uint64_t *words = make_list(unwind, process, space, &nwords);
	uint64_t known = find_layout(unwind, space->layout), list;
	const uint64_t *before = word_of(unwind, known);
	bool is_same = known && same_mappings(before, words);
	bool is_runtime_same = known && same_runtime(unwind, before, words);

	/* Only code that the process itself generated was added or removed. */
	if (known && same_files(before, words) &&
	    (!is_same || before[LIST_FLAGS] & LIST_CHANGES ||
	     (has_moved && !space->has_machinery)))
		words[LIST_FLAGS] |= LIST_CHANGES;
	if (is_same && is_runtime_same &&
	    words[LIST_FLAGS] == before[LIST_FLAGS])
		list = known;
	else
		list = allocate(unwind, nwords * WORD);
	/* The pool was emptied for it: its tables are gone, too. */
	if (list && list != known &&
	    unwind->next == UNWIND_POOL_AT + nwords * WORD)
		list = 0;
	if (list && list != known) {
		if (words[LIST_RUNTIME])
			words[LIST_RUNTIME] += list;
		memcpy(word_of(unwind, list), words, nwords * WORD);
	}
	free(words);
	if (!list)
		return 0;
	if (space->exact)
		put_layout(unwind, space->exact, list);
	put_layout(unwind, space->layout, list);
	return list;
}

/*
 * The space that the process had at that time.  Events do not include a layout:
 * a caller that knows it passes it here.
 */
static struct space *find_space(struct process *process, uint64_t layout,
				uint64_t time)
{
	for (struct space *space = process->space; space; space = space->older)
		if (space->layout == layout)
			return space;
	for (struct space *space = process->space; space; space = space->older)
		if (!space->layout && space->since <= time) {
			space->layout = layout;
			return space;
		}
	return NULL;
}

void unwind_note(struct unwind *unwind, uint32_t pid)
{
	struct process *process = process_asked(unwind->processes, pid);

	process_read(unwind->processes, process);
	if (process->space && process->space->layout)
		put_list(unwind, process, process->space, false);
}

/* ---------------------------------------------------------------- copies */

/* The stack at hand: bytes from `start` on. */
static struct {
	uint64_t start, length;
	uint8_t bytes[UNWIND_PARTS * UNWIND_COPY];
	const uint64_t *slot;
	const struct unwind_runtimes *runtimes;
	/* Where the thread's stack begins now; 0: it runs. */
	uint64_t now;
	bool is_now_known;
} copy;

/* Two words of code are in the slot: bpf/unwind.h. */
static bool read_code(void *to, uint32_t size, uint64_t from)
{
	const uint64_t *slot = copy.slot;
	uint64_t top = 0;

	uint64_t below = slot[SLOT_SP] - copy.start;

	if (size != WORD || below > UNWIND_COPY)
		return false;
	memcpy(&top, copy.bytes + below, WORD);
	if (from != slot[SLOT_PC] && from != top - WORD)
		return false;
	memcpy(to, &slot[from == slot[SLOT_PC] ? SLOT_CODE : SLOT_CALL], WORD);
	return true;
}

static bool read_copy(void *to, uint32_t size, uint64_t from)
{
	uint64_t at = from - copy.start;

	if (at >= copy.length || size > copy.length - at)
		return read_code(to, size, from);
	memcpy(to, copy.bytes + at, size);
	return true;
}

/* Where a thread waits, the kernel says its stack pointer, last but one. */
static uint64_t stack_pointer_of(const uint64_t *slot)
{
	char path[64], text[256];
	uint64_t sp = UINT64_MAX; /* it has ended */

	snprintf(path, sizeof(path), "/proc/%u/task/%u/syscall",
		 (uint32_t)slot[SLOT_PID], (uint32_t)slot[SLOT_TID]);
	FILE *file = fopen(path, "re");

	if (!file)
		return sp;
	if (fgets(text, sizeof(text), file)) {
		const char *last = strrchr(text, ' ');

		while (last && last > text && last[-1] != ' ')
			last--;
		sp = last ? strtoull(last, NULL, 16) : 0;
	}
	fclose(file);
	return sp;
}

/*
 * Is this a part of the stack that the thread has left?  Nothing has overwritten
 * it yet, but the frames are gone.  A thread may have several stacks: one that is
 * far away says nothing of this one.
 */
static bool is_left(uint64_t from)
{
	static const uint64_t FAR = 8 << 20;

	if (from - copy.start >= copy.length)
		return false;
	if (!copy.is_now_known)
		copy.now = stack_pointer_of(copy.slot);
	copy.is_now_known = true;
	return from < copy.now &&
	       (copy.now == UINT64_MAX || copy.now - from < FAR);
}

/* The process at hand, whose memory may be another by now. */
static bool read_process(void *to, uint32_t size, uint64_t from)
{
	const struct unwind_runtimes *runtimes = copy.runtimes;

	if (is_left(from))
		return false;
	return runtimes->read &&
	       runtimes->read(runtimes->context, (uint32_t)copy.slot[SLOT_PID],
			      from, to, size);
}

static uint64_t *slot_of(const struct unwind *unwind, uint64_t id)
{
	return word_of(unwind, UNWIND_SLOTS_AT +
				       (id % UNWIND_SLOTS) * UNWIND_SLOT_SIZE);
}

/* Its parts are free again, but for the first. */
static void join_parts(const struct unwind *unwind, const uint64_t *slot)
{
	uint64_t id = slot[SLOT_ID];

	copy.slot = slot;
	copy.runtimes = &unwind->runtimes;
	copy.start = slot[SLOT_FROM];
	copy.length = 0;
	copy.is_now_known = false;
	for (unsigned n = 0; id && n < UNWIND_PARTS; n++) {
		uint64_t *part = slot_of(unwind, id);
		uint64_t length = part[SLOT_LENGTH];

		if (length > UNWIND_COPY)
			length = UNWIND_COPY;
		memcpy(copy.bytes + copy.length,
		       (const uint8_t *)part + UNWIND_SLOT_HEAD, length);
		copy.length += length;
		id = part[SLOT_MORE];
		if (n)
			publish(&part[SLOT_STATE], 0);
	}
}

/* Walk the copy at hand; true: an address was in no mapping. */
static bool walk(struct unwind *unwind, const uint64_t *slot, uint64_t list)
{
	struct unwind_stack *stack =
		&unwind->stacks[slot[SLOT_ID] % REMEMBERED];
	uint32_t size = (uint32_t)slot[SLOT_CAP];
	uint64_t *words = must_alloc(size);

	memset(words, 0, size);
	uint64_t result = (uint64_t)unwind_native((char *)words,
						  (const char *)unwind->memory,
						  CAPS(size, unwind->size),
						  list, slot, read_copy,
						  read_process);

	free(stack->words);
	stack->id = slot[SLOT_ID];
	stack->nwords = (uint32_t)result + 1;
	stack->words = must_realloc(words, stack->nwords * WORD);
	for (uint32_t i = 1; i < stack->nwords && unwind->runtimes.ask; i++)
		if (RUNTIME_IS_FRAME(stack->words[i]))
			unwind->runtimes.ask(unwind->runtimes.context,
					     (uint32_t)slot[SLOT_PID],
					     stack->words[i], NULL);
	return result & UNWIND_WANTS_LOOK;
}

/* The process's mappings as they are now; 0: it is gone, or there is no room. */
static uint64_t renew_list(struct unwind *unwind, struct process *process,
			   const uint64_t *slot, bool has_moved)
{
	const struct space *space = find_space(process, slot[SLOT_LAYOUT],
					       slot[SLOT_TIME]);
	uint64_t list = space ? put_list(unwind, process, space, has_moved) : 0;

	if (list)
		put_layout(unwind, slot[SLOT_EXACT], list);
	return list;
}

static void look_at(struct unwind *unwind, uint64_t *slot)
{
	struct process *process = process_asked(unwind->processes,
						(uint32_t)slot[SLOT_PID]);
	uint64_t list = find_layout(unwind, slot[SLOT_EXACT]);
	uint64_t time = processes_now();

	join_parts(unwind, slot);
	if (!list) {
		process_read(unwind->processes, process);
		list = renew_list(unwind, process, slot, true);
	}
	/* The list may be older than the stack. */
	if (walk(unwind, slot, list) && list &&
	    word_of(unwind, list)[LIST_LOOKED_AT] <= slot[SLOT_TIME]) {
		process_read_again(unwind->processes, process);
		uint64_t newer = renew_list(unwind, process, slot, false);

		if (newer)
			list = newer;
		publish(word_of(unwind, list + LIST_LOOKED_AT * WORD), time);
		walk(unwind, slot, list);
	}
	publish(&slot[SLOT_STATE], 0);
}

/* Frames that programs have seen for the first time. */
void unwind_answer(struct unwind *unwind)
{
	const struct unwind_runtimes *runtimes = &unwind->runtimes;
	uint64_t question[UNWIND_QUESTION_SIZE / WORD];
	uint64_t now = __atomic_load_n(word_of(unwind, UNWIND_ASKED * WORD),
				       __ATOMIC_ACQUIRE);

	if (now - unwind->asked > UNWIND_QUESTIONS)
		unwind->asked = now - UNWIND_QUESTIONS;
	for (; unwind->asked != now; unwind->asked++) {
		uint64_t *from = word_of(unwind,
					 UNWIND_QUESTIONS_AT +
						 unwind->asked %
							 UNWIND_QUESTIONS *
							 UNWIND_QUESTION_SIZE);
		uint64_t number = __atomic_load_n(from, __ATOMIC_ACQUIRE);

		/* It is still being written. */
		if (number < unwind->asked + 1)
			break;
		memcpy(question, from, sizeof(question));
		/* Another one has taken its place. */
		if (__atomic_load_n(from, __ATOMIC_ACQUIRE) !=
		    unwind->asked + 1)
			continue;
		if (runtimes->ask && question[QUESTION_FRAME])
			runtimes->ask(runtimes->context,
				      (uint32_t)question[QUESTION_PID],
				      question[QUESTION_FRAME], question);
	}
}

void unwind_look(struct unwind *unwind)
{
	unwind_answer(unwind);
	for (unsigned i = 0; i < UNWIND_SLOTS; i++) {
		uint64_t *slot =
			word_of(unwind, UNWIND_SLOTS_AT +
						(uint64_t)i * UNWIND_SLOT_SIZE);

		if (__atomic_load_n(&slot[SLOT_STATE], __ATOMIC_ACQUIRE) == 2)
			look_at(unwind, slot);
	}
}

void unwind_complete(struct unwind *unwind, uint8_t *bytes, uint32_t size)
{
	uint64_t head, id;

	if (size < 2 * WORD)
		return;
	memcpy(&head, bytes, WORD);
	memcpy(&id, bytes + WORD, WORD);
	if (STACK_STATUS(head) != STACK_PENDING)
		return;
	const struct unwind_stack *stack = &unwind->stacks[id % REMEMBERED];

	if (stack->id != id)
		unwind_look(unwind);
	memset(bytes, 0, size);
	if (stack->id == id) {
		uint32_t known = stack->nwords * WORD;

		memcpy(bytes, stack->words, known < size ? known : size);
		return;
	}
	head = (uint32_t)head | (uint64_t)STACK_BUSY << 32;
	memcpy(bytes, &head, WORD);
}

void unwind_complete_caller(struct unwind *unwind, uint8_t *bytes)
{
	uint64_t words[3] = { 0 };

	memcpy(words, bytes, 2 * WORD);
	unwind_complete(unwind, (uint8_t *)words, sizeof(words));
	if (!memcmp(words, bytes, 2 * WORD))
		return;
	words[0] = (uint32_t)words[0];
	words[1] = words[2];
	memcpy(bytes, words, 2 * WORD);
}

/* ------------------------------------------------------------------ life */

struct unwind *unwind_new(uint8_t *memory, uint64_t size,
			  struct symbols *symbols)
{
	struct unwind *unwind = must_alloc(sizeof(*unwind));

	*unwind = (struct unwind){
		.memory = memory,
		.size = size,
		.symbols = symbols,
		.processes = symbols_processes(symbols),
		.next = UNWIND_POOL_AT,
		.stacks = must_alloc(REMEMBERED * sizeof(*unwind->stacks)),
	};
	memset(unwind->stacks, 0, REMEMBERED * sizeof(*unwind->stacks));
	word_of(unwind, UNWIND_NOTHING)[LIST_FLAGS] = LIST_CHANGES;
	return unwind;
}

void unwind_set_runtimes(struct unwind *unwind,
			 const struct unwind_runtimes *runtimes)
{
	unwind->runtimes = *runtimes;
}

void unwind_free(struct unwind *unwind)
{
	if (!unwind)
		return;
	for (unsigned i = 0; i < REMEMBERED; i++)
		free(unwind->stacks[i].words);
	free(unwind->stacks);
	free(unwind);
}
