/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Microstates by tracing: the time between two events of a thread belongs to the
 * state that the first one began.
 *
 * 1. A thread is in one state at any time, so its states make up the whole time.
 *    @time has what is over.  @open has, in one number, when the present state
 *    began and which it is: the largest is the last.
 * 2. A state that lasts over a page is counted on both: what the page before
 *    has counted of it is taken off when it ends.
 * 3. Before its first event a thread is where /proc found it.  One that could run
 *    did so if its first event was its own or its CPU time grew; else it waited
 *    for a CPU.
 * 4. @time and @open are read one after the other.  If a state ended in between,
 *    @time lacks it: what is missing from the interval is that state's, and is
 *    taken off when it comes, with the next page.
 * 5. A page fault of a program begins with a tracepoint and ends where the kernel
 *    counts it as minor or major.  One that ends in a signal is not counted: the
 *    next system call ends it.
 * 6. A thread that sleeps in futex() waits for a lock, or for a condition, which
 *    is the same to the kernel.
 */
#include "cmd/prstat.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* States of the program beyond those of the columns: a fault that waits. */
enum { TFL_WAITS = 8, DFL_WAITS = 9 };

static const char program[] =
	"uint64_t since[int];\n"
	"int state[int], inside[int];\n"
	"void account(int thread, int next)\n"
	"{\n"
	"	if (since[thread] && timestamp > since[thread])\n"
	"		@time[thread, state[thread]] = sum(timestamp - since[thread]);\n"
	"	since[thread] = timestamp;\n"
	"	state[thread] = next;\n"
	"	@open[thread] = max(timestamp << 4 | next);\n"
	"}\n"
	/* inside: 1 a call, 2 futex(), 3 a fault of text, 4 of data */
	"syscall:::entry /tid && wants(pid)/ { inside[tid] = 1; @count[tid, 2] = count(); }\n"
	"syscall::futex*:entry /tid && wants(pid)/ { inside[tid] = 2; }\n"
	"syscall:::entry /tid && wants(pid)/ { account(tid, 1); }\n"
	"syscall:::return /tid && wants(pid)/ { inside[tid] = 0; account(tid, 0); }\n"
	"rawtp:exceptions::page_fault_user /tid && wants(pid)/\n"
	"{ inside[tid] = args[2] & 16 ? 3 : 4; account(tid, inside[tid]); }\n"
	"cpc:::minor_faults-all-1, cpc:::major_faults-all-1 /inside[tid] > 2/\n"
	"{ inside[tid] = 0; account(tid, 0); }\n"
	"rawtp:signal::signal_deliver /tid && wants(pid)/ { @count[tid, 3] = count(); }\n"
	"sched:::off-cpu /tid && wants(pid) && curthread->__state == 0/\n"
	"{ @count[tid, 1] = count(); account(tid, 7); }\n"
	"sched:::off-cpu /tid && wants(pid) && curthread->__state != 0/\n"
	"{\n"
	"	@count[tid, 0] = count();\n"
	"	account(tid, inside[tid] == 2 ? 5 : inside[tid] > 2 ? 5 + inside[tid] : 6);\n"
	"}\n"
	/* threads of the kernel have no memory of a program: SYS */
	"sched:::off-cpu /args[0]->pr_lwpid && wants(args[1]->pr_pid)/\n"
	"{\n"
	"	if (!since[args[0]->pr_lwpid])\n"
	"		@count[args[0]->pr_lwpid, 4] = count();\n"
	"	this->in = inside[args[0]->pr_lwpid];\n"
	"	account(args[0]->pr_lwpid, this->in == 0 ?\n"
	"	    ((struct task_struct *)arg0)->mm == NULL : this->in < 3 ? 1 : this->in);\n"
	"}\n"
	"sched:::wakeup /state[args[0]->pr_lwpid] >= 5 && state[args[0]->pr_lwpid] != 7/\n"
	"{ account(args[0]->pr_lwpid, 7); }\n"
	"proc:::lwp-exit /tid && wants(pid)/ { inside[tid] = 0; }\n";

int states_start(const struct tool *tool, const struct wanted *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *file = tool_must(open_memstream(&text, &size));

	fputs("int wants(int process) { return ", file);
	for (size_t i = 0; i < wanted->npids; i++)
		fprintf(file, "%sprocess == %d", i ? " || " : "",
			wanted->pids[i]);
	fprintf(file, "%s; }\n%s", wanted->npids ? "" : "process != -1",
		program);
	fclose(file);

	int status = tool_start(tool, text);

	free(text);
	return status;
}

static enum state column_of(int64_t state)
{
	if (state == TFL_WAITS)
		return TFL;
	if (state == DFL_WAITS)
		return DFL;
	return state >= 0 && state < NSTATES ? (enum state)state : SYS;
}

static int take(const dtrace_aggdata_t *data, void *arg)
{
	const struct threads *threads = arg;
	const dtrace_value_ext_t *keys = data->dtada_keys;
	struct thread *thread = threads_find(threads, (int)keys[0].dtv_integer);

	if (!thread)
		return DTRACE_AGGWALK_REMOVE;
	if (!strcmp(data->dtada_name, "time")) {
		thread->micro.time[column_of(keys[1].dtv_integer)] +=
			data->dtada_number;
	} else if (!strcmp(data->dtada_name, "count")) {
		thread->micro.count[keys[1].dtv_integer % NCOUNTS] +=
			data->dtada_number;
	} else {
		thread->micro.has_moved = true;
		thread->micro.state = column_of(data->dtada_number & 15);
		thread->micro.since = (uint64_t)data->dtada_number >> 4;
	}
	return DTRACE_AGGWALK_REMOVE;
}

static void begin(struct microstates *micro)
{
	memset(micro->time, 0, sizeof(micro->time));
	memset(micro->count, 0, sizeof(micro->count));
	micro->has_moved = false;
	micro->last_state = micro->state;
	micro->last_since = micro->since;
}

static void finish(struct thread *thread, uint64_t last, uint64_t now)
{
	struct microstates *micro = &thread->micro;
	int64_t all = 0;

	if (!micro->last_since && micro->last_state == USR &&
	    (micro->has_moved ? micro->count[CAME] != 0
			      : thread->ticks == thread->last_ticks))
		micro->last_state = LAT;
	if (!micro->has_moved) {
		if (!micro->last_since)
			micro->state = micro->last_state;
		micro->time[micro->state] += (int64_t)(now - last);
		return;
	}
	if (micro->last_since && micro->last_since < last)
		micro->time[micro->last_state] -= (int64_t)(last -
							    micro->last_since);
	micro->time[micro->owed_state] -= micro->owed;
	micro->owed = 0;
	if (now > micro->since)
		micro->time[micro->state] += (int64_t)(now - micro->since);
	for (int i = 0; i < NSTATES; i++) {
		if (micro->time[i] < 0)
			micro->time[i] = 0;
		all += micro->time[i];
	}
	if (micro->is_new || all >= (int64_t)(now - last))
		return;
	/* until its first event it was where /proc had found it */
	micro->time[micro->last_state] += (int64_t)(now - last) - all;
	if (micro->last_since) {
		micro->owed_state = micro->last_state;
		micro->owed = (int64_t)(now - last) - all;
	}
}

uint64_t states_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t states_take(const struct tool *tool, struct threads *threads,
		     uint64_t last)
{
	for (size_t i = 0; i < threads->n; i++)
		begin(&threads->all[i].micro);
	dtrace_aggregate_snap(tool->dtp);

	/* after all that was read */
	uint64_t now = states_now();

	dtrace_aggregate_walk(tool->dtp, take, threads);
	for (size_t i = 0; i < threads->n; i++)
		finish(&threads->all[i], last, now);
	return now;
}
