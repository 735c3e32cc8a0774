/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output formats, functions for records, buffered text and handlers do not get
 * in each other's way: one run for each combination, and a line that says what
 * was called.  What was printed goes to FORMAT.N.
 */
#include <dtrace.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
	"BEGIN { a = speculation(); b = speculation(); }"
	"BEGIN { trace(1); printf(\"two\\n\"); @a[\"k\"] = count(); }"
	"BEGIN { trace(*(int *)8); }"
	"BEGIN { printa(@a); }"
	"BEGIN { @left = sum(7); exit(3); }";

/* A combination, and what came of it. */
struct run {
	dtrace_hdl_t *dtp;
	const char *format;
	int of_probe, of_rec;
	bool is_buffered, has_handlers;
	unsigned probes, recs, ends, texts, drops, errors, messages;
	FILE *output;
};

static int see_probe(const dtrace_probedata_t *data, void *arg)
{
	struct run *run = arg;

	if (data->dtpda_handle != run->dtp)
		abort();
	run->probes++;
	return run->of_probe;
}

static int see_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
		   void *arg)
{
	struct run *run = arg;

	(void)data;
	if (!rec) {
		run->ends++;
		return DTRACE_CONSUME_THIS;
	}
	run->recs++;
	return run->of_rec;
}

static int see_text(const dtrace_bufdata_t *data, void *arg)
{
	struct run *run = arg;

	run->texts++;
	fputs(data->dtbda_buffered, run->output);
	return DTRACE_HANDLE_OK;
}

static int see_drop(const dtrace_dropdata_t *data, void *arg)
{
	(void)data;
	((struct run *)arg)->drops++;
	return DTRACE_HANDLE_OK;
}

static int see_error(const dtrace_errdata_t *data, void *arg)
{
	(void)data;
	((struct run *)arg)->errors++;
	return DTRACE_HANDLE_OK;
}

static void see_message(void *arg, const char *message)
{
	if (!strstr(message, "failed speculation") &&
	    !strstr(message, "invalid address"))
		printf("%s\n", message);
	((struct run *)arg)->messages++;
}

static void check(const struct run *run, bool is_good, const char *what)
{
	if (is_good)
		return;
	printf("%s: %s\n", what,
	       dtrace_errmsg(run->dtp, dtrace_errno(run->dtp)));
	exit(1);
}

static void trace(struct run *run)
{
	dtrace_workstatus_t status;
	int error;
	dtrace_hdl_t *dtp = run->dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_setopt(dtp, "nspec", "1");
	dtrace_setopt(dtp, "oformat", run->format);
	dtrace_handle_message_ext(dtp, see_message, run);
	dtrace_handle_buffered(dtp, see_text, run);
	if (run->has_handlers) {
		dtrace_handle_drop(dtp, see_drop, run);
		dtrace_handle_err(dtp, see_error, run);
	}
	dtrace_prog_t *program = dtrace_program_strcompile(
		dtp, text, DTRACE_PROBESPEC_NAME, 0, 0, NULL);

	check(run, program && !dtrace_program_exec(dtp, program, NULL),
	      "program");
	check(run, !dtrace_go(dtp), "go");
	do
		status = dtrace_work(dtp, run->is_buffered ? NULL : run->output,
				     see_probe, see_rec, run);
	while (status == DTRACE_WORKSTATUS_OKAY);
	check(run, status == DTRACE_WORKSTATUS_DONE, "work");
	check(run, !dtrace_stop(dtp), "stop");
	dtrace_close(dtp);
}

int main(void)
{
	static const char *const formats[] = { "text", "json", "ndjson",
					       "csv" };
	static const char *const choices[] = { "this", "next" };

	for (unsigned i = 0; i < 4 * 16; i++) {
		struct run run = {
			.format = formats[i / 16], .of_probe = i >> 3 & 1,
			.of_rec = i >> 2 & 1, .is_buffered = i >> 1 & 1,
			.has_handlers = i & 1,
		};
		char name[32];

		snprintf(name, sizeof(name), "%s.%u", run.format, i % 16);
		run.output = fopen(name, "w");
		trace(&run);
		printf("%-9s record %s, action %s, %s, %s: %u records, %u actions, %u ends, %s, %u drops, %u errors, %u messages, %ld bytes\n",
		       name, choices[run.of_probe], choices[run.of_rec],
		       run.is_buffered ? "buffered" : "file",
		       run.has_handlers ? "handlers" : "none", run.probes,
		       run.recs, run.ends, run.texts ? "text" : "-", run.drops,
		       run.errors, run.messages,
		       strstr(run.format, "json") ? 0 : ftell(run.output));
		fclose(run.output);
	}
	return 0;
}
