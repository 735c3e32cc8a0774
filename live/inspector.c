/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inspector answers what the page asks while somebody writes a program, and
 * what must be read from /proc: the server itself may open no file.
 *
 * A question is a line, and so is its answer; `n` says which belongs to which.
 * Each gets a handle of its own, so that nothing is left of it.  Questions are
 * answered one after the other: an editor that asks faster than this can answer
 * waits, and nobody else is delayed by that.
 */
#include "live/worker.h"

#include <dtrace.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "live/complaint.h"
#include "live/lines.h"
#include "live/processes.h"

static const char *text_of(json_t *question, const char *name)
{
	const char *text = json_string_value(json_object_get(question, name));

	return text ? text : "";
}

/* $target of a program that is only looked at. */
static void take_pid(dtrace_hdl_t *dtp, json_t *question)
{
	json_int_t pid =
		json_integer_value(json_object_get(question, "pid"));

	if (pid > 0)
		dtrace_proc_grab_pid(dtp, (pid_t)pid, 0);
}

/* ------------------------------------------------------------------ check */

static void add_complaint(void *arg, const dtrace_complaint_ext_t *complaint)
{
	json_array_append_new(arg, complaint_json(complaint));
}

static json_t *check(dtrace_hdl_t *dtp, json_t *question)
{
	json_t *complaints = json_array();

	dtrace_inspect_ext(dtp, &(dtrace_inspect_ext_t){
					.dtin_name = "program",
					.dtin_text = text_of(question,
							     "program"),
					.dtin_complain = add_complaint,
					.dtin_arg = complaints });
	return json_pack("{s:o}", "complaints", complaints);
}

/* --------------------------------------------------------------- complete */

enum { MOST_CANDIDATES = 200 };

static const char *const kinds[] = {
	[DTRACE_COMPLETE_PROVIDER] = "provider",
	[DTRACE_COMPLETE_MODULE] = "module",
	[DTRACE_COMPLETE_FUNCTION] = "function",
	[DTRACE_COMPLETE_NAME] = "name",
	[DTRACE_COMPLETE_KEYWORD] = "keyword",
	[DTRACE_COMPLETE_TYPE] = "type",
	[DTRACE_COMPLETE_BUILTIN] = "builtin",
	[DTRACE_COMPLETE_SUBROUTINE] = "subroutine",
	[DTRACE_COMPLETE_ACTION] = "action",
	[DTRACE_COMPLETE_AGGREGATE] = "aggregate",
	[DTRACE_COMPLETE_VARIABLE] = "variable",
	[DTRACE_COMPLETE_AGGREGATION] = "aggregation",
	[DTRACE_COMPLETE_CONSTANT] = "constant",
	[DTRACE_COMPLETE_MEMBER] = "member",
	[DTRACE_COMPLETE_MACRO] = "macro",
	[DTRACE_COMPLETE_OPTION] = "option",
};

static int add_candidate(dtrace_hdl_t *dtp,
			 const dtrace_completion_ext_t *found, void *arg)
{
	json_t *candidates = arg;

	(void)dtp;
	json_array_append_new(
		candidates,
		json_pack("{s:o, s:I, s:s, s:o, s:o}", "text",
			  text_json(found->dtco_text), "start",
			  (json_int_t)found->dtco_start, "kind",
			  kinds[found->dtco_kind], "detail",
			  text_json(found->dtco_detail), "after",
			  text_json(found->dtco_after)));
	return json_array_size(candidates) >= MOST_CANDIDATES;
}

static json_t *complete(dtrace_hdl_t *dtp, json_t *question)
{
	const char *text = text_of(question, "program");
	size_t size = strlen(text);
	json_int_t cursor =
		json_integer_value(json_object_get(question, "cursor"));
	json_t *candidates = json_array();

	if (cursor < 0 || (size_t)cursor > size)
		cursor = (json_int_t)size;
	take_pid(dtp, question);
	dtrace_complete_ext(dtp, text, size, (size_t)cursor,
			    DTRACE_PROBESPEC_NAME, add_candidate, candidates);
	return json_pack("{s:o}", "candidates", candidates);
}

/* ----------------------------------------------------------- availability */

struct wanted {
	const char *name;
	size_t length;
	json_t *reason;
};

static int find_provider(dtrace_hdl_t *dtp,
			 const dtrace_providerstate_ext_t *provider, void *arg)
{
	struct wanted *wanted = arg;

	(void)dtp;
	if (strlen(provider->dtps_name) != wanted->length ||
	    strncmp(provider->dtps_name, wanted->name, wanted->length) ||
	    provider->dtps_status == DTRACE_PROVIDER_WORKS ||
	    !provider->dtps_reason)
		return 0;
	wanted->reason = json_sprintf("%s: %s", provider->dtps_name,
				      provider->dtps_reason);
	return 1;
}

/* As dtrace --check has it, where a provider is the reason. */
static json_t *reason_of(dtrace_hdl_t *dtp)
{
	static const char missing[] = "probe description ";
	const char *message = dtrace_errmsg(dtp, dtrace_errno(dtp));
	const char *name = strstr(message, missing);
	struct wanted wanted = { 0 };

	if (name) {
		wanted.name = name + sizeof(missing) - 1;
		wanted.length = strcspn(wanted.name, ":");
		dtrace_provider_iter_ext(dtp, find_provider, &wanted);
	}
	return wanted.reason ? wanted.reason : text_json(message);
}

/* Why a program does not compile here; "" if it does. */
static json_t *availability_of(const char *program, json_t *question)
{
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, NULL);

	if (!dtp)
		return json_string("there is no memory");
	take_pid(dtp, question);
	json_t *reason = dtrace_program_strcompile(dtp, program,
						   DTRACE_PROBESPEC_NAME, 0, 0,
						   NULL)
				 ? json_string("")
				 : reason_of(dtp);

	dtrace_close(dtp);
	return reason;
}

static json_t *availability(dtrace_hdl_t *dtp, json_t *question)
{
	json_t *programs = json_object_get(question, "programs"), *program;
	json_t *reasons = json_array();
	size_t i;

	(void)dtp;
	json_array_foreach(programs, i, program)
		json_array_append_new(
			reasons,
			availability_of(json_string_value(program)
						? json_string_value(program)
						: "",
					question));
	return json_pack("{s:o}", "reasons", reasons);
}

/* ---------------------------------------------------------------- answers */

static json_t *processes(dtrace_hdl_t *dtp, json_t *question)
{
	(void)dtp;
	(void)question;
	return json_pack("{s:o}", "processes", processes_json());
}

static const struct {
	const char *ask;
	json_t *(*answer)(dtrace_hdl_t *dtp, json_t *question);
} answers[] = {
	{ "check", check },
	{ "complete", complete },
	{ "availability", availability },
	{ "processes", processes },
};

static json_t *answer(json_t *question)
{
	const char *ask = text_of(question, "ask");

	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		if (strcmp(answers[i].ask, ask))
			continue;
		dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, NULL);
		json_t *found = dtp ? answers[i].answer(dtp, question) : NULL;

		dtrace_close(dtp);
		return found;
	}
	return json_pack("{s:s}", "error", "nobody can answer that");
}

int inspector_main(void)
{
	struct lines talk;
	json_t *question;

	/* the file that was executed has another name */
	prctl(PR_SET_NAME, "dtlive");
	signal(SIGPIPE, SIG_IGN);
	lines_open(&talk, WORKER_TALK);
	for (;;) {
		struct pollfd wait = {
			.fd = talk.fd,
			.events = (short)(POLLIN | (talk.out ? POLLOUT : 0)),
		};

		poll(&wait, 1, -1);
		if (!lines_read(&talk) || !lines_flush(&talk))
			return 0;
		while ((question = lines_next(&talk))) {
			json_t *found = answer(question);

			if (!found)
				found = json_object();
			json_object_set(found, "n",
					json_object_get(question, "n"));
			json_decref(question);
			if (!lines_send(&talk, found, NULL, 0))
				return 0;
		}
	}
}
