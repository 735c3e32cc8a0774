/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Probes that fire when a perf event overflows: profile, tick, cpc. */

#include <linux/perf_event.h>

#include "provider/provider.h"

/* 0 or a negative errno: the event of a probe, and whether one CPU is enough. */
typedef int sample_describe(const struct probe *probe,
			    struct perf_event_attr *attr, bool *on_one_cpu);

/*
 * Says how programs of the group find their probe (the cookie of an event is
 * its index in the group) and their arguments: arg0 is the interrupted kernel
 * address or 0, arg1 the user address or 0.
 */
void sample_context(struct probe_group *group);

/*
 * Events of all probes of the group, each on every CPU that is online (or that
 * -x cpu names), or on the first of them only.  If one fails none stays, and
 * the message begins with `what` ("cannot count the events of").
 */
int sample_attach(struct attach_context *context, struct probe_group *group,
		  sample_describe *describe, const char *what);

/* An event that does not count yet: a descriptor or a negative errno. */
int sample_open(const struct perf_event_attr *attr, int cpu);
