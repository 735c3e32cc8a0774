/* SPDX-License-Identifier: Apache-2.0 */
/* Tracing: a thin layer over the session. */
#include <errno.h>

#include "api/internal.h"

static int run_failed(dtrace_hdl_t *dtp, int error)
{
	if (session_error_number(dtp->session) == -EPIPE)
		error = EDT_PIPE;
	if (session_error_number(dtp->session) == -ECANCELED)
		error = EDT_ABORTED;
	return handle_fail_text(dtp, error, session_error(dtp->session));
}

static int not_begun(dtrace_hdl_t *dtp)
{
	return handle_fail_text(dtp, EDT_ORDER,
				"Tracing has not begun: dtrace_go() comes first");
}

int dtrace_go(dtrace_hdl_t *dtp)
{
	if (dtp->is_stopped)
		return handle_fail_text(dtp, EDT_ORDER,
					"Tracing has ended: a handle traces once, open another");
	if (dtp->is_running)
		return handle_fail(dtp, EDT_ACTIVE);
	if (session_go(handle_session(dtp)))
		return run_failed(dtp, EDT_ENABLE);
	dtp->is_running = true;
	return 0;
}

void dtrace_sleep(dtrace_hdl_t *dtp)
{
	(void)dtp;
}

dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp,
				dtrace_consume_probe_f *probe,
				dtrace_consume_rec_f *rec, void *arg)
{
	if (!dtp->is_running) {
		not_begun(dtp);
		return DTRACE_WORKSTATUS_ERROR;
	}
	if (dtp->is_stopped)
		return DTRACE_WORKSTATUS_DONE;
	handle_set_consumer(dtp, fp, probe, rec, arg);
	enum session_status status = session_work(dtp->session);

	if (!handle_deliver(dtp, NULL)) {
		handle_fail(dtp, EDT_ABORTED);
		return DTRACE_WORKSTATUS_ERROR;
	}
	switch (status) {
	case SESSION_RUNNING:
		return DTRACE_WORKSTATUS_OKAY;
	case SESSION_DONE:
		return DTRACE_WORKSTATUS_DONE;
	default:
		run_failed(dtp, EDT_RUN);
		return DTRACE_WORKSTATUS_ERROR;
	}
}

int dtrace_stop(dtrace_hdl_t *dtp)
{
	if (!dtp->is_running)
		return not_begun(dtp);
	dtp->is_stopped = true;
	if (session_stop(dtp->session))
		return run_failed(dtp, EDT_RUN);
	if (!handle_deliver(dtp, NULL))
		return handle_fail(dtp, EDT_ABORTED);
	return 0;
}

dtrace_status_t dtrace_status(dtrace_hdl_t *dtp)
{
	int status;

	if (!dtp->is_running)
		return DTRACE_STATUS_NONE;
	if (dtp->is_stopped)
		return DTRACE_STATUS_STOPPED;
	return dtrace_exit_status_ext(dtp, &status) ? DTRACE_STATUS_EXITED
						    : DTRACE_STATUS_OKAY;
}

int dtrace_exit_status_ext(dtrace_hdl_t *dtp, int *status)
{
	bool was_set = false;

	if (dtp->session)
		*status = session_exit_status(dtp->session, &was_set);
	return was_set;
}

void dtrace_interrupt(dtrace_hdl_t *dtp)
{
	if (dtp->session)
		session_interrupt(dtp->session);
}
