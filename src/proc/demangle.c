/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Demangling by libiberty, which knows both C++ and Rust.  Names come from
 * files that others wrote: libiberty limits its own recursion.
 */
#include "proc/demangle.h"

#include <stddef.h>

#include <libiberty/demangle.h>

bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

char *demangle(const char *name)
{
	return is_mangled(name) ?
		cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO) :
		NULL;
}

char *demangle_short(const char *name)
{
	return is_mangled(name) ?
		cplus_demangle(name, DMGL_ANSI | DMGL_AUTO) : NULL;
}
