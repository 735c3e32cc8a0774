/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside probe/: what the registry holds.  Others see probe/probe.h. */

#include "base/table.h"
#include "base/text.h"
#include "base/vec.h"
#include "probe/probe.h"

/* One provider's part of the registry. */
struct registry_part {
	const struct provider *provider;
	uint32_t first_id; /* of its fixed range */
	bool is_complete;  /* it has listed everything it shows */
	void *state;	   /* the provider's own */
};

struct probe_registry {
	struct arena *arena;
	const struct options *options;
	struct processes *processes;
	struct types *types;
	struct language *language; /* or NULL, in tests */
	struct registry_part *parts;
	uint32_t nparts;
	struct table names; /* "p:m:f:n" -> struct probe */
	struct vec probes;  /* by id, once is_sorted */
	bool is_sorted;
	uint32_t next_id; /* for probes made on demand */
	uint32_t far_end; /* after the ranges of providers with many */
	bool tracefs_tried;
	int tracefs;	     /* descriptor or negative errno */
	struct text symbols; /* of /proc/kallsyms, as far as needed */
	int symbols_fd;
	bool symbols_tried;
	const char *unknown_type; /* registry_unknown_type() */
	/* note.c */
	void (*say)(void *data, const char *note);
	void *say_data;
	struct table notes; /* those that were printed */
};

/* symbol.c */
void registry_symbols_close(struct probe_registry *registry);

/* suggest.c: what a description that matches nothing may have meant. */
const char *registry_suggest(struct probe_registry *registry,
			     const struct probe_desc *desc);
