/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Source names, from the mangled names of C++ and Rust compilers:
 * _Z16dispatch_commandP3THD is dispatch_command(THD*).
 */

#include <stdbool.h>

enum { DEMANGLED_LONGEST = 8 << 10 };

bool is_mangled(const char *name);
/*
 * free() it; NULL: it is not mangled, or says too much.  Rust's hashes are left
 * out.
 */
char *demangle(const char *name);
/* The same without the types of parameters. */
char *demangle_short(const char *name);
