/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Data for the walk of user stacks (see the top of bpf/unwind.h): tables of
 * files, lists of mappings, and the stacks that were copied because their
 * process was not known.
 *
 * A process is examined when its first stack was copied, or earlier if a caller
 * announces that (unwind_note).  Tables of files are shared by all processes.
 * When the memory is full, all of it is forgotten and filled again for what is
 * still running; if that happens too often, new processes get no tables.
 */

#include <stdbool.h>
#include <stdint.h>

struct process;
struct space;
struct symbols;
struct unwind;

/* The result for a copied stack. */
struct unwind_stack {
	uint64_t id;
	uint32_t nwords;
	uint64_t *words; /* process and status, frames */
};

/*
 * `memory` is `size` bytes (UNWIND_LEAST .. UNWIND_MOST), whose header has been
 * filled in; symbols are notified of every process that is seen.
 */
struct unwind *unwind_new(uint8_t *memory, uint64_t size,
			  struct symbols *symbols);
void unwind_free(struct unwind *unwind);
/*
 * Who knows of runtimes (src/runtime/).  `prepare` fills the block of a process
 * (RUNTIME_WORDS, bpf/runtime_steps.h) and returns how many words it has; 0: it
 * has no runtime.  `ask`: a frame that is to be named before the process ends.
 * `read`: memory of the process as it is now.
 */
struct unwind_runtimes {
	void *context;
	unsigned (*prepare)(void *context, struct process *process,
			    const struct space *space, uint64_t *block);
	/* question: enum unwind_question (bpf/unwind.h), or NULL */
	void (*ask)(void *context, uint32_t pid, uint64_t frame,
		    const uint64_t *question);
	bool (*read)(void *context, uint32_t pid, uint64_t from, void *to,
		     uint32_t size);
};
void unwind_set_runtimes(struct unwind *unwind,
			 const struct unwind_runtimes *runtimes);
/* The process's layout becomes known, if it can be read. */
void unwind_note(struct unwind *unwind, uint32_t pid);
/*
 * Hand on what programs have asked about frames of runtimes: before such frames
 * are named; cheap.
 */
void unwind_answer(struct unwind *unwind);
/* The same, and walk what was copied. */
void unwind_look(struct unwind *unwind);
/*
 * The words of a stack become those of the copy that it names; if they do not
 * name one they stay as they are.
 */
void unwind_complete(struct unwind *unwind, uint8_t *words, uint32_t size);
/* {head, address of the caller}, from a stack of three words. */
void unwind_complete_caller(struct unwind *unwind, uint8_t *words);
