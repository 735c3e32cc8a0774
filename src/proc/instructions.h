/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Which bytes of a function start instructions; see instructions.c. */

#include <stdbool.h>
#include <stdint.h>

struct instructions {
	const uint8_t *code; /* the caller's */
	uint64_t size;
	uint8_t *marks;	   /* a byte for each byte */
	bool is_all_code;  /* no data in between, as far as can be seen */
	bool has_indirect; /* jumps whose targets are not known */
};

void instructions_find(struct instructions *all, const uint8_t *code,
		       uint64_t size);
void instructions_free(struct instructions *all);
/* Jumps lead there from the start of the function. */
bool instructions_is_reached(const struct instructions *all, uint64_t at);
/*
 * An instruction for sure: nothing but code can be there.  `has_hidden`: code
 * can be reached by paths that cannot be seen, such as handlers of exceptions.
 */
bool instructions_is_one(const struct instructions *all, uint64_t at,
			 bool has_hidden);
/* The start of the one before; 0 if there is none. */
uint64_t instructions_before(const struct instructions *all, uint64_t at);
