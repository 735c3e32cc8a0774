/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Names of addresses on the tracing host: the resolver of a session, and how
 * the aggregation store sees keys that are addresses.
 */

#include "base/option.h"
#include "base/text.h"
#include "facts/fact.h"

struct inlines;	 /* runtime/inlines.h */
struct runtimes; /* runtime/runtime.h */
struct symbols;	 /* proc/symbols.h */
struct unwind;	 /* proc/unwind.h */

struct live_resolver {
	const struct options *options;
	struct symbols *symbols;   /* NULL: addresses stay numbers */
	struct unwind *unwind;	   /* NULL: no program walks stacks */
	struct runtimes *runtimes; /* with it, or NULL */
	struct inlines *inlines;   /* -x inlines, or NULL */
	/* Messages, without "dtrace: " and newline. */
	void (*warn)(void *context, const char *message);
	void *context;
	bool has_warned_hidden; /* that kernel addresses have no names */
	char cut[48];		/* why the last stack is incomplete */
};

struct resolver live_resolver(struct live_resolver *live);
/* Fills in the addresses of a value whose walk was deferred. */
void resolve_value(const struct live_resolver *live, struct fact_value *value);
/*
 * A key that is an address or a stack, as the store knows it: what prints the
 * same becomes the same bytes.  Looks at processes while they exist.
 */
void resolve_key(struct live_resolver *live, const struct schema_field *key,
		 uint8_t *bytes);
