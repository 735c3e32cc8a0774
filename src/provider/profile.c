/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profile-N and tick-N: probes that fire by the clock.
 *
 * profile-N fires on every CPU, tick-N on one.  Both use perf events of the
 * kernel's cpu-clock with a period in nanoseconds; they are cheap to attach and
 * to close, unlike all other perf events.
 *
 * 1. A probe exists if its name can be parsed: a number with a unit (hz by
 *    default) that means 200 microseconds or more.  Only the classic rates are
 *    listed; others are created when a description names them.
 * 2. All probes of a group share one program; the cookie of each event is the
 *    index of its probe in the group.
 * 3. arg0 is the interrupted kernel address, arg1 the user address: one of
 *    them is 0, as the privilege bits of the saved CS say.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "ir/abi.h"
#include "provider/sample.h"

#define SECOND 1000000000ULL

enum { SHORTEST = 200000 }; /* nanoseconds */

static const struct {
	const char *name;
	uint64_t nanoseconds; /* 0: hz */
} units[] = {
	{ "", 0 },
	{ "hz", 0 },
	{ "ns", 1 },
	{ "nsec", 1 },
	{ "us", 1000 },
	{ "usec", 1000 },
	{ "ms", 1000000 },
	{ "msec", 1000000 },
	{ "s", SECOND },
	{ "sec", SECOND },
	{ "m", 60 * SECOND },
	{ "min", 60 * SECOND },
	{ "h", 3600 * SECOND },
	{ "hour", 3600 * SECOND },
	{ "d", 86400 * SECOND },
	{ "day", 86400 * SECOND },
};

/* Listed, with ids of their own: the place in this table. */
static const char *const premade[] = {
	"profile-97", "profile-199", "profile-499", "profile-997",
	"profile-1999", "profile-4001", "profile-4999",
	"tick-1", "tick-10", "tick-100", "tick-500", "tick-1000", "tick-5000",
};

enum { NPREMADE = sizeof(premade) / sizeof(premade[0]) };

/* ---------------------------------------------------------------- names */

static bool is_tick(const char *name)
{
	return !strncmp(name, "tick-", 5);
}

static bool is_clock(const char *name)
{
	return is_tick(name) || !strncmp(name, "profile-", 8);
}

/* The interval in nanoseconds, or 0 if it is not the name of such a probe. */
static uint64_t interval_of(const char *name)
{
	const char *at = strchr(name, '-');

	if (!is_clock(name))
		return 0;
	if (!isdigit((unsigned char)*++at))
		return 0;
	char *end;

	errno = 0;
	uint64_t count = strtoull(at, &end, 10), interval;

	if (errno || !count)
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		if (!units[i].nanoseconds)
			interval = SECOND / count;
		else if (__builtin_mul_overflow(count, units[i].nanoseconds,
						&interval))
			return 0;
		return interval >= SHORTEST && interval <= INT64_MAX ? interval
								     : 0;
	}
	return 0;
}

static void announce(struct probe_registry *registry, const char *name)
{
	registry_add(registry, &profile_provider, "profile", "", "", name,
		     interval_of(name));
}

static int profile_list(struct probe_registry *registry,
			const struct probe_desc *desc,
			struct probe_error *error)
{
	(void)error;
	for (size_t i = 0; i < NPREMADE; i++) {
		if (!desc ||
		    probe_desc_matches(desc, "profile", "", "", premade[i]))
			announce(registry, premade[i]);
	}
	if (desc && *desc->name && glob_is_plain(desc->name) &&
	    interval_of(desc->name) &&
	    probe_desc_matches(desc, "profile", "", "", desc->name))
		announce(registry, desc->name);
	return 0;
}

static const char *profile_explain(struct probe_registry *registry,
				   const struct provider *provider,
				   const struct probe_desc *desc)
{
	(void)registry;
	if (*desc->provider && strcmp(desc->provider, provider->name))
		return NULL;
	if (!is_clock(desc->name) || !glob_is_plain(desc->name))
		return NULL;
	if (interval_of(desc->name))
		return "it has neither module nor function: profile:::NAME, or the name alone";
	return "a rate is a number with a unit (ns us ms s m h d, or hz if there is none), at most 5000hz: profile-997, tick-10ms, tick-1s";
}

static uint32_t profile_id(const struct probe *probe)
{
	for (uint32_t i = 0; i < NPREMADE; i++) {
		if (!strcmp(probe->name, premade[i]))
			return i;
	}
	return ID_ON_DEMAND;
}

static bool profile_is_rare(const struct probe *probe)
{
	return is_tick(probe->name);
}

/* -------------------------------------------------------------- context */

static int profile_context(struct arena *arena, struct probe_group *group)
{
	(void)arena;
	group->lower.phase = PHASE_ACTIVE;
	sample_context(group);
	return 0;
}

/* --------------------------------------------------------------- attach */

/* Ticks fire on one CPU only: the first, or the one that -x cpu names. */
static int describe(const struct probe *probe, struct perf_event_attr *attr,
		    bool *on_one_cpu)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = probe->number,
		.disabled = 1,
	};
	*on_one_cpu = is_tick(probe->name);
	return 0;
}

static int profile_attach(struct attach_context *context,
			  struct probe_group *group)
{
	return sample_attach(context, group, describe,
			     "cannot start the clock of");
}

const struct provider profile_provider = {
	.name = "profile",
	.about = "the clock, on every CPU (profile-N) or on one (tick-N)",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(EVOLVING, CLASS_COMMON)),
	.program_type = BPF_PROG_TYPE_PERF_EVENT,
	.list = profile_list,
	.explain = profile_explain,
	.explains_names = true,
	.is_rare = profile_is_rare,
	.context = profile_context,
	.attach = profile_attach,
	.detach = attachment_close,
	.nids = NPREMADE,
	.fixed_id = profile_id,
};
