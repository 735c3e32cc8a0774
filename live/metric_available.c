/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this machine can answer: the program of the metric's default is
 * compiled, and nothing is enabled.
 *
 * The compiler knows why probes are missing (this kernel's functions cannot be
 * traced; no process has such probes), and a metric can say what to do about it.
 * Programs with $target need a process; they get a child that does nothing.
 */
#include "live/metric.h"

#include "base/text.h"

#include <dtrace.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void explain(const struct metric *metric, dtrace_hdl_t *dtp,
		    struct text *reason)
{
	dtrace_complaint_ext_t complaint = { 0 };

	if (metric->absent)
		text_printf(reason, "%s: ", metric->absent);
	if (dtrace_errplace_ext(dtp, &complaint)) {
		text_puts(reason, dtrace_errmsg(dtp, dtrace_errno(dtp)));
		return;
	}
	/* that probes can be listed explains nothing */
	bool is_explained = complaint.dtcm_hint &&
			    strncmp(complaint.dtcm_hint, "dtrace -l", 9) != 0;

	text_puts(reason,
		  is_explained ? complaint.dtcm_hint : complaint.dtcm_message);
}

static pid_t idle_child(void)
{
	pid_t child = fork();

	while (!child)
		pause();
	return child;
}

bool metric_compiles(const struct metric *metric, json_t *request, pid_t child,
		     char **reason)
{
	int error = 0;
	struct text why = { 0 };
	struct metric_answer answer;
	char *program = metric_program(metric, request, &answer);
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp)
		text_puts(&why, dtrace_errmsg(NULL, error));
	else if (!program)
		text_puts(&why, answer.message);
	else if (answer.needs_target && !dtrace_proc_grab_pid(dtp, child, 0))
		text_puts(&why, dtrace_errmsg(dtp, dtrace_errno(dtp)));
	else if (!dtrace_program_strcompile(dtp, program, DTRACE_PROBESPEC_NAME,
					    0, 0, NULL))
		explain(metric, dtp, &why);
	if (dtp)
		dtrace_close(dtp);
	free(program);
	metric_answer_free(&answer);
	*reason = why.p;
	return !why.n;
}

bool metric_available(const struct metric *metric, char **reason)
{
	pid_t child = metric->needs_pid ? idle_child() : 0;
	json_t *request = child > 0 ? json_pack("{s:i}", "pid", (int)child)
				    : NULL;
	bool is_available = metric_compiles(metric, request, child, reason);

	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	json_decref(request);
	return is_available;
}
