/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Scopes: names that are known in a part of the text only.
 *
 * They are the parameters of an inline, a translator or a D function, and what
 * statements declare in a block (int i = 0;).  They come before all other names,
 * inner ones before outer ones.  The parser keeps scopes to tell a name from a
 * type, the checker to find its meaning.  A scope is a variable of the function
 * that reads or checks the block.
 */

#include "base/arena.h"
#include "lang/ident.h"

struct scope {
	struct ident **idents;
	uint32_t count;
	struct scope *outer;
};

void scope_enter(struct scope **inner, struct scope *scope);
void scope_leave(struct scope **inner);
/* false: the innermost scope has such a name. */
bool scope_declare(struct scope *inner, struct arena *arena,
		   struct ident *ident);
/* The innermost one, or NULL. */
struct ident *scope_find(const struct scope *inner, struct str name);
