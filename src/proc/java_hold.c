/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A held process that becomes a Java virtual machine: let it run until that has
 * started, and no class of the program has.
 *
 * That is where JNI_CreateJavaVM() returns, in whichever thread calls it.  This one
 * thread is held there; the others are let go, because the machine needs them to
 * load the agent.
 *
 * 1. Until libjvm is mapped, only the first thread runs, from call to call of the
 *    system, MOST_CALLS at most: what is no virtual machine by then is left alone.
 * 2. If we die meanwhile, so does the process, as any that is held.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "arch/arch.h"
#include "proc/java_attach.h"
#include "proc/module.h"
#include "proc/target.h"

enum { MOST_CALLS = 20000, MOST_THREADS = 16, PATIENCE_MS = 60000 };

struct watch {
	pid_t threads[MOST_THREADS]; /* that are traced; the first is the process */
	unsigned count;
	uint64_t stop; /* the breakpoint's address */
	pid_t found;   /* the thread that makes the virtual machine, or 0 */
};

/* Stopped for good reason: *number is a signal for it.  Else a negative errno. */
static int wait_for(pid_t thread, int flags, int *status)
{
	for (;;) {
		pid_t pid = waitpid(thread, status, flags | __WALL);

		if (pid == 0)
			return -EAGAIN;
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return -errno;
		return WIFSTOPPED(*status) ? 0 : -ESRCH;
	}
}

/* The signal that it was stopped by; 0: by something of ptrace(2). */
static int signal_of(int status)
{
	int stop = status >> 8;

	return stop >> 8 || stop == (SIGTRAP | 0x80) ? 0 : stop;
}

/* Where JNI_CreateJavaVM() is, or 0. */
static uint64_t find_create(struct processes *processes, pid_t pid)
{
	struct modules modules = { .processes = processes };
	uint64_t address = 0;

	if (!modules_read(&modules, pid))
		for (size_t i = 0; i < modules.count && !address; i++) {
			struct module *module = modules.items[i];

			if (strcmp(module->name, "libjvm.so") ||
			    !module_open_file(&modules, module))
				continue;
			uint64_t value = settle_symbol(&module->image->file,
						       "JNI_CreateJavaVM");

			address = value ? module->bias + value : 0;
		}
	modules_free(&modules);
	return address;
}

/* 0: libjvm is mapped, and *address is known. */
static int run_to_library(struct processes *processes, pid_t pid,
			  uint64_t *address)
{
	int number = 0, status;

	for (unsigned calls = 0; calls < MOST_CALLS; calls++) {
		/* its code is not the first that is mapped of it */
		if (java_has_library(pid))
			*address = find_create(processes, pid);
		if (*address)
			return 0;
		if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)number))
			return -errno;
		int error = wait_for(pid, 0, &status);

		if (error)
			return error;
		number = signal_of(status);
	}
	return -ENOENT;
}

static void let_go(pid_t thread)
{
	int status;

	/* it may have to be stopped for that */
	if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) ||
	    wait_for(thread, 0, &status))
		return;
	arch_breakpoint_clear(thread);
	ptrace(PTRACE_DETACH, thread, NULL,
	       (void *)(intptr_t)(status >> 16 ? 0 : signal_of(status)));
}

/* This thread makes the machine: from now on only it is of interest. */
static int follow(struct watch *watch, pid_t thread, uint64_t sp)
{
	errno = 0;
	watch->stop = (uint64_t)ptrace(PTRACE_PEEKDATA, thread, (void *)sp,
				       NULL);
	if (errno)
		return -errno;
	watch->found = thread;
	for (unsigned i = 0; i < watch->count; i++)
		if (watch->threads[i] != thread)
			let_go(watch->threads[i]);
	watch->threads[0] = thread;
	watch->count = 1;
	ptrace(PTRACE_SETOPTIONS, thread, NULL,
	       (void *)(intptr_t)PTRACE_O_EXITKILL);
	return arch_breakpoint_set(thread, watch->stop);
}

/* 1: it is where it should be. */
static int look(struct watch *watch, pid_t thread, int status)
{
	struct arch_thread state;
	unsigned long fresh;
	int event = status >> 16, number = signal_of(status);

	if (event == PTRACE_EVENT_CLONE && watch->count < MOST_THREADS &&
	    !ptrace(PTRACE_GETEVENTMSG, thread, NULL, &fresh))
		watch->threads[watch->count++] = (pid_t)fresh;
	if (event == PTRACE_EVENT_STOP && !watch->found)
		arch_breakpoint_set(thread, watch->stop);
	if (number == SIGTRAP && !arch_thread_read(thread, &state) &&
	    state.pc == watch->stop) {
		number = 0;
		arch_breakpoint_clear(thread);
		if (watch->found)
			return 1;
		int error = follow(watch, thread, state.sp);

		if (error)
			return error;
	}
	return ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)number)
		       ? -errno
		       : 0;
}

static int run_to_machine(struct watch *watch)
{
	for (unsigned waited = 0; waited < PATIENCE_MS;) {
		bool is_idle = true;

		for (unsigned i = 0; i < watch->count; i++) {
			int status, error = wait_for(watch->threads[i], WNOHANG,
						     &status);

			if (error == -EAGAIN)
				continue;
			is_idle = false;
			if (!error)
				error = look(watch, watch->threads[i], status);
			if (error > 0)
				return 0;
			/* threads may end, the process must not */
			if (error && (!i || watch->found))
				return error;
			if (error)
				watch->threads[i] =
					watch->threads[--watch->count];
		}
		if (is_idle) {
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
				  NULL);
			waited++;
		}
	}
	return -ETIMEDOUT;
}

int hold_java(struct processes *processes, pid_t pid, pid_t *held)
{
	struct watch watch = { .threads = { pid }, .count = 1 };
	int error = run_to_library(processes, pid, &watch.stop);

	if (error)
		return error;
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
	       (void *)(intptr_t)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE));
	error = arch_breakpoint_set(pid, watch.stop);
	if (!error && ptrace(PTRACE_CONT, pid, NULL, NULL))
		error = -errno;
	if (!error)
		error = run_to_machine(&watch);
	*held = watch.found ? watch.found : pid;
	return error;
}
