/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scopes are lists, searched from the inside out: blocks declare a few names.
 */
#include "lang/scope.h"

void scope_enter(struct scope **inner, struct scope *scope)
{
	scope->outer = *inner;
	*inner = scope;
}

void scope_leave(struct scope **inner)
{
	*inner = (*inner)->outer;
}

static struct ident *find_here(const struct scope *scope, struct str name)
{
	for (uint32_t i = 0; i < scope->count; i++)
		if (str_is(name, scope->idents[i]->name))
			return scope->idents[i];
	return NULL;
}

bool scope_declare(struct scope *inner, struct arena *arena,
		   struct ident *ident)
{
	if (find_here(inner, str_of(ident->name)))
		return false;
	inner->idents = arena_grown(arena, inner->idents, inner->count,
				    sizeof(*inner->idents));
	inner->idents[inner->count++] = ident;
	return true;
}

struct ident *scope_find(const struct scope *inner, struct str name)
{
	for (; inner; inner = inner->outer) {
		struct ident *ident = find_here(inner, name);

		if (ident)
			return ident;
	}
	return NULL;
}
