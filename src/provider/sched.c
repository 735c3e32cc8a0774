/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sched: threads get CPUs, leave them, and wait for them and for each other.
 *
 * 1. off-cpu fires in the thread that leaves, on-cpu in the one that has got
 *    the CPU, both on that CPU.  The tracepoint after the switch is
 *    sched_exit_tp, which fires in a new thread too; kernels without it have
 *    the function that finishes a switch.
 * 2. A thread that loses its CPU but could continue was preempted (or yielded);
 *    one that waits sleeps.  Bits 2 and 3 of its state are stopped and traced,
 *    bit 7 dead: those do neither.
 * 3. wakeup fires in the thread (or interrupt) that wakes.
 * 4. Where functions cannot be traced, a thread enters a run queue when it is
 *    woken and leaves it when it sleeps; what the scheduler moves between
 *    queues meanwhile is not seen.
 */
#include "provider/stable.h"

#define TASK "struct task_struct *"
#define LWP_AND_PROCESS            \
	{ TASK, "lwpsinfo_t *" },  \
	{                          \
		TASK, "psinfo_t *" \
	}
#define CPU                                    \
	{                                      \
		"processorid_t", "cpuinfo_t *" \
	}
#define SWITCH "rawtp:sched::sched_switch"
#define SWITCH_TYPES "bool, " TASK ", " TASK ", unsigned int"
#define SLEEPS "!args[0] && args[3] != 0 && (args[3] & 0x8c) == 0"
#define CURRENT                          \
	{                                \
		"curthread", "curthread" \
	}

/* A class's own function puts a task on its queue: (rq, task, flags). */
#define ENQUEUE(function, ...) \
	{ "fbt::" function ":entry", \
	  .args = { "args[1]", "args[1]", "args[0]->cpu", \
		    "(args[2] & 0x10) == 0" }, __VA_ARGS__ }
#define DEQUEUE(function, ...) \
	{ "fbt::" function ":entry", \
	  .args = { "args[1]", "args[1]", "args[0]->cpu" }, __VA_ARGS__ }

static const struct stable_probe probes[] = {
	{ "change-pri", { LWP_AND_PROCESS, { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:sched::sched_pi_setprio",
		  .args = { "args[0]", "args[0]",
			    "args[1] != NULL && args[1]->prio < args[0]->normal_prio ? args[1]->prio : args[0]->normal_prio" } },
		{ "fbt::set_user_nice:entry", .also = true,
		  .args = { "args[0]", "args[0]", "120 + args[1]" } },
		{ "fbt::__sched_setscheduler:entry", .also = true,
		  .args = { "args[0]", "args[0]",
			    "args[1]->sched_policy == 1 || args[1]->sched_policy == 2 ? 99 - (int)args[1]->sched_priority : 120 + args[1]->sched_nice" } }) },
	{ "dequeue", { LWP_AND_PROCESS, CPU },
	  STABLE_SOURCES(
		DEQUEUE("dequeue_task"),
		DEQUEUE("dequeue_task_fair"),
		{ SWITCH, .prototype = SWITCH_TYPES, .when = SLEEPS,
		  .args = { "args[1]", "args[1]", "cpu" } },
		DEQUEUE("dequeue_task_rt", .also = true,
			.without = "fbt::dequeue_task:entry"),
		DEQUEUE("dequeue_task_dl", .also = true,
			.without = "fbt::dequeue_task:entry")) },
	{ "enqueue", { LWP_AND_PROCESS, CPU, { "int" } },
	  STABLE_SOURCES(
		ENQUEUE("enqueue_task"),
		ENQUEUE("enqueue_task_fair"),
		{ "rawtp:sched::sched_wakeup",
		  .args = { "args[0]", "args[0]", "args[0]->thread_info.cpu",
			    "1" } },
		{ "rawtp:sched::sched_wakeup_new", .also = true,
		  .without = "fbt::enqueue_task*:entry",
		  .args = { "args[0]", "args[0]", "args[0]->thread_info.cpu",
			    "1" } },
		ENQUEUE("enqueue_task_rt", .also = true,
			.without = "fbt::enqueue_task:entry"),
		ENQUEUE("enqueue_task_dl", .also = true,
			.without = "fbt::enqueue_task:entry")) },
	{ "off-cpu", { LWP_AND_PROCESS },
	  STABLE_SOURCES(
		{ SWITCH, .prototype = SWITCH_TYPES,
		  .args = { "args[2]", "args[2]" } }) },
	{ "on-cpu", {},
	  STABLE_SOURCES(
		{ "rawtp:vmlinux::sched_exit_tp", .when = "args[0]" },
		{ "rawfbt::finish_task_switch*:entry" }) },
	{ "preempt", {},
	  STABLE_SOURCES(
		{ SWITCH, .prototype = SWITCH_TYPES,
		  .when = "(args[0] || args[3] == 0) && args[1]->pid != 0" }) },
	{ "remain-cpu", {},
	  STABLE_SOURCES({ "rawtp:vmlinux::sched_exit_tp", .when = "!args[0]" }) },
	{ "sleep", {},
	  STABLE_SOURCES(
		{ SWITCH, .prototype = SWITCH_TYPES, .when = SLEEPS }) },
	{ "surrender", { LWP_AND_PROCESS },
	  STABLE_SOURCES(
		{ "fbt::do_sched_yield:entry", .args = CURRENT },
		{ "syscall::sched_yield:entry", .args = CURRENT }) },
	{ "tick", { LWP_AND_PROCESS },
	  STABLE_SOURCES(
		{ "fbt::sched_tick:entry", .args = CURRENT },
		{ "fbt::scheduler_tick:entry", .args = CURRENT },
		{ "rawtp:timer::hrtimer_expire_entry",
		  .symbol = "tick_nohz_handler", .args = CURRENT,
		  .when = "(uintptr_t)args[0]->function == (uintptr_t)&`tick_nohz_handler" },
		{ "rawtp:timer::hrtimer_expire_entry",
		  .symbol = "tick_sched_timer", .args = CURRENT,
		  .when = "(uintptr_t)args[0]->function == (uintptr_t)&`tick_sched_timer" }) },
	{ "wakeup", { LWP_AND_PROCESS },
	  STABLE_SOURCES(
		{ "rawtp:sched::sched_waking", .args = { "args[0]", "args[0]" } }) },
	{ .name = NULL },
};

static int sched_list(struct probe_registry *registry,
		      const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &sched_provider, probes, desc);
}

const struct provider sched_provider = {
	.name = "sched",
	.about = "scheduling: CPUs, run queues, sleep and wakeup",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = sched_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
