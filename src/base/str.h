/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Strings inside the program: a pointer and a length, not NUL-terminated.
 * C strings live at the borders.
 */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })

static inline struct str str_of(const char *text)
{
	return (struct str){ text, strlen(text) };
}

static inline bool str_equal(struct str a, struct str b)
{
	return a.n == b.n && (!a.n || !memcmp(a.p, b.p, a.n));
}

static inline bool str_is(struct str a, const char *text)
{
	return a.n == strlen(text) && !memcmp(a.p, text, a.n);
}

/*
 * Edit distance of two words, for "did you mean".  Counts insertion, deletion,
 * replacement and the swap of two neighbours; gives up beyond `limit`.
 */
unsigned str_distance(const char *a, const char *b, unsigned limit);
