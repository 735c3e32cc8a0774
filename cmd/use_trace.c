/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What use(8) traces, because no file of /proc has it.
 *
 * Each piece is a program of its own: where the kernel lacks a probe, only its
 * cells are unknown.  Keys are strings or numbers; a page takes everything away.
 */
#include "cmd/use.h"

#include <stdlib.h>
#include <string.h>

/*
 * runq: a thread waits for a CPU from where it is woken, or leaves a CPU although
 * it could run, until it gets one.  The time that all threads waited is the time
 * times the length of the queue.
 */
static struct piece {
	const char *name, *program;
	char why_not[128];
} pieces[] = {
	{ "runq",
	  "sched:::wakeup { _ready[arg0] = timestamp; }\n"
	  "sched:::off-cpu /curthread->__state == 0 && tid/\n"
	  "{ _ready[(uint64_t)curthread] = timestamp; }\n"
	  "sched:::off-cpu /_ready[arg0]/\n"
	  "{ @runq[cpu] = sum(timestamp - _ready[arg0]); @runs[cpu] = count();\n"
	  "  _ready[arg0] = 0; }\n",
	  "" },
	{ "stall",
	  "rawtp:vmscan::mm_vmscan_direct_reclaim_begin { self->_stall = timestamp; }\n"
	  "rawtp:vmscan::mm_vmscan_direct_reclaim_end /self->_stall/\n"
	  "{ @stall[0] = sum(timestamp - self->_stall); self->_stall = 0; }\n",
	  "" },
	{ "oom", "rawtp:oom::mark_victim { @oom[0] = count(); }\n", "" },
	{ "softirq",
	  "rawtp:irq::softirq_entry /args[0] == 2 || args[0] == 3/ { _softirq[cpu] = timestamp; }\n"
	  "rawtp:irq::softirq_exit /_softirq[cpu] && (args[0] == 2 || args[0] == 3)/\n"
	  "{ @softirq[cpu] = sum(timestamp - _softirq[cpu]); _softirq[cpu] = 0; }\n",
	  "" },
	{ "ioerror",
	  "io:::done /args[0]->b_flags & B_ERROR/ { @ioerror[args[1]->dev_statname] = count(); }\n",
	  "" },
	{ "lock",
	  "rawtp:lock::contention_begin { self->_lock = timestamp; }\n"
	  "rawtp:lock::contention_end /self->_lock/\n"
	  "{ @lock[0] = sum(timestamp - self->_lock); self->_lock = 0; }\n",
	  "" },
	/* FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET ... that slept */
	{ "futex",
	  "syscall::futex:entry { self->_futex = 1; }\n"
	  "sched:::off-cpu /self->_futex && curthread->__state != 0/ { @futex[0] = count(); }\n"
	  "syscall::futex:return { self->_futex = 0; }\n"
	  "syscall::futex:return /errno == EDEADLK || errno == EOWNERDEAD/ { @deadlock[0] = count(); }\n",
	  "" },
	{ "nofile",
	  "syscall::open*:return, syscall::socket*:return, syscall::accept*:return,\n"
	  "syscall::dup*:return, syscall::pipe*:return, syscall::epoll_create*:return,\n"
	  "syscall::eventfd*:return, syscall::memfd_create:return, syscall::fcntl:return\n"
	  "/errno == EMFILE/ { @nofile[0] = count(); }\n"
	  "syscall::open*:return, syscall::socket*:return, syscall::accept*:return,\n"
	  "syscall::pipe*:return, syscall::epoll_create*:return, syscall::eventfd*:return,\n"
	  "syscall::memfd_create:return /errno == ENFILE/ { @nfile[0] = count(); }\n",
	  "" },
	{ "nofork",
	  "syscall::clone*:return, syscall::fork:return, syscall::vfork:return\n"
	  "/errno == EAGAIN/ { @nofork[0] = count(); }\n",
	  "" },
};

enum { NPIECES = sizeof(pieces) / sizeof(pieces[0]) };

int use_trace_start(struct use *use)
{
	const struct tool *tool = &use->tool;

	for (size_t i = 0; i < NPIECES; i++)
		if (!tool_add(tool, pieces[i].program))
			snprintf(pieces[i].why_not, sizeof(pieces[i].why_not),
				 "%s",
				 dtrace_errmsg(tool->dtp,
					       dtrace_errno(tool->dtp)));
	return tool_go(tool);
}

static int take(const dtrace_aggdata_t *data, void *arg)
{
	struct use *use = arg;
	const dtrace_value_ext_t *key = &data->dtada_keys[0];

	if (use->nevents % 64 == 0)
		use->events = tool_must(realloc(use->events,
						(use->nevents + 64) *
							sizeof(struct event)));

	struct event *event = &use->events[use->nevents++];

	snprintf(event->name, sizeof(event->name), "%s", data->dtada_name);
	event->value = (double)data->dtada_number;
	if (key->dtv_kind == DTRACE_VALUE_STRING)
		snprintf(event->key, sizeof(event->key), "%.*s",
			 (int)key->dtv_size, (const char *)key->dtv_bytes);
	else
		snprintf(event->key, sizeof(event->key), "%lld",
			 (long long)key->dtv_integer);
	return DTRACE_AGGWALK_REMOVE;
}

void use_trace_take(struct use *use)
{
	use->nevents = 0;
	dtrace_aggregate_snap(use->tool.dtp);
	dtrace_aggregate_walk(use->tool.dtp, take, use);
}

const char *use_why_not(const char *name)
{
	for (size_t i = 0; i < NPIECES; i++)
		if (!strcmp(pieces[i].name, name) && *pieces[i].why_not)
			return pieces[i].why_not;
	return NULL;
}

double use_traced(const struct use *use, const char *name, const char *key)
{
	double sum = 0;

	for (size_t i = 0; i < use->nevents; i++)
		if (!strcmp(use->events[i].name, name) &&
		    (!key || !strcmp(use->events[i].key, key)))
			sum += use->events[i].value;
	return sum;
}

void use_traced_cell(const struct use *use, struct cell *cell, const char *name,
		     const char *key, double unit_size, const char *unit,
		     double limit, const char *source)
{
	const char *why_not = use_why_not(name);

	if (why_not)
		use_unknown(cell, "%s: %s", source, why_not);
	else
		use_known(cell,
			  use_traced(use, name, key) / unit_size / use->seconds,
			  unit, limit, "%s", source);
}
