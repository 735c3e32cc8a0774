/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Demangling by libiberty, which knows both C++ and Rust.  Names come from
 * files that others wrote.  libiberty limits its own recursion, but not its
 * output: a name of 300 bytes can encode a type that takes hours to print,
 * because an earlier part is repeated by a number.  So the text is taken piece
 * by piece, and abandoned when it becomes too long; that is safe because
 * libiberty keeps all its state on the stack.
 */
#include "proc/demangle.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

enum { LONGEST = DEMANGLED_LONGEST };

struct demangled {
	jmp_buf too_long;
	size_t length;
	char text[LONGEST];
};

bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

static void add(const char *text, size_t length, void *data)
{
	struct demangled *out = data;

	if (length >= LONGEST - out->length)
		longjmp(out->too_long, 1);
	memcpy(out->text + out->length, text, length);
	out->length += length;
}

static bool write_to(struct demangled *out, const char *name, int options)
{
	out->length = 0;
	if (setjmp(out->too_long))
		return false;
	/* the older names of Rust are names of C++, too */
	if (rust_demangle_callback(name, options, add, out))
		return true;
	out->length = 0;
	return cplus_demangle_v3_callback(name, options, add, out);
}

static char *demangle_as(const char *name, int options)
{
	struct demangled out;

	return is_mangled(name) && write_to(&out, name, options)
		       ? strndup(out.text, out.length)
		       : NULL;
}

char *demangle(const char *name)
{
	return demangle_as(name, DMGL_PARAMS | DMGL_ANSI);
}

char *demangle_short(const char *name)
{
	return demangle_as(name, DMGL_ANSI);
}
