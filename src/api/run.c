/* SPDX-License-Identifier: Apache-2.0 */
/* Tracing: a thin layer over the session. */
#include <errno.h>

#include "api/internal.h"
#include "bpf/cost.h"

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
	return handle_fail_text(
		dtp, EDT_ORDER,
		"Tracing has not begun: dtrace_go() comes first");
}

int dtrace_go(dtrace_hdl_t *dtp)
{
	if (dtp->is_stopped)
		return handle_fail_text(
			dtp, EDT_ORDER,
			"Tracing has ended: a handle traces once, open another");
	if (dtp->is_running)
		return handle_fail(dtp, EDT_ACTIVE);
	if (session_go(handle_session(dtp)))
		return run_failed(dtp, EDT_ENABLE);
	dtp->is_running = true;
	return 0;
}

int dtrace_go_ext(dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *probe,
		  dtrace_consume_rec_f *rec, void *arg)
{
	handle_session(dtp);
	handle_set_consumer(dtp, fp, probe, rec, arg);
	if (dtrace_go(dtp))
		return -1;
	return handle_deliver(dtp, NULL) ? 0 : handle_fail(dtp, EDT_ABORTED);
}

void dtrace_sleep(dtrace_hdl_t *dtp)
{
	(void)dtp;
}

int dtrace_fd_ext(dtrace_hdl_t *dtp)
{
	if (!dtp->is_running)
		return not_begun(dtp);
	int fd = session_fd(dtp->session);

	return fd < 0 ? handle_fail(dtp, errno) : fd;
}

static dtrace_workstatus_t work(
	dtrace_hdl_t *dtp, FILE *fp, dtrace_consume_probe_f *probe,
	dtrace_consume_rec_f *rec, void *arg,
	enum session_status (*work_on)(struct session *session))
{
	if (!dtp->is_running) {
		not_begun(dtp);
		return DTRACE_WORKSTATUS_ERROR;
	}
	if (dtp->is_stopped)
		return DTRACE_WORKSTATUS_DONE;
	handle_set_consumer(dtp, fp, probe, rec, arg);
	enum session_status status = work_on(dtp->session);

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

dtrace_workstatus_t dtrace_work(dtrace_hdl_t *dtp, FILE *fp,
				dtrace_consume_probe_f *probe,
				dtrace_consume_rec_f *rec, void *arg)
{
	return work(dtp, fp, probe, rec, arg, session_work);
}

dtrace_workstatus_t dtrace_poll_ext(dtrace_hdl_t *dtp, FILE *fp,
				    dtrace_consume_probe_f *probe,
				    dtrace_consume_rec_f *rec, void *arg)
{
	return work(dtp, fp, probe, rec, arg, session_poll);
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
	else if ((was_set = dtp->replay.has_status))
		*status = dtp->replay.status;
	return was_set;
}

int dtrace_progress_ext(dtrace_hdl_t *dtp, dtrace_progress_ext_t *progress)
{
	struct session_progress now;

	if (!dtp->is_running)
		return not_begun(dtp);
	session_progress(dtp->session, &now);
	*progress = (dtrace_progress_ext_t){
		.dtpr_time = now.time,
		.dtpr_events = now.events,
		.dtpr_drops = now.drops,
		.dtpr_pictures = now.pictures,
	};
	return 0;
}

int dtrace_cost_ext(dtrace_hdl_t *dtp, dtrace_cost_ext_t *cost)
{
	struct bpf_cost now;

	if (dtp->cost_fd < 0)
		dtp->cost_fd = bpf_cost_measure();
	if (dtp->cost_fd < 0)
		return handle_fail(dtp, -dtp->cost_fd);
	bpf_cost_read(&now);
	*cost = (dtrace_cost_ext_t){
		.dtct_time = now.nanoseconds,
		.dtct_runs = now.runs,
		.dtct_bytes = now.bytes,
	};
	return 0;
}

void dtrace_interrupt(dtrace_hdl_t *dtp)
{
	if (dtp->session)
		session_interrupt(dtp->session);
}
