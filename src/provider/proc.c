/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc: processes and threads are created, execute programs, get signals, exit.
 *
 * 1. exec fires for every attempt, with the path as it was given; one of
 *    exec-success and exec-failure follows.  The path is the caller's string.
 * 2. A process ends with its last thread.  Older kernels do not say which one
 *    that is, and the tracepoint fires when the memory, and with it the command
 *    line, is already gone; accounting knows earlier.
 * 3. A thread starts where the scheduler has switched to it for the first
 *    time: it has never been switched away from.
 * 4. A fault is a signal that the thread itself caused.
 */
#include "provider/stable.h"

#define TASK "struct task_struct *"
#define LWP_AND_PROCESS            \
	{ TASK, "lwpsinfo_t *" },  \
	{                          \
		TASK, "psinfo_t *" \
	}
#define SIGINFO                                          \
	{                                                \
		"struct kernel_siginfo *", "siginfo_t *" \
	}

/* CLD_EXITED, CLD_DUMPED or CLD_KILLED */
#define REASON(code) \
	"(" code " & 0x7f) == 0 ? 1 : (" code " & 0x80) != 0 ? 3 : 2"
#define END_REASON REASON("args[0]->exit_code")
#define NEVER_SWITCHED \
	"curthread->nvcsw + curthread->nivcsw == 0 && curthread->mm != NULL"
/* By itself, and not by kill(): SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV. */
#define IS_FAULT \
	"args[2] == curthread && (uintptr_t)args[1] > 1 && " \
	"args[1]->si_code > 0 && args[1]->si_code < 0x80 && " \
	"(args[0] == 4 || args[0] == 5 || args[0] == 7 || args[0] == 8 || " \
	"args[0] == 11)"
/* FLTILL 1, FLTBPT 3, FLTTRACE 4, FLTACCESS 5, FLTBOUNDS 6, FLTIOVF 7, ... */
#define FAULT_NUMBER \
	"args[0] == 4 ? 1 : args[0] == 5 ? (args[1]->si_code == 1 ? 3 : 4) : " \
	"args[0] == 7 ? 5 : args[0] == 11 ? 6 : " \
	"args[1]->si_code == 1 ? 8 : args[1]->si_code == 2 ? 7 : 9"

/* Results of signal_generate: 0 and 4 mean that it will be delivered. */
static const struct stable_probe probes[] = {
	{ "create", { { TASK, "psinfo_t *" } },
	  STABLE_SOURCES(
		{ "rawtp:sched::sched_process_fork",
		  .when = "args[1]->tgid != args[0]->tgid",
		  .args = { "args[1]" } }) },
	{ "exec", { { "char *", "string" } },
	  STABLE_SOURCES(
		{ "syscall::execve:entry", .args = { "args[0]" },
		  .is_user = true },
		{ "syscall::execveat:entry", .args = { "args[1]" },
		  .is_user = true, .also = true }) },
	{ "exec-failure", { { "int" } },
	  STABLE_SOURCES(
		{ "syscall::execve:return", .when = "errno != 0",
		  .args = { "errno" } },
		{ "syscall::execveat:return", .when = "errno != 0",
		  .args = { "errno" }, .also = true }) },
	{ "exec-success", {}, STABLE_SOURCES({ "rawtp:sched::sched_process_exec" }) },
	{ "exit", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:sched::sched_process_exit", .prototype = TASK ", bool",
		  .when = "args[1]", .args = { END_REASON } },
		{ "fbt:vmlinux:acct_collect:entry", .prototype = "long, int",
		  .when = "args[1]", .args = { REASON("args[0]") } },
		{ "rawtp:sched::sched_process_exit", .prototype = TASK,
		  .when = "args[0]->signal->live.counter == 0",
		  .args = { END_REASON } }) },
	{ "fault", { { "int" }, SIGINFO },
	  STABLE_SOURCES(
		{ "rawtp:signal::signal_generate", .when = IS_FAULT,
		  .args = { FAULT_NUMBER, "args[1]" } }) },
	{ "lwp-create", { LWP_AND_PROCESS },
	  STABLE_SOURCES(
		{ "rawtp:sched::sched_process_fork",
		  .args = { "args[1]", "args[1]" } }) },
	{ "lwp-exit", {}, STABLE_SOURCES({ "rawtp:sched::sched_process_exit" }) },
	{ "lwp-start", {},
	  STABLE_SOURCES(
		{ "rawtp:vmlinux::sched_exit_tp",
		  .when = "args[0] && " NEVER_SWITCHED },
		{ "fbt::schedule_tail:entry", .when = "curthread->mm != NULL" }) },
	{ "start", {},
	  STABLE_SOURCES(
		{ "rawtp:vmlinux::sched_exit_tp",
		  .when = "args[0] && curthread->tgid == curthread->pid && " NEVER_SWITCHED },
		{ "fbt::schedule_tail:entry",
		  .when = "curthread->tgid == curthread->pid && curthread->mm != NULL" }) },
	{ "signal-clear", { { "int" } },
	  STABLE_SOURCES(
		{ "syscall::rt_sigtimedwait:return", .when = "args[1] > 0",
		  .args = { "args[1]" } }) },
	{ "signal-discard", { LWP_AND_PROCESS, { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:signal::signal_generate",
		  .when = "args[4] >= 1 && args[4] <= 3",
		  .args = { "args[2]", "args[2]", "args[0]" } }) },
	{ "signal-handle", { { "int" }, SIGINFO, { "void (*)()" } },
	  STABLE_SOURCES(
		{ "rawtp:signal::signal_deliver",
		  .when = "(uintptr_t)args[2]->sa.sa_handler > 1",
		  .args = { "args[0]", "args[1]",
			    "(uintptr_t)args[2]->sa.sa_handler" } }) },
	{ "signal-send", { LWP_AND_PROCESS, { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:signal::signal_generate",
		  .when = "args[4] == 0 || args[4] == 4",
		  .args = { "args[2]", "args[2]", "args[0]" } }) },
	{ .name = NULL },
};

static int proc_list(struct probe_registry *registry,
		     const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &proc_provider, probes, desc);
}

const struct provider proc_provider = {
	.name = "proc",
	.about = "processes and threads: creation, programs, signals, ends",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = proc_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
