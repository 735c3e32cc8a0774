/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysinfo: what the kernel counts about its work, where it happens.
 *
 * arg0 is the increment of the statistic: 1, or bytes for readch and writech.
 * The names are the classic ones; those that mean nothing on Linux are not here
 * (terminal characters, the old buffer cache, UFS).
 *
 * 1. System calls come in families: read is also readv and pread64.
 * 2. Locks are counted where a thread has to wait: the tracepoint's flags give
 *    the kind (2 read, 4 write, 32 mutex).
 * 3. cpu_ticks come from the clock interrupt.  Only a function knows whether it
 *    interrupted user or kernel mode; that it interrupted the idle thread can
 *    be seen everywhere.
 * 4. idlethread fires in the idle thread, when it has got the CPU: where
 *    sched:::on-cpu does (sched.c), and after it.
 */
#include "provider/stable.h"

#define SWITCH "rawtp:sched::sched_switch"
#define SWITCH_TYPES \
	"bool, struct task_struct *, struct task_struct *, unsigned int"
#define ONE .args = { "1" }

#define CALL(name)                                           \
	{                                                    \
		"syscall::" name ":entry", ONE, .also = true \
	}
#define READ_CALLS \
	CALL("read"), CALL("readv"), CALL("pread64"), CALL("preadv"), \
	CALL("preadv2")
#define WRITE_CALLS \
	CALL("write"), CALL("writev"), CALL("pwrite64"), CALL("pwritev"), \
	CALL("pwritev2")
#define BYTES(name) \
	{ "syscall::" name ":return", .when = "args[1] > 0", \
	  .args = { "args[1]" }, .also = true }
#define BLOCK(condition) \
	STABLE_SOURCES({ "rawtp:block::block_rq_issue", ONE, \
			 .prototype = "struct request *", .when = condition })
#define REFUSED(name) \
	{ "syscall::" name ":return", .when = "errno == 11", ONE, .also = true }
#define LOCK(condition) \
	STABLE_SOURCES({ "rawtp:lock::contention_begin", ONE, \
			 .when = condition })

static const struct stable_probe probes[] = {
	{ "bread", { { "int" } }, BLOCK("(args[0]->cmd_flags & 1) == 0") },
	{ "bwrite", { { "int" } }, BLOCK("(args[0]->cmd_flags & 1) == 1") },
	{ "cpu_ticks_idle", { { "int" } },
	  STABLE_SOURCES(
		{ "fbt::sched_tick:entry", ONE,
		  .when = "curthread->pid == 0" },
		{ "fbt::scheduler_tick:entry", ONE,
		  .when = "curthread->pid == 0" },
		{ "rawtp:timer::hrtimer_expire_entry", ONE,
		  .symbol = "tick_nohz_handler",
		  .when = "curthread->pid == 0 && (uintptr_t)args[0]->function == (uintptr_t)&`tick_nohz_handler" }) },
	{ "cpumigrate", { { "int" } },
	  STABLE_SOURCES({ "rawtp:sched::sched_migrate_task", ONE }) },
	{ "idlethread", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:vmlinux::sched_exit_tp", ONE,
		  .when = "args[0] && curthread->pid == 0" },
		{ "rawfbt::finish_task_switch*:entry", ONE,
		  .when = "curthread->pid == 0" }) },
	{ "inv_swtch", { { "int" } },
	  STABLE_SOURCES(
		{ SWITCH, .prototype = SWITCH_TYPES, ONE,
		  .when = "(args[0] || args[3] == 0) && args[1]->pid != 0" }) },
	{ "iowait", { { "int" } },
	  STABLE_SOURCES(
		{ SWITCH, .prototype = SWITCH_TYPES, ONE,
		  .when = "args[3] != 0 && args[1]->in_iowait" }) },
	{ "modload", { { "int" } },
	  STABLE_SOURCES({ "rawtp:module::module_load", ONE }) },
	{ "modunload", { { "int" } },
	  STABLE_SOURCES({ "rawtp:module::module_free", ONE }) },
	{ "msg", { { "int" } }, STABLE_SOURCES(CALL("msgsnd"), CALL("msgrcv")) },
	{ "mutex_adenters", { { "int" } }, LOCK("(args[1] & 32) != 0") },
	{ "namei", { { "int" } },
	  STABLE_SOURCES(
		{ "fbt::filename_lookup:entry", ONE },
		{ "fbt::path_openat:entry", ONE, .also = true }) },
	{ "nthreads", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:sched::sched_process_fork", ONE,
		  .when = "args[0]->tgid == args[1]->tgid" }) },
	{ "pswitch", { { "int" } },
	  STABLE_SOURCES(
		{ SWITCH, .prototype = SWITCH_TYPES, ONE }) },
	{ "readch", { { "uint64_t" } },
	  STABLE_SOURCES(BYTES("read"), BYTES("readv"), BYTES("pread64"),
			 BYTES("preadv"), BYTES("preadv2")) },
	{ "rw_rdfails", { { "int" } }, LOCK("(args[1] & 2) != 0") },
	{ "rw_wrfails", { { "int" } }, LOCK("(args[1] & 4) != 0") },
	{ "sema", { { "int" } },
	  STABLE_SOURCES(CALL("semop"), CALL("semtimedop")) },
	{ "syscall", { { "int" } },
	  STABLE_SOURCES({ "rawtp:raw_syscalls::sys_enter", ONE }) },
	{ "sysexec", { { "int" } },
	  STABLE_SOURCES({ "rawtp:sched::sched_process_exec", ONE }) },
	{ "sysfork", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:task::task_newtask", ONE,
		  .when = "args[0]->tgid == args[0]->pid && (args[1] & 0x4000) == 0" }) },
	{ "sysread", { { "int" } }, STABLE_SOURCES(READ_CALLS) },
	{ "sysvfork", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:task::task_newtask", ONE,
		  .when = "(args[1] & 0x4000) != 0" }) },
	{ "syswrite", { { "int" } }, STABLE_SOURCES(WRITE_CALLS) },
	{ "trap", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:exceptions::page_fault_user", ONE },
		{ "rawtp:exceptions::page_fault_kernel", ONE, .also = true }) },
	{ "writech", { { "uint64_t" } },
	  STABLE_SOURCES(BYTES("write"), BYTES("writev"), BYTES("pwrite64"),
			 BYTES("pwritev"), BYTES("pwritev2")) },
	{ "xcalls", { { "int" } },
	  STABLE_SOURCES(
		{ "rawtp:ipi::ipi_send_cpu", ONE },
		{ "fbt::native_smp_send_reschedule:entry", ONE },
		{ "rawtp:ipi::ipi_send_cpumask", ONE, .also = true },
		{ "fbt::native_send_call_func_ipi:entry", ONE },
		{ "fbt::native_send_call_func_single_ipi:entry", ONE,
		  .without = "rawtp:ipi::ipi_send_cpu", .also = true }) },
	{ "cpu_ticks_user", { { "int" } },
	  STABLE_SOURCES(
		{ "fbt::update_process_times:entry", ONE,
		  .when = "args[0] != 0" }) },
	{ "cpu_ticks_kernel", { { "int" } },
	  STABLE_SOURCES(
		{ "fbt::update_process_times:entry", ONE,
		  .when = "args[0] == 0 && curthread->pid != 0" }) },
	/* no room for one more: EAGAIN */
	{ "procovf", { { "int" } },
	  STABLE_SOURCES(REFUSED("fork"), REFUSED("vfork"), REFUSED("clone"),
			 REFUSED("clone3")) },
	{ .name = NULL },
};

static int sysinfo_list(struct probe_registry *registry,
			const struct probe_desc *desc,
			struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &sysinfo_provider, probes, desc);
}

/* It counts what other probes show, and fires after them. */
static enum attach_turn sysinfo_turn(const struct probe_group *group)
{
	(void)group;
	return TURN_LATE;
}

const struct provider sysinfo_provider = {
	.name = "sysinfo",
	.about = "what the kernel counts about its work",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = sysinfo_list,
	.turn = sysinfo_turn,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
