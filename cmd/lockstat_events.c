/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockstat(8): the kinds of events, and the D program that watches them.
 *
 * Events have the numbers they always had; 8, 9 and 60 are Linux's own.  Each
 * has aggregations of its own, named by what they keep and its number:
 *
 *	@n0[lock, stack] = count(), @t0 = sum(time), @h0 = quantize(time),
 *	@r0 = sum(references)
 *
 * The caller is found in the stack afterwards (lockstat_records.c), so all
 * stacks are a few frames longer than what is shown.
 */
#include "cmd/lockstat.h"

#include <stdlib.h>
#include <string.h>

enum { LOCKS_OWN_FRAMES = 12 };

#define WRITER "arg2 == RW_WRITER"
#define READER "arg2 == RW_READER"

const struct lock_event lock_events[EVENTS] = {
	[0] = { CONTENTION, "Adaptive mutex spin",
		.probe = "adaptive-spin" },
	[1] = { CONTENTION, "Adaptive mutex block",
		.probe = "adaptive-block" },
	[2] = { CONTENTION, "Spin lock spin", .probe = "spin-spin" },
	[3] = { CONTENTION, "Thread lock spin",
		.absent = "Linux has no thread locks; the locks of its run queues are spin locks (event 2)" },
	[4] = { CONTENTION, "R/W writer blocked by writer", .probe = "rw-block",
		.condition = WRITER " && arg3 == 1" },
	[5] = { CONTENTION, "R/W writer blocked by readers", .probe = "rw-block",
		.condition = WRITER " && arg3 == 0" },
	[6] = { CONTENTION, "R/W reader blocked by writer", .probe = "rw-block",
		.condition = READER " && arg3 == 1" },
	[7] = { CONTENTION, "R/W reader blocked by write wanted", .probe = "rw-block",
		.condition = READER " && arg3 == 0" },
	[8] = { CONTENTION, "R/W writer spin", .probe = "rw-spin",
		.condition = WRITER },
	[9] = { CONTENTION, "R/W reader spin", .probe = "rw-spin",
		.condition = READER },
	[32] = { HOLD, "Adaptive mutex hold",
		 .probe = "adaptive-release",
		 .begin = "adaptive-acquire" },
	[33] = { HOLD, "Spin lock hold",
		 .absent = "tracing takes spin locks itself, so only those that are waited for can be seen (event 2)" },
	[34] = { HOLD, "R/W writer hold", .probe = "rw-release",
		 .condition = "arg1 == RW_WRITER", .begin = "rw-acquire" },
	[35] = { HOLD, "R/W reader hold", .probe = "rw-release",
		 .condition = "arg1 == RW_READER", .begin = "rw-acquire",
		 .references = "(((struct rw_semaphore *)arg0)->count.counter >> 8) & 0xffffffff" },
	[EVENT_INTERRUPT] = { INTERRUPTS, "Profiling interrupt",
			      .probe = "profile" },
	[60] = { ERRORS, "Adaptive mutex acquire error",
		 .probe = "adaptive-acquire-error" },
};

int lockstat_frames(const struct lockstat *lockstat)
{
	return LOCKS_OWN_FRAMES + (int)lockstat->depth;
}

/* ------------------------------------------------------- what can be seen */

/* The text after the = of the library's excerpt: why a probe is missing. */
static void print_reason(const struct lockstat *lockstat)
{
	dtrace_hdl_t *dtp = lockstat->tool.dtp;
	const char *excerpt = dtrace_errexcerpt_ext(dtp);
	const char *reason = excerpt ? strstr(excerpt, " = this") : NULL;

	if (reason)
		fprintf(stderr, "%.*s\n", (int)strcspn(reason + 3, "\n"),
			reason + 3);
	else
		fprintf(stderr, "%s\n", dtrace_errmsg(dtp, dtrace_errno(dtp)));
}

static bool can_compile(const struct lockstat *lockstat, const char *probe,
			const char *expression)
{
	char text[256];

	snprintf(text, sizeof(text), "lockstat:::%s { this->x = %s; }", probe,
		 expression);
	return dtrace_program_strcompile(lockstat->tool.dtp, text,
					 DTRACE_PROBESPEC_NAME, 0, 0, NULL);
}

/* Says why not. */
static bool can_watch(const struct lockstat *lockstat, int number)
{
	const struct lock_event *event = &lock_events[number];
	const char *probe = event->begin ? event->begin : event->probe;
	bool can = event->what == INTERRUPTS ||
		   (probe && can_compile(lockstat, probe, "1"));

	if (can)
		return true;
	fprintf(stderr, "lockstat: event %d (%s) is not watched: ", number,
		event->title);
	if (event->absent)
		fprintf(stderr, "%s\n", event->absent);
	else
		print_reason(lockstat);
	return false;
}

int lockstat_choose(struct lockstat *lockstat, const bool *explicitly)
{
	bool has_any = false;

	for (int i = 0; i < EVENTS; i++) {
		if (!lockstat->watches[i])
			continue;
		/*
		 * what Linux does not have gets a message if it was asked for
		 */
		if (lock_events[i].absent && !explicitly[i]) {
			lockstat->watches[i] = false;
			continue;
		}
		/* neighbours often share their probe */
		lockstat->watches[i] = (i && lockstat->watches[i - 1] &&
					lock_events[i - 1].probe ==
						lock_events[i].probe) ||
				       can_watch(lockstat, i);
		if (explicitly[i] && !lockstat->watches[i])
			return EXIT_FATAL;
		has_any |= lockstat->watches[i];
	}
	if (!has_any) {
		fprintf(stderr, "lockstat: there is nothing to watch\n");
		return EXIT_FATAL;
	}
	lockstat->counts_readers = lockstat->watches[35] &&
				   can_compile(lockstat, "rw-release",
					       lock_events[35].references);
	return 0;
}

/* ---------------------------------------------------------------- program */

static void print_locks(const struct lockstat *lockstat, FILE *out)
{
	for (unsigned i = 0; i < lockstat->nlocks; i++)
		fprintf(out, "%sarg0 - 0x%llx < %llu", i ? " || " : " && (",
			(unsigned long long)lockstat->locks[i].first,
			(unsigned long long)lockstat->locks[i].size);
	if (lockstat->nlocks)
		fputc(')', out);
}

/* What an event records: everything about it, or something to add up. */
static void print_actions(const struct lockstat *lockstat, FILE *out,
			  int number, const char *lock)
{
	const struct lock_event *event = &lock_events[number];
	char keys[64];

	if (lockstat->is_traced) {
		fprintf(out,
			"\tprintf(\"%%d %%d %%d %%d %%d\", %d, (uint64_t)%s, this->time,\n"
			"\t    (uint64_t)%s, (uint64_t)curthread);\n\tstack(%d);\n",
			number, lock, event->what == INTERRUPTS ? "arg0" : "0",
			lockstat_frames(lockstat));
		return;
	}
	snprintf(keys, sizeof(keys), "%s, %sstack(%d)", lock,
		 event->what == INTERRUPTS ? "arg0, " : "",
		 lockstat_frames(lockstat));
	fprintf(out, "\t@n%d[%s] = count();\n", number, keys);
	if (lockstat->detail >= DETAIL_TIME)
		fprintf(out, "\t@t%d[%s] = sum(this->time);\n", number, keys);
	if (lockstat->detail == DETAIL_HISTOGRAM)
		fprintf(out, "\t@h%d[%s] = quantize(this->time);\n", number,
			keys);
	if (event->references && lockstat->counts_readers)
		fprintf(out, "\t@r%d[%s] = sum(%s);\n", number, keys,
			event->references);
}

/*
 * The kernel's timer is periodic, so the delay of an interrupt is its distance
 * from the period of the least delayed one of its CPU.
 */
static void print_interrupt(const struct lockstat *lockstat, FILE *out)
{
	long long period = 1000000000LL / lockstat->rate;

	fprintf(out,
		"uint64_t step[int];\n"
		"profile-%ld\n{\n"
		"\tthis->off = step[cpu] ? (timestamp - step[cpu]) %% %lld : 0;\n"
		"\tthis->early = this->off > %lld;\n"
		"\tthis->time = this->early ? 0 : this->off;\n"
		"\tstep[cpu] = !step[cpu] || this->early ? timestamp : step[cpu];\n"
		"}\nprofile-%ld\n/this->time >= %llu/\n{\n",
		lockstat->rate, period, period / 2, lockstat->rate,
		(unsigned long long)lockstat->shortest);
	print_actions(lockstat, out, EVENT_INTERRUPT, "(uint64_t)cpu");
	fputs("}\n", out);
}

static void print_event(const struct lockstat *lockstat, FILE *out, int number)
{
	const struct lock_event *event = &lock_events[number];
	const char *condition = event->condition ? event->condition : "1";

	if (event->begin) {
		fprintf(out, "lockstat:::%s\n/%s", event->begin, condition);
		print_locks(lockstat, out);
		fprintf(out, "/\n{\n\tself->since%d[arg0] = timestamp;\n}\n",
			number);
	}
	fprintf(out, "lockstat:::%s\n{\n", event->probe);
	if (event->begin)
		fprintf(out,
			"\tthis->time = self->since%d[arg0] ? timestamp - self->since%d[arg0] : 0;\n"
			"\tself->since%d[arg0] = 0;\n",
			number, number, number);
	else
		fprintf(out, "\tthis->time = %s;\n",
			event->what == ERRORS ? "0" : "arg1");
	fprintf(out, "}\nlockstat:::%s\n/%s", event->probe, condition);
	if (event->begin)
		fputs(" && this->time", out);
	if (lockstat->shortest)
		fprintf(out, " && this->time >= %llu",
			(unsigned long long)lockstat->shortest);
	print_locks(lockstat, out);
	fputs("/\n{\n", out);
	print_actions(lockstat, out, number, "arg0");
	fputs("}\n", out);
}

char *lockstat_program(const struct lockstat *lockstat)
{
	char *text;
	size_t size;
	FILE *out = tool_must(open_memstream(&text, &size));

	for (int i = 0; i < EVENTS; i++) {
		if (!lockstat->watches[i])
			continue;
		if (lock_events[i].what == INTERRUPTS)
			print_interrupt(lockstat, out);
		else
			print_event(lockstat, out, i);
	}
	fclose(out);
	return text;
}
