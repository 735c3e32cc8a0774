/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside runtime/: what is known of a process with a runtime, and the way to its
 * memory, which ends with the program that it executes: what has its number
 * afterwards cannot be taken for it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/table.h"
#include "bpf/unwind.h"

struct arena;
struct budget;
struct image;
struct runtime_process;

struct runtime_memory {
	int fd; /* /proc/PID/mem; -1: it cannot be read */
	struct budget *budget;
	uint64_t held; /* of that */
	struct arena *arena;
	struct table texts;	   /* by themselves */
	struct table words;	   /* their names */
	struct table by_names;	   /* words that are named alike */
	struct table keys;	   /* names, by the words that stand for them */
	struct table told;	   /* reasons that were given */
	struct table objects;	   /* struct runtime_copy, by their addresses */
	struct runtime_copy *copy; /* of the frame at hand, or NULL */
	struct image *image; /* that brings the runtime: only to compare */
	uint64_t image_start;
};

/* What was read besides: long tables. */
struct runtime_piece {
	uint64_t start, size;
	struct runtime_piece *next;
	uint8_t bytes[];
};

/* Memory of the process as it was when a frame was first seen. */
struct runtime_copy {
	uint64_t object;
	uint64_t generation; /* how many had its place before */
	struct runtime_piece *pieces;
	uint64_t question[UNWIND_QUESTION_SIZE / 8];
};

/*
 * Bytes of the process, or of a copy, as runtime_read(); but not counted as work
 * (base/budget.h), for walks of copied stacks.
 */
bool runtime_memory_read(struct runtime_process *process, uint64_t from,
			 void *to, size_t size);
/* Memory of the runtime's own for what is read; false: that is too much. */
bool runtime_memory_hold(struct runtime_memory *memory, size_t size);
void runtime_memory_release(struct runtime_memory *memory, size_t size);

struct runtime_memory *runtime_memory_new(uint32_t pid, struct budget *budget);
void runtime_memory_free(struct runtime_memory *memory);
/* Has the program ended?  Then its file is closed; names stay. */
bool runtime_memory_is_over(struct runtime_memory *memory);
/* Lasts as long as the process is known; NULL: that would be too much. */
void *runtime_memory_alloc(struct runtime_memory *memory, size_t size);
