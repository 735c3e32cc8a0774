/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpc: counters of the processor, or of the kernel where it has none.
 *
 *	cpc:::EVENT-MODE-COUNT		cpc:::instructions-user-1000000
 *	cpc:::EVENT-MODE-MASK-COUNT	cpc:::r003c-all-0x01-1000000
 *
 * A probe fires on a CPU each time COUNT more events have happened there, in
 * user mode, kernel mode or both.  Events are perf's: the generic ones of this
 * table, under their PAPI names too, the ones that the processor's driver lists
 * under /sys/bus/event_source/devices/cpu/events (with _ for -), and rNNNN for
 * a raw event number; MASK is then the unit mask.
 *
 * 1. A name is a probe if it can be parsed and this kernel can count the event,
 *    which is tested by opening one.  Machines without such counters (most
 *    virtual ones) only have the kernel's software events.
 * 2. Only the events of the table are listed, each with one mode and count.
 * 3. A count below 5000 would fire too often and is rejected, except for minor
 *    and major page faults: the kernel counts them where a fault ends, and
 *    nothing else tells that.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ir/abi.h"
#include "provider/sample.h"

enum { SMALLEST_COUNT = 5000 };

#define NO_COUNTERS \
	"the processor's counters cannot be had (a virtual machine has them if its host passes them on)"

#define CACHE(cache, op, result) \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | \
	PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	PERF_COUNT_HW_CACHE_RESULT_##result << 16
#define HARDWARE(event) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event
#define SOFTWARE(event) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event

/* The place in this table is the id of the probe that is listed. */
static const struct counter {
	const char *name, *alias;
	uint32_t type;
	uint64_t config;
} counters[] = {
	{ "cycles", "PAPI_tot_cyc", HARDWARE(CPU_CYCLES) },
	{ "instructions", "PAPI_tot_ins", HARDWARE(INSTRUCTIONS) },
	{ "cache_references", "PAPI_l3_tca", HARDWARE(CACHE_REFERENCES) },
	{ "cache_misses", "PAPI_l3_tcm", HARDWARE(CACHE_MISSES) },
	{ "branches", "PAPI_br_ins", HARDWARE(BRANCH_INSTRUCTIONS) },
	{ "branch_misses", "PAPI_br_msp", HARDWARE(BRANCH_MISSES) },
	{ "bus_cycles", NULL, HARDWARE(BUS_CYCLES) },
	{ "ref_cycles", "PAPI_ref_cyc", HARDWARE(REF_CPU_CYCLES) },
	{ "stalled_cycles_frontend", NULL, HARDWARE(STALLED_CYCLES_FRONTEND) },
	{ "stalled_cycles_backend", "PAPI_res_stl",
	  HARDWARE(STALLED_CYCLES_BACKEND) },
	{ "l1_dcache_loads", "PAPI_l1_dca", CACHE(L1D, READ, ACCESS) },
	{ "l1_dcache_load_misses", "PAPI_l1_dcm", CACHE(L1D, READ, MISS) },
	{ "l1_dcache_stores", NULL, CACHE(L1D, WRITE, ACCESS) },
	{ "l1_icache_load_misses", "PAPI_l1_icm", CACHE(L1I, READ, MISS) },
	{ "llc_loads", NULL, CACHE(LL, READ, ACCESS) },
	{ "llc_load_misses", NULL, CACHE(LL, READ, MISS) },
	{ "llc_stores", NULL, CACHE(LL, WRITE, ACCESS) },
	{ "llc_store_misses", NULL, CACHE(LL, WRITE, MISS) },
	{ "dtlb_loads", NULL, CACHE(DTLB, READ, ACCESS) },
	{ "dtlb_load_misses", "PAPI_tlb_dm", CACHE(DTLB, READ, MISS) },
	{ "itlb_load_misses", "PAPI_tlb_im", CACHE(ITLB, READ, MISS) },
	{ "node_loads", NULL, CACHE(NODE, READ, ACCESS) },
	{ "node_load_misses", NULL, CACHE(NODE, READ, MISS) },
	{ "cpu_clock", NULL, SOFTWARE(CPU_CLOCK) },
	{ "task_clock", NULL, SOFTWARE(TASK_CLOCK) },
	{ "page_faults", "faults", SOFTWARE(PAGE_FAULTS) },
	{ "minor_faults", NULL, SOFTWARE(PAGE_FAULTS_MIN) },
	{ "major_faults", NULL, SOFTWARE(PAGE_FAULTS_MAJ) },
	{ "context_switches", "cs", SOFTWARE(CONTEXT_SWITCHES) },
	{ "cpu_migrations", "migrations", SOFTWARE(CPU_MIGRATIONS) },
	{ "alignment_faults", NULL, SOFTWARE(ALIGNMENT_FAULTS) },
	{ "emulation_faults", NULL, SOFTWARE(EMULATION_FAULTS) },
};

enum { NCOUNTERS = sizeof(counters) / sizeof(counters[0]) };

/* ------------------------------------------------------------------ names */

/* Without the privilege to test, assume that the processor may have it. */
static bool can_count(const struct perf_event_attr *attr)
{
	int fd = sample_open(attr, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES || fd == -EPERM;
}

static bool find_counter(const char *name, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < NCOUNTERS; i++) {
		const struct counter *counter = &counters[i];

		if (strcasecmp(name, counter->name) &&
		    (!counter->alias || strcasecmp(name, counter->alias)))
			continue;
		attr->type = counter->type;
		attr->config = counter->config;
		return true;
	}
	return false;
}

static bool read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

/* "event=0x3c,umask=0x01": the classic fields only. */
static bool read_driver_event(const char *text, struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_RAW;
	attr->config = 0;
	for (const char *p = text; *p && *p != '\n';) {
		unsigned long long value = 1;
		char key[32];
		int used = 0;

		if (sscanf(p, "%31[a-z_0-9]=%llx%n", key, &value, &used) < 2)
			return false;
		if (!strcmp(key, "event"))
			attr->config |= (value & 0xff) | (value & 0xf00) << 24;
		else if (!strcmp(key, "umask"))
			attr->config |= (value & 0xff) << 8;
		else if (!strcmp(key, "cmask"))
			attr->config |= (value & 0xff) << 24;
		else if (!strcmp(key, "edge"))
			attr->config |= (value & 1) << 18;
		else if (!strcmp(key, "inv"))
			attr->config |= (value & 1) << 23;
		else
			return false;
		p += used;
		p += *p == ',';
	}
	return true;
}

static bool find_driver_event(const char *name, struct perf_event_attr *attr)
{
	char path[256], text[256];
	int n = snprintf(path, sizeof(path),
			 "/sys/bus/event_source/devices/cpu/events/%s", name);

	if (strchr(name, '/') || n < 0 || (size_t)n >= sizeof(path))
		return false;
	for (char *p = strrchr(path, '/'); *p; p++)
		if (*p == '_')
			*p = '-';
	return read_file(path, text, sizeof(text)) &&
	       read_driver_event(text, attr);
}

static bool find_raw(const char *name, struct perf_event_attr *attr)
{
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return false;
	attr->type = PERF_TYPE_RAW;
	attr->config = strtoull(name + 1, &end, 16);
	return !*end;
}

/* Cuts the last part off and returns it, or NULL. */
static char *cut_last(char *text)
{
	char *dash = strrchr(text, '-');

	if (!dash || dash == text)
		return NULL;
	*dash = '\0';
	return dash + 1;
}

static bool read_mode(const char *mode, struct perf_event_attr *attr)
{
	attr->exclude_kernel = !strcmp(mode, "user");
	attr->exclude_user = !strcmp(mode, "kernel");
	return attr->exclude_kernel || attr->exclude_user ||
	       !strcmp(mode, "all");
}

/* What the probe of this name counts; false if it is not a cpc name. */
static bool read_name(const char *name, struct perf_event_attr *attr)
{
	char text[128], *end;

	*attr = (struct perf_event_attr){ .size = sizeof(*attr),
					  .disabled = 1 };
	if (strlen(name) >= sizeof(text))
		return false;
	strcpy(text, name);
	char *count = cut_last(text), *mode = count ? cut_last(text) : NULL;
	uint64_t mask = 0;

	if (!mode || !isdigit((unsigned char)*count))
		return false;
	attr->sample_period = strtoull(count, &end, 10);
	if (*end || !attr->sample_period || attr->sample_period > INT64_MAX)
		return false;
	if (!strncmp(mode, "0x", 2)) {
		mask = strtoull(mode, &end, 16);
		mode = *end ? NULL : cut_last(text);
	}
	if (!mode || !read_mode(mode, attr))
		return false;
	if (!find_counter(text, attr) && !find_raw(text, attr) &&
	    !find_driver_event(text, attr))
		return false;
	if (attr->type == PERF_TYPE_RAW)
		attr->config |= (mask & 0xff) << 8;
	else if (mask)
		return false;
	return true;
}

/* A fault that waits for a disk. */
static bool is_slow_itself(uint32_t type, uint64_t config)
{
	return type == PERF_TYPE_SOFTWARE &&
	       config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
}

static bool is_flood(const struct perf_event_attr *attr)
{
	return attr->sample_period < SMALLEST_COUNT &&
	       !is_slow_itself(attr->type, attr->config) &&
	       (attr->type != PERF_TYPE_SOFTWARE ||
		attr->config != PERF_COUNT_SW_PAGE_FAULTS_MIN);
}

/* Seldom enough to be harmless, often enough to be seen. */
static uint64_t listed_count(const struct counter *counter)
{
	if (counter->type != PERF_TYPE_SOFTWARE)
		return 1000000000;
	if (is_slow_itself(counter->type, counter->config))
		return 1;
	return counter->config == PERF_COUNT_SW_CPU_CLOCK ||
			       counter->config == PERF_COUNT_SW_TASK_CLOCK
		       ? 1000000000
		       : 10000;
}

/* ----------------------------------------------------------------- probes */

static void announce(struct probe_registry *registry, const char *name,
		     uint64_t number)
{
	struct perf_event_attr attr;

	if (read_name(name, &attr) && !is_flood(&attr) && can_count(&attr))
		registry_add(registry, &cpc_provider, "cpc", "", "", name,
			     number);
}

static int cpc_list(struct probe_registry *registry,
		    const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	if (desc && !probe_desc_matches(desc, "cpc", "", "", desc->name))
		return 0;
	if (desc && *desc->name && glob_is_plain(desc->name)) {
		announce(registry, desc->name, NCOUNTERS);
		return 0;
	}
	for (uint64_t i = 0; i < NCOUNTERS; i++) {
		char name[128];

		snprintf(name, sizeof(name), "%s-all-%llu", counters[i].name,
			 (unsigned long long)listed_count(&counters[i]));
		if (!desc || glob_match(desc->name, name))
			announce(registry, name, i);
	}
	return 0;
}

static bool is_hardware(const struct perf_event_attr *attr)
{
	return attr->type != PERF_TYPE_SOFTWARE;
}

static const char *cpc_explain(struct probe_registry *registry,
			       const struct provider *provider,
			       const struct probe_desc *desc)
{
	struct perf_event_attr attr;

	(void)registry;
	if (strcmp(desc->provider, provider->name) ||
	    !glob_is_plain(desc->name))
		return NULL;
	if (!read_name(desc->name, &attr))
		return "a name is EVENT-MODE-COUNT, as in page_faults-user-10000: EVENT is one of perf's, MODE is user, kernel or all";
	if (is_flood(&attr))
		return "a count below 5000 would be a flood";
	if (!can_count(&attr) && is_hardware(&attr))
		return "this machine does not count that: " NO_COUNTERS;
	return NULL;
}

static enum provider_status cpc_check(struct probe_registry *registry,
				      const struct provider *provider,
				      const char **reason)
{
	struct perf_event_attr attr;

	if (!registry_count(registry, provider)) {
		*reason = "the kernel has no perf events (CONFIG_PERF_EVENTS)";
		return PROVIDER_ABSENT;
	}
	if (read_name("cycles-all-1000000000", &attr) && can_count(&attr))
		return PROVIDER_WORKS;
	*reason = "only what the kernel counts itself: " NO_COUNTERS;
	return PROVIDER_PARTLY;
}

/* A listed name has its place in the table, however it was requested. */
static uint32_t cpc_id(const struct probe *probe)
{
	for (uint32_t i = 0; i < NCOUNTERS; i++) {
		char name[128];

		snprintf(name, sizeof(name), "%s-all-%llu", counters[i].name,
			 (unsigned long long)listed_count(&counters[i]));
		if (!strcmp(name, probe->name))
			return i;
	}
	return ID_ON_DEMAND;
}

static int cpc_context(struct arena *arena, struct probe_group *group)
{
	(void)arena;
	sample_context(group);
	return 0;
}

static int describe(const struct probe *probe, struct perf_event_attr *attr,
		    bool *on_one_cpu)
{
	*on_one_cpu = false;
	return read_name(probe->name, attr) ? 0 : -EINVAL;
}

static int cpc_attach(struct attach_context *context, struct probe_group *group)
{
	return sample_attach(context, group, describe,
			     "cannot count the events of");
}

const struct provider cpc_provider = {
	.name = "cpc",
	.about = "counters of the processor, and of the kernel in its place",
	.attrs = PROVIDER_ATTRS(STABILITY(EVOLVING, CLASS_COMMON),
				STABILITY(EVOLVING, CLASS_CPU),
				STABILITY(EVOLVING, CLASS_COMMON)),
	.program_type = BPF_PROG_TYPE_PERF_EVENT,
	.list = cpc_list,
	.context = cpc_context,
	.attach = cpc_attach,
	.detach = attachment_close,
	.nids = NCOUNTERS,
	.fixed_id = cpc_id,
	.explain = cpc_explain,
	.check = cpc_check,
};
