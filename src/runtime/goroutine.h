/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Where the threads of a Go program have the number of their goroutine. */

#include <stdbool.h>
#include <stdint.h>

struct process;
struct processes;

struct goroutine_place {
	int32_t slot;	 /* of the pointer to g, from the thread pointer */
	uint32_t number; /* of the number, in g */
};

/* Of the code alone: the first of them. */
struct go_code;
bool goroutine_slot(struct go_code *code, int32_t *slot);
/* False: it is no Go program, or its code does not tell. */
bool goroutine_find(struct processes *processes, struct process *process,
		    struct goroutine_place *place);
