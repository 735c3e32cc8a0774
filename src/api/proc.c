/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes of a handle.
 *
 * They are created before the session, because programs need $target.  The
 * session watches them as soon as both exist.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/internal.h"
#include "base/arena.h"
#include "proc/symbols.h"

static dtrace_proc_t *add(dtrace_hdl_t *dtp, struct target *target, int error)
{
	if (!target) {
		handle_fail(dtp, -error);
		return NULL;
	}
	dtrace_proc_t *proc = must_alloc(sizeof(*proc));
	struct dtrace_proc **end = &dtp->procs;

	*proc = (dtrace_proc_t){ .target = target };
	while (*end)
		end = &(*end)->next;
	*end = proc;
	if (dtp->session)
		session_watch(dtp->session, target);
	return proc;
}

dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *dtp, const char *file,
				  char *const *argv, int flags)
{
	const struct target_command command = {
		.file = file,
		.argv = argv,
		.changes = dtp->options.set_env,
		.nchanges = dtp->options.nset_env,
	};
	int error = -EINVAL;
	struct target *target = flags ? NULL : target_create(&command, &error);

	return add(dtp, target, error);
}

dtrace_proc_t *dtrace_proc_grab_pid(dtrace_hdl_t *dtp, pid_t pid, int flags)
{
	int error = -EINVAL;
	struct target *target = flags ? NULL : target_grab(pid, &error);

	return add(dtp, target, error);
}

static bool is_ours(const dtrace_hdl_t *dtp, const dtrace_proc_t *proc)
{
	const dtrace_proc_t *at = dtp->procs;

	while (at && at != proc)
		at = at->next;
	return at;
}

void dtrace_proc_continue(dtrace_hdl_t *dtp, dtrace_proc_t *proc)
{
	if (!is_ours(dtp, proc))
		return;
	/* names for what is mapped by now stay known after it exits */
	if (dtp->session && target_is_held(proc->target))
		session_note(dtp->session, proc->target);
	target_continue(proc->target);
}

void dtrace_proc_release(dtrace_hdl_t *dtp, dtrace_proc_t *proc)
{
	struct dtrace_proc **link = &dtp->procs;

	while (*link && *link != proc)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = proc->next;
	if (dtp->session)
		session_unwatch(dtp->session, proc->target);
	target_free(proc->target);
	free(proc);
}

pid_t dtrace_proc_getpid(dtrace_hdl_t *dtp, dtrace_proc_t *proc)
{
	return is_ours(dtp, proc) ? target_pid(proc->target)
				  : handle_fail(dtp, ESRCH);
}

int dtrace_handle_proc(dtrace_hdl_t *dtp, dtrace_handle_proc_f *func, void *arg)
{
	dtp->proc_func = func;
	dtp->proc_arg = arg;
	return 0;
}

void handle_watch_procs(dtrace_hdl_t *dtp)
{
	for (dtrace_proc_t *proc = dtp->procs; proc; proc = proc->next)
		session_watch(dtp->session, proc->target);
}

void handle_proc_ended(void *context, struct target *target)
{
	dtrace_hdl_t *dtp = context;
	dtrace_proc_t *proc = dtp->procs;
	struct text text = { 0 };

	while (proc && proc->target != target)
		proc = proc->next;
	if (!proc || !dtp->proc_func)
		return;
	target_print_end(target, &text);
	dtp->proc_func(proc, text_str(&text), dtp->proc_arg);
	text_free(&text);
}

void handle_free_procs(dtrace_hdl_t *dtp)
{
	while (dtp->procs) {
		dtrace_proc_t *next = dtp->procs->next;

		target_free(dtp->procs->target);
		free(dtp->procs);
		dtp->procs = next;
	}
}

int dtrace_uaddr2str_ext(dtrace_hdl_t *dtp, pid_t pid, uint64_t address,
			 char *text, size_t size)
{
	struct symbol symbol = { 0 };

	if (!dtp->session || !session_consumer(dtp->session) ||
	    !symbols_user(session_symbols(dtp->session), (uint32_t)pid, address,
			  &symbol)) {
		snprintf(text, size, "0x%llx", (unsigned long long)address);
		return -1;
	}
	if (!symbol.name)
		snprintf(text, size, "%s`0x%llx", symbol.module,
			 (unsigned long long)address);
	else if (symbol.offset)
		snprintf(text, size, "%s`%s+0x%llx", symbol.module, symbol.name,
			 (unsigned long long)symbol.offset);
	else
		snprintf(text, size, "%s`%s", symbol.module, symbol.name);
	return 0;
}
