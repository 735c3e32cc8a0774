/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * D libraries that are part of the program.  dlib/ holds them as text;
 * tools/embed.c makes the array at build time, with the names that each
 * library defines (inlines, typedefs, tags, enumerators, translators' output
 * types, providers), so that a library is parsed only when one of them is
 * mentioned.
 */

#include <stddef.h>

/* Among the names, in front of that of a provider. */
#define LIBRARY_PROVIDER "provider "

struct embedded_library {
	const char *name; /* "errno.d"; NULL ends the array */
	const char *text;
	size_t length;
	const char *const *names; /* sorted, NULL at the end */
	size_t nnames;
};

extern const struct embedded_library embedded_libraries[];
