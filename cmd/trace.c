/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracing: enable the programs, go, work until it is over.
 *
 * The first SIGINT, SIGTERM or SIGHUP ends the run politely: END runs, and
 * everything is printed.  The second ends the process at once; all kernel
 * objects belong to its descriptors, so nothing is left behind.  A reader that
 * goes away ends the run silently.
 */
#include "cmd.h"
#include "progress.h"
#include "signals.h"
#include "single_keys.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* For the signal handler: what to interrupt. */
static dtrace_hdl_t *volatile interrupted_handle;
static volatile sig_atomic_t interrupts;

static void on_signal(int number)
{
	(void)number;
	if (interrupts) {
		single_keys_end();
		_exit(EXIT_FATAL);
	}
	interrupts = 1;
	if (interrupted_handle)
		dtrace_interrupt(interrupted_handle);
}

static int enable(struct command *command, uint32_t *total)
{
	for (unsigned i = 0; i < command->nrequests; i++) {
		struct request *request = &command->requests[i];
		dtrace_proginfo_t info;

		if (dtrace_program_exec(command->dtp, request->program, &info))
			return fail(command, "failed to enable '%s'",
				    request->name);
		notice(command, "%s '%s' matched %u probe%s",
		       request_kind(request), request->name, info.dpi_matches,
		       info.dpi_matches == 1 ? "" : "s");
		if (command->verbose)
			report_program(command, request, &info);
		*total += info.dpi_matches;
	}
	return 0;
}

/* A broken pipe is not an error; everything else has a message. */
static int run_failed(struct command *command)
{
	if (dtrace_errno(command->dtp) != EDT_PIPE)
		fail(command, "processing aborted");
	return EXIT_FATAL;
}

/* Rates that are adjusted when tracing starts, because they were impossible. */
static const struct {
	const char *option, *name;
} rates[] = { { "cleanrate", "cleaning rate" },
	      { "statusrate", "status rate" } };

#define NRATES (sizeof(rates) / sizeof(rates[0]))
#define SECOND 1000000000ll

static void read_rates(struct command *command, dtrace_optval_t values[NRATES])
{
	for (size_t i = 0; i < NRATES; i++) {
		values[i] = DTRACEOPT_UNSET;
		dtrace_getopt(command->dtp, rates[i].option, &values[i]);
	}
}

static void report_rates(struct command *command,
			 const dtrace_optval_t asked[NRATES])
{
	dtrace_optval_t got[NRATES];

	read_rates(command, got);
	for (size_t i = 0; i < NRATES; i++) {
		long long now = got[i];
		const char *way = now > asked[i] ? "reduced" : "increased";

		if (asked[i] == DTRACEOPT_UNSET || now == asked[i] || now <= 0)
			continue;
		if (now <= SECOND && SECOND % now == 0)
			notice(command, "%s %s to %lld hz", rates[i].name, way,
			       SECOND / now);
		else if (now % SECOND == 0)
			notice(command, "%s %s to once every %lld seconds",
			       rates[i].name, way, now / SECOND);
		else
			notice(command, "%s %s to once every %lld nanoseconds",
			       rates[i].name, way, now);
	}
}

/* To whole pages.  This line never had "dtrace: " in front. */
static void report_bufsize(struct command *command, dtrace_optval_t asked)
{
	dtrace_optval_t got = asked, is_quiet = DTRACEOPT_UNSET;

	dtrace_getopt(command->dtp, "bufsize", &got);
	dtrace_getopt(command->dtp, "quietresize", &is_quiet);
	if (got > asked && is_quiet != 1)
		fprintf(stderr, "bufsize increased to %lld\n", (long long)got);
}

static int run(struct command *command)
{
	dtrace_hdl_t *dtp = command->dtp;
	dtrace_workstatus_t work;
	dtrace_optval_t asked[NRATES], bufsize = DTRACEOPT_UNSET;
	int status = 0;

	read_rates(command, asked);
	dtrace_getopt(dtp, "bufsize", &bufsize);
	bool is_going = !dtrace_go_ext(dtp, command->output, NULL, NULL, NULL);

	report_bufsize(command, bufsize);
	if (!is_going) {
		const char *why = dtrace_errmsg(dtp, dtrace_errno(dtp));

		fail(command, "could not enable tracing");
		if (!strncmp(why, "Destructive", 11))
			hint("-w allows them");
		return EXIT_FATAL;
	}
	report_rates(command, asked);
	command_continue(command);
	if (keys_are_wanted(command))
		work = work_with_keys(dtp, command->output);
	else
		work = work_until_done(dtp, command->output, NULL);
	if (work == DTRACE_WORKSTATUS_ERROR) {
		status = run_failed(command);
		dtrace_stop(dtp);
		return status;
	}
	if (dtrace_stop(dtp))
		return run_failed(command);
	if (dtrace_exit_status_ext(dtp, &status))
		return status & 0xff;
	return 0;
}

int no_probes(const struct command *command)
{
	complain("no probes specified");
	if (command->noperands > 1)
		hint("a program is given with -n, a script with -s; '%s' is an operand, $1",
		     command->operands[1]);
	return EXIT_FATAL;
}

int command_trace(struct command *command)
{
	dtrace_hdl_t *dtp = command->dtp;
	uint32_t total = 0;

	if (!command->nrequests && !command_has(command, "zdefs"))
		return no_probes(command);
	int status = command_compile(command);

	if (status)
		return status;
	const char *problem = dtrace_privilege_ext(dtp);

	if (problem) {
		complain("%s", problem);
		return EXIT_FATAL;
	}
	status = enable(command, &total);
	if (status)
		return status;
	if (!total && !command_has(command, "zdefs")) {
		complain("no probes matched");
		return EXIT_FATAL;
	}
	if (command->verbose)
		dtrace_optreport_ext(dtp, stderr);
	status = command_dump(command);
	if (status)
		return status;
	if (command_has(command, "destructive"))
		notice(command, "allowing destructive actions");
	interrupted_handle = dtp;
	signals_catch(on_signal);
	status = run(command);
	interrupted_handle = NULL;
	return status;
}
