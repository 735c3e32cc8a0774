/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Runtimes: the frames that programmers wrote, in stacks of processes that
 * interpret or compile a language themselves.
 *
 * The walk of a stack (bpf/runtime.h) writes a word for a frame of the language;
 * here is what fills the tables that it needs, and what names its words.
 *
 * A runtime is a file here with a struct runtime, and a line in runtimes.def.
 * What the walk has to do for it is a table of steps (program.h).  Where things are in the process comes from the process
 * itself (tables that it exports, symbols, code of accessors), from a list of
 * versions only if there is no other source.  What cannot be read is what there
 * was before: addresses of the interpreter.
 *
 * 1. All that is read from a process is hostile: lengths are bounded, pointers
 *    are only given to runtime_read(), loops end.
 * 2. A frame is named when it is first seen, because code moves and processes
 *    end.  So the walk copies the object that the frame points to, and up to
 *    three that this one points to (RUNTIME_POINTS in the block; sizes are in
 *    bpf/unwind.h), and wakes us; runtime_read() looks there first.  Names stay
 *    as long as the process is known (forget.c).  RUNTIME_IDENTITY is a word of
 *    the object that is another one when another object is in its place.
 * 3. A process has one runtime: the first that is found in it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/runtime_steps.h"
#include "bpf/unwind.h"

struct elf_file;
struct image;
struct process;
struct processes;
struct space;
struct runtimes;

/* A frame as its programmer knows it. */
struct runtime_frame {
	const char *function;
	const char *file; /* "": not known */
	uint64_t line;	  /* 0: not known */
};
enum { RUNTIME_INLINED = 16 }; /* the most that one word stands for */

struct runtime_process {
	const struct runtime *runtime;
	struct runtimes *runtimes;
	uint32_t pid;
	uint64_t block[RUNTIME_WORDS];
	const struct space *space; /* its mappings, in renew() */
	void *own;		   /* the runtime's: see its free() */
	/* registry.c */
	struct runtime_memory *memory; /* what is read, and the names */
	struct runtime_process *older; /* before it executed another program */
};

/* A mapped file that may bring a runtime. */
struct runtime_image {
	struct image *image; /* it is open */
	uint64_t bias;	     /* of its addresses in the process */
};

struct runtime {
	const char *name; /* "cpython" */
	/* Is it worth a look?  Cheap: by the last part of the file's path. */
	bool (*is_in)(const char *file);
	/*
	 * Instead, where files have any name: asked once for each that is not
	 * another runtime's; or NULL.
	 */
	bool (*is_file)(const struct elf_file *file);
	/* Addresses have symbols: alone, not in a stack, these are their names. */
	bool has_symbols;
	/*
	 * Fills the block: ranges of code, constants, and a program
	 * (runtime/program.h); false: why, or NULL if it is not in this file
	 * after all.  Called when something is mapped: the process may not have
	 * run an instruction of it yet.
	 */
	bool (*prepare)(struct runtime_process *process,
			const struct runtime_image *image, const char **why);
	/*
	 * The process's mappings have been read again: fills what was not there
	 * yet when it was prepared; or NULL.
	 */
	void (*renew)(struct runtime_process *process);
	/*
	 * Names a frame that the walk has written; returns how many there are in
	 * it, innermost first, or 0 and why.  Texts last if they are from
	 * runtime_text().
	 */
	unsigned (*name_frame)(struct runtime_process *process,
			       uint64_t pointer, uint32_t detail,
			       struct runtime_frame *frames, const char **why);
	/* The same for code with an address of its own; or NULL. */
	unsigned (*name_code)(struct runtime_process *process, uint64_t pc,
			      struct runtime_frame *frames, const char **why);
	void (*free)(struct runtime_process *process); /* `own`; or NULL */
};

/* ------------------------------------------------------------- for a session */

/*
 * explain: why something has no names, once for each process and reason; or
 * NULL.
 */
struct runtimes *runtimes_new(struct processes *processes,
			      void (*explain)(void *context,
					      const char *message),
			      void *context);
void runtimes_free(struct runtimes *runtimes);
/* For unwind_set_runtimes(). */
unsigned runtimes_prepare(void *runtimes, struct process *process,
			  const struct space *space, uint64_t *block);
void runtimes_ask(void *runtimes, uint32_t pid, uint64_t frame,
		  const uint64_t *question);
bool runtimes_read(void *runtimes, uint32_t pid, uint64_t from, void *to,
		   uint32_t size);
/*
 * Names of a word of a stack, as long as the process is known; 0: it has none.
 * *frames: valid until the next call.
 */
unsigned runtimes_name(struct runtimes *runtimes, uint32_t pid, uint64_t word,
		       const struct runtime_frame **frames);
/* Does an address of the process that is not in a stack have symbols only? */
bool runtimes_have_symbols(struct runtimes *runtimes, uint32_t pid);
/* The word that stands for all words of the process that are named alike. */
uint64_t runtimes_key(struct runtimes *runtimes, uint32_t pid, uint64_t word);

/*
 * What must be added to addresses of a mapped file, which is open; false: it
 * cannot be told.
 */
struct mapping;
bool runtime_bias(const struct mapping *mapping, uint64_t *bias);
/* Is it a Go program's file?  Then it is open. */
bool runtime_image_is_go(struct processes *processes,
			 const struct process *process,
			 const struct mapping *mapping);

/* -------------------------------------------------------------- for a runtime */

/* Bytes of the process; false: not all of them can be read. */
bool runtime_read(struct runtime_process *process, uint64_t from, void *to,
		  size_t size);
/* A word; 0: it cannot be read. */
uint64_t runtime_read_word(struct runtime_process *process, uint64_t from);
/* At most `most` bytes up to a NUL, which is added; false: none at all. */
bool runtime_read_string(struct runtime_process *process, uint64_t from,
			 char *to, size_t most);
/*
 * A copy that lasts, cut where it is too long (files have names of any length);
 * the same text is kept once.  "": no more memory.
 */
enum { RUNTIME_TEXT_MOST = 4096 };
const char *runtime_text(struct runtime_process *process, const char *text);

/* Symbols of a file by name; those that it does not have stay 0. */
struct runtime_symbol {
	const char *name;
	uint64_t address; /* in the process */
	uint64_t size;
};
void runtime_symbols(const struct runtime_image *image,
		     struct runtime_symbol *symbols, size_t count);
/* Bytes of the file's code; false: it has not as many there. */
bool runtime_code(const struct runtime_image *image, uint64_t address,
		  uint8_t *to, size_t size);
/*
 * A function of the file becomes one of the runtime's ranges of code, and
 * the part that the compiler has put elsewhere, if it has, another.
 */
void runtime_range(const struct runtime_image *image,
		   const struct runtime_symbol *function, uint64_t *block);
/* The function or piece of one that an address is in; size 0: not known. */
struct runtime_symbol runtime_piece(const struct runtime_image *image,
				    uint64_t address);
/*
 * Functions of the file that a function calls or jumps to, each once: addresses
 * in the process.  How many there are, at most `most`.
 */
size_t runtime_calls(const struct runtime_image *image,
		     const struct runtime_symbol *function, uint64_t *targets,
		     size_t most);
