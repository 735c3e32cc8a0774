/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line that says how far a run is: time, events, drops.
 *
 * A run that makes a picture prints little or nothing until it ends, so a
 * terminal shows that it is alive.  The line is there only while dtrace waits;
 * what is printed takes its place.  It is for people: where standard error is
 * no terminal there is none.
 */
#include "cmd/progress.h"

#include <poll.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 500 };

static bool is_shown;
static long long shown_at; /* ms */

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

static bool is_wanted(dtrace_hdl_t *dtp)
{
	dtrace_progress_ext_t progress;

	return isatty(STDERR_FILENO) && !dtrace_progress_ext(dtp, &progress) &&
	       progress.dtpr_pictures;
}

static void show(dtrace_hdl_t *dtp)
{
	dtrace_progress_ext_t progress;

	if ((is_shown && now() < shown_at + STEP_MS) ||
	    dtrace_progress_ext(dtp, &progress))
		return;
	unsigned long long seconds = progress.dtpr_time / 1000000000;

	fprintf(stderr, "\r%llu s, %llu events, %llu drops\033[K", seconds,
		(unsigned long long)progress.dtpr_events,
		(unsigned long long)progress.dtpr_drops);
	fflush(stderr);
	is_shown = true;
	shown_at = now();
}

void progress_clear(void)
{
	if (!is_shown)
		return;
	is_shown = false;
	fputs("\r\033[K", stderr);
	fflush(stderr);
}

static void wait_for_work(dtrace_hdl_t *dtp, bool is_terminal)
{
	struct pollfd work = { .fd = dtrace_fd_ext(dtp), .events = POLLIN };

	do
		show(dtp);
	while (!poll(&work, 1, STEP_MS));
	/* what is printed there would begin after the line */
	if (is_terminal)
		progress_clear();
}

dtrace_workstatus_t work_until_done(dtrace_hdl_t *dtp, FILE *out,
				    dtrace_consume_probe_f *probe)
{
	bool is_shown_here = is_wanted(dtp);
	bool is_terminal = isatty(fileno(out));
	dtrace_workstatus_t status;

	do {
		if (is_shown_here) {
			wait_for_work(dtp, is_terminal);
			status = dtrace_poll_ext(dtp, out, probe, NULL, NULL);
		} else {
			status = dtrace_work(dtp, out, probe, NULL, NULL);
		}
	} while (status == DTRACE_WORKSTATUS_OKAY);
	progress_clear();
	return status;
}
