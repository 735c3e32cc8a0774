/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Tracepoints: what rawtp, sdt and the providers built on them share. */

#include "provider/provider.h"

/* Ids of tracepoints, the kernel's own numbers, are below this. */
enum { TRACEPOINT_LIMIT = 1 << 14 };

/* What probe->data of a tracepoint from tracefs points to. */
struct tracepoint {
	struct probe_registry *registry;
	/* sdt.c: the fields of its record, once requested */
	struct trace_field *fields;
	uint32_t nfields;
	bool is_read;
};

/*
 * Announce the kernel's tracepoints that may match: module is the group,
 * function is empty, number is the kernel's id of the event.  False: none.
 */
/* Why a probe may be missing: NULL, or what is wrong with tracefs. */
const char *tracepoint_explain(struct probe_registry *registry,
			       const struct provider *provider,
			       const struct probe_desc *desc);
bool tracepoint_list(struct probe_registry *registry,
		     const struct provider *provider,
		     const struct probe_desc *desc);
/* For fixed_id. */
uint32_t tracepoint_id(const struct probe *probe);
/* The file events/GROUP/EVENT/NAME, read whole; NULL when it cannot be. */
char *tracepoint_read(struct probe_registry *registry, const char *group,
		      const char *event, const char *name);
