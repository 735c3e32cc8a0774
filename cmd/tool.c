/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of lockstat(8), plockstat(8), intrstat(8) and others; see
 * tool.h.
 */
#include "cmd/tool.h"
#include "cmd/progress.h"
#include "cmd/signals.h"
#include "cmd/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* For the signal handler, which gets no argument. */
static dtrace_hdl_t *interrupted;

static void on_signal(int number)
{
	(void)number;
	dtrace_interrupt(interrupted);
}

/* How the command ended does not matter here. */
static void end_of_process(dtrace_proc_t *proc, const char *message, void *arg)
{
	(void)proc;
	(void)message;
	(void)arg;
}

/* Drops and whatever else the library has to say; "dtrace: " as ever. */
static void show_message(void *arg, const char *message)
{
	(void)arg;
	char *shown = isatty(STDERR_FILENO)
			      ? dtrace_visible_ext(message,
						   DTRACE_VISIBLE_LINES)
			      : NULL;

	progress_clear();
	fprintf(stderr, "dtrace: %s\n", shown ? shown : message);
	free(shown);
}

int tool_open(struct tool *tool, const char *name)
{
	int error;

	streams_hold();
	tool->name = name;
	tool->dtp = dtrace_open(DTRACE_VERSION, 0, &error);
	if (!tool->dtp) {
		fprintf(stderr, "%s: failed to initialize dtrace: %s\n", name,
			dtrace_errmsg(NULL, error));
		return EXIT_FATAL;
	}
	dtrace_setopt(tool->dtp, "quiet", NULL);
	dtrace_handle_proc(tool->dtp, end_of_process, NULL);
	dtrace_handle_message_ext(tool->dtp, show_message, NULL);
	return 0;
}

int tool_fail(const struct tool *tool, const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", tool->name, what,
		dtrace_errmsg(tool->dtp, dtrace_errno(tool->dtp)));
	return EXIT_FATAL;
}

int tool_set_option(const struct tool *tool, char *text)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = '\0';
	return dtrace_setopt(tool->dtp, text, value) ? tool_fail(tool, text)
						     : 0;
}

static int count_drop(const dtrace_dropdata_t *data, void *arg)
{
	uint64_t *drops = arg;

	*drops += data->dtdda_drops;
	return DTRACE_HANDLE_OK;
}

void tool_count_drops(const struct tool *tool, uint64_t *drops)
{
	dtrace_handle_drop(tool->dtp, count_drop, drops);
}

bool tool_add(const struct tool *tool, const char *program)
{
	dtrace_prog_t *compiled =
		dtrace_program_strcompile(tool->dtp, program,
					  DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	return compiled && !dtrace_program_complete_ext(tool->dtp, compiled) &&
	       !dtrace_program_exec(tool->dtp, compiled, NULL);
}

int tool_go(const struct tool *tool)
{
	if (dtrace_go(tool->dtp))
		return tool_fail(tool, "cannot enable probes");
	interrupted = tool->dtp;
	signals_catch(on_signal);
	return 0;
}

int tool_start(const struct tool *tool, const char *program)
{
	if (!tool_add(tool, program))
		return tool_fail(tool, "cannot compile the program");
	return tool_go(tool);
}

int tool_work(const struct tool *tool, FILE *out)
{
	return work_until_done(tool->dtp, out, NULL) == DTRACE_WORKSTATUS_ERROR
		       ? tool_fail(tool, "cannot continue")
		       : 0;
}

int tool_stop(const struct tool *tool)
{
	return dtrace_stop(tool->dtp) ? tool_fail(tool, "cannot stop") : 0;
}

bool is_positive(const char *text, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	return !errno && end != text && !*end && *number > 0;
}

bool tool_number(const struct tool *tool, const char *text, long *number)
{
	if (is_positive(text, number))
		return true;
	fprintf(stderr, "%s: invalid number '%s'\n", tool->name, text);
	return false;
}

bool tool_ranges(const char *text, long limit, bool *wanted, bool *alone)
{
	for (const char *at = text; *at;) {
		char *end;
		long first = strtol(at, &end, 10), last = first;
		bool is_range = end != at && *end == '-';

		if (is_range) {
			at = end + 1;
			last = strtol(at, &end, 10);
		}
		if (end == at || first < 0 || first > last || last >= limit ||
		    (*end && *end != ','))
			return false;
		for (long i = first; i <= last; i++)
			wanted[i] = true;
		if (alone && !is_range)
			alone[first] = true;
		at = *end ? end + 1 : end;
	}
	return *text;
}

double tool_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void *tool_must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}
