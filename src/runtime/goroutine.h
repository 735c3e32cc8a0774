/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Where the threads of a Go program have the number of their goroutine. */

#include <stdbool.h>
#include <stdint.h>

struct process;
struct processes;

/*
 * Offsets.  A thread has a pointer to the structure (g) that runs on it: a
 * goroutine's, or one of its own.  That has a pointer to the thread's structure,
 * which has one to the goroutine's, whichever runs.
 */
struct goroutine_place {
	int32_t slot;	    /* of the first pointer, from the thread pointer */
	uint32_t machine;   /* in g, to the thread's structure */
	uint32_t goroutine; /* in that, to g */
	uint32_t sp;	    /* in g: the saved stack pointer */
	uint32_t number;    /* in g; only of goroutine_find() */
};

struct go_code;
bool goroutine_place(struct go_code *code, struct goroutine_place *place);
/* False: it is no Go program, or its code does not tell. */
bool goroutine_find(struct processes *processes, struct process *process,
		    struct goroutine_place *place);
