/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles: opening, options, errors.
 *
 * An error is a number and, where the number alone says too little, a text that
 * the handle keeps until the next error.
 */
#include "api/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "bpf/bpf.h"
#include "revision.h"

const char _dtrace_version[] = "Oracle D 2.0";
const char dtrace_package_version_ext[] = "0.1";
const char dtrace_revision_ext[] = REVISION;

static const struct {
	int error;
	const char *text;
} errors[] = {
	{ EDT_VERSION, "Client requested version newer than library" },
	{ EDT_COMPILER, "Error in D program compilation" },
	{ EDT_NOPROBE, "No probe matches description" },
	{ EDT_BADID, "Unknown probe identifier" },
	{ EDT_BADPSPEC, "Overspecified probe description" },
	{ EDT_BADOPTNAME, "Invalid option name" },
	{ EDT_BADOPTVAL, "Invalid value for specified option" },
	{ EDT_BADOPTCTX, "Option cannot be used from within a D program" },
	{ EDT_ACTIVE, "Operation illegal when tracing is active" },
	{ EDT_BADVERSION, "Requested version is not supported by compiler" },
	{ EDT_NOTSUP, "Not supported yet" },
	{ EDT_ENABLE, "Failed to enable probe" },
	{ EDT_RUN, "Tracing failed" },
	{ EDT_FILE, "Failed to read file" },
	{ EDT_PIPE, "Nobody reads the output" },
	{ EDT_ABORTED, "The consumer ended the run" },
	{ EDT_BUILD, "Failed to make probes" },
	{ EDT_NOSITES, "No probe sites found for declared provider" },
	{ EDT_ORDER, "Functions called in the wrong order" },
	{ EDT_PARAM, "Invalid parameter of a program" },
};

dtrace_hdl_t *dtrace_open(int version, int flags, int *errp)
{
	if (version > DTRACE_VERSION || version < 1 || flags) {
		if (errp)
			*errp = version > DTRACE_VERSION ? EDT_VERSION : EINVAL;
		return NULL;
	}
	dtrace_hdl_t *dtp = must_alloc(sizeof(*dtp));

	memset(dtp, 0, sizeof(*dtp));
	options_init(&dtp->options);
	dtp->output = stdout;
	dtp->cost_fd = -1;
	return dtp;
}

void dtrace_close(dtrace_hdl_t *dtp)
{
	if (!dtp)
		return;
	session_close(dtp->session);
	if (dtp->cost_fd >= 0)
		close(dtp->cost_fd);
	handle_free_procs(dtp);
	while (dtp->programs) {
		struct dtrace_prog *next = dtp->programs->next;

		free(dtp->programs);
		dtp->programs = next;
	}
	if (dtp->stream)
		fclose(dtp->stream);
	free(dtp->buffered);
	handle_free_values(dtp);
	free(dtp->args);
	free(dtp->types);
	text_free(&dtp->message);
	text_free(&dtp->excerpt);
	options_free(&dtp->options);
	free(dtp);
}

void handle_put(FILE *fp, const char *text)
{
	struct output output = { 0 };

	output_set_file(&output, fp);
	char *shown = output.is_device
			      ? dtrace_visible_ext(text, DTRACE_VISIBLE_LINES)
			      : NULL;

	fputs(shown ? shown : text, fp);
	free(shown);
}

void handle_message(void *context, const char *message)
{
	dtrace_hdl_t *dtp = context;

	if (dtp->message_func)
		dtp->message_func(dtp->message_arg, message);
}

struct session *handle_session(dtrace_hdl_t *dtp)
{
	if (dtp->session)
		return dtp->session;
	handle_sink_init(dtp);
	dtp->session = session_new(&(struct session_config){
		.options = &dtp->options,
		.output = dtp->output,
		.warn = handle_message,
		.filter = &dtp->sink.filter,
		.ended = handle_proc_ended,
		.context = dtp,
	});
	handle_watch_procs(dtp);
	if (dtp->snapshot_func)
		session_want_snapshots(dtp->session);
	return dtp->session;
}

/* All programs share the operands of the first; $0 may change. */
void handle_set_args(dtrace_hdl_t *dtp, int argc, char *const argv[])
{
	if (dtp->args) {
		if (argc > 0 && dtp->nargs)
			dtp->args[0] = argv[0];
		return;
	}
	size_t count = argc > 0 ? (size_t)argc : 0;

	dtp->args = must_alloc((count + 1) * sizeof(*dtp->args));
	for (size_t i = 0; i < count; i++)
		dtp->args[i] = argv[i];
	dtp->args[count] = NULL;
	dtp->nargs = (uint32_t)count;
	language_set_args(session_language(handle_session(dtp)), dtp->args,
			  dtp->nargs);
}

void dtrace_handle_message_ext(dtrace_hdl_t *dtp, dtrace_message_f *func,
			       void *arg)
{
	dtp->message_func = func;
	dtp->message_arg = arg;
	for (unsigned i = 0; func && i < dtp->options.ncomplaints; i++)
		func(arg, dtp->options.complaints[i]);
}

const char *dtrace_privilege_ext(dtrace_hdl_t *dtp)
{
	(void)dtp;
	return bpf_privilege_problem();
}

/* --------------------------------------------------------------- errors */

int handle_fail(dtrace_hdl_t *dtp, int error)
{
	dtp->error = error;
	text_clear(&dtp->message);
	text_clear(&dtp->excerpt);
	return -1;
}

int handle_fail_text(dtrace_hdl_t *dtp, int error, const char *text)
{
	handle_fail(dtp, error);
	text_puts(&dtp->message, text);
	return -1;
}

int handle_fail_compile(dtrace_hdl_t *dtp)
{
	const struct diag *diag = language_diag(session_language(dtp->session));

	handle_fail(dtp, EDT_COMPILER);
	if (!diag->failed)
		return -1;
	diag_print_line(diag,
			(enum tag_names)option_number(&dtp->options,
						      OPTION_ERRTAGS),
			&dtp->message);
	diag_print_excerpt(diag, &dtp->excerpt);
	return -1;
}

int dtrace_errno(dtrace_hdl_t *dtp)
{
	return dtp->error;
}

const char *dtrace_errmsg(dtrace_hdl_t *dtp, int error)
{
	if (dtp && error == dtp->error && dtp->message.n)
		return text_str(&dtp->message);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (errors[i].error == error)
			return errors[i].text;
	}
	return strerror(error);
}

const char *dtrace_errexcerpt_ext(dtrace_hdl_t *dtp)
{
	return text_str(&dtp->excerpt);
}

/* -------------------------------------------------------------- options */

static const int option_errors[] = {
	[OPTION_UNKNOWN] = EDT_BADOPTNAME,
	[OPTION_BAD_VALUE] = EDT_BADOPTVAL,
	[OPTION_NOT_IN_PROGRAM] = EDT_BADOPTCTX,
	[OPTION_ACTIVE] = EDT_ACTIVE,
	[OPTION_BAD_VERSION] = EDT_BADVERSION,
	[OPTION_VERSION_FORMAT] = EDT_BADVERSION,
	[OPTION_VERSION_REDUCED] = EDT_BADVERSION,
};

int dtrace_setopt(dtrace_hdl_t *dtp, const char *name, const char *value)
{
	enum option_error error = option_set(&dtp->options, name, value,
					     ORIGIN_COMMAND);

	if (error == OPTION_OK)
		return 0;
	return handle_fail_text(dtp, option_errors[error],
				option_strerror(error));
}

int dtrace_getopt(dtrace_hdl_t *dtp, const char *name, dtrace_optval_t *value)
{
	enum option_id id = option_find(name);

	if (id == OPTION_COUNT)
		return handle_fail(dtp, EDT_BADOPTNAME);
	*value = option_number(&dtp->options, id);
	if (!*value && !dtp->options.values[id].is_set)
		*value = DTRACEOPT_UNSET;
	return 0;
}

const char *dtrace_optname_ext(unsigned n)
{
	return n < OPTION_COUNT ? option_name((enum option_id)n) : NULL;
}

const char *dtrace_optnearest_ext(const char *name)
{
	return option_nearest(name);
}

char *dtrace_optexpects_ext(const char *name)
{
	struct text text = { 0 };
	char *copy = option_expects(name, &text) ? strdup(text_str(&text))
						 : NULL;

	text_free(&text);
	return copy;
}

void dtrace_opthelp_ext(FILE *fp)
{
	struct text text = { 0 };

	options_help(&text);
	fputs(text_str(&text), fp);
	text_free(&text);
}

void dtrace_optreport_ext(dtrace_hdl_t *dtp, FILE *fp)
{
	struct text text = { 0 };

	options_report(&dtp->options, &text);
	handle_put(fp, text_str(&text));
	text_free(&text);
}
