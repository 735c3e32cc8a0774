/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaying a recording: the facts in its file go to the sink that the options
 * name, by way of the consumer's functions.  Nothing is traced and no
 * privileges are needed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "agg/agg.h"
#include "api/internal.h"
#include "facts/recording.h"
#include "sink/picture.h"
#include "sink/sink.h"
#include "sink/tee.h"

/* What is open while a recording is replayed. */
struct replaying {
	dtrace_hdl_t *dtp;
	struct pictures *pictures; /* or NULL */
	bool is_started;
};

static struct sink *open_sink(void *context, const struct resolver *resolver,
			      uint32_t target)
{
	struct replaying *replaying = context;
	dtrace_hdl_t *dtp = replaying->dtp;
	struct filter *filter = &dtp->sink.filter;
	struct sink_setup setup = {
		.output = &dtp->replay.output,
		.options = &dtp->options,
		.resolver = resolver,
		.target = target,
	};

	dtp->replay.resolver = resolver;
	handle_sink_init(dtp);
	filter->inner = sink_class_of(&dtp->options)->open(&setup);
	if (!replaying->pictures)
		return &filter->sink;
	replaying->is_started = true;
	/* the replay closes it */
	return tee_open(pictures_start(replaying->pictures, &setup),
			&filter->sink);
}

static int told(dtrace_hdl_t *dtp, const char *file, const char *problem)
{
	struct text text = { 0 };

	text_printf(&text, "cannot replay %s: %s", file, problem);
	handle_fail_text(dtp, EDT_FILE, text_str(&text));
	text_free(&text);
	return -1;
}

static int draw_failed(dtrace_hdl_t *dtp, struct text *problem)
{
	handle_fail_text(dtp, EDT_FILE, text_str(problem));
	text_free(problem);
	return -1;
}

/* The recording has been read, as far as it goes. */
static int finish(dtrace_hdl_t *dtp, const struct recording *recording,
		  const char *file, enum recording_end end)
{
	struct replaying *replaying = recording->context;
	int error = dtp->replay.output.error;
	struct text problem = { 0 };

	if (recording->has_controls)
		handle_message(
			dtp,
			"commands of system() and files of freopen() are not replayed");
	if (!handle_deliver(dtp, NULL) || end == RECORDING_STOPPED)
		return handle_fail(dtp, EDT_ABORTED);
	if (error)
		return handle_fail(dtp, error == -EPIPE ? EDT_PIPE : -error);
	if (end == RECORDING_BAD)
		return told(dtp, file, recording->problem);
	if (end == RECORDING_CUT)
		handle_message(dtp, "the recording ends before the run did");
	if (replaying->pictures && replaying->is_started &&
	    !pictures_draw(replaying->pictures, &problem))
		return draw_failed(dtp, &problem);
	return 0;
}

int dtrace_replay_ext(dtrace_hdl_t *dtp, const char *file, FILE *fp,
		      dtrace_consume_probe_f *probe, dtrace_consume_rec_f *rec,
		      void *arg)
{
	if (dtp->is_running || dtp->session)
		return handle_fail_text(
			dtp, EDT_ORDER,
			"A handle that compiles or traces cannot replay: open another");
	struct text problem = { 0 };
	struct replaying replaying = {
		.dtp = dtp,
		.pictures = pictures_open(&dtp->options, &problem),
	};
	struct recording recording = {
		.aggregate = agg_find,
		.options = &dtp->options,
		.open = open_sink,
		.context = &replaying,
	};

	if (problem.n)
		return draw_failed(dtp, &problem);
	int fd = strcmp(file, "-") ? open(file, O_RDONLY | O_CLOEXEC)
				   : STDIN_FILENO;

	if (fd < 0) {
		pictures_close(replaying.pictures);
		return told(dtp, file, strerror(errno));
	}
	handle_set_stream(dtp, fp);
	output_set_file(&dtp->replay.output, dtp->output);
	dtp->probe_func = probe;
	dtp->rec_func = rec;
	dtp->consume_arg = arg;
	enum recording_end end = recording_replay(&recording, fd);

	sink_close(dtp->sink.filter.inner);
	dtp->sink.filter.inner = NULL;
	dtp->replay.resolver = NULL;
	dtp->replay.has_status = recording.has_status;
	dtp->replay.status = recording.status;
	if (fd != STDIN_FILENO)
		close(fd);
	int status = finish(dtp, &recording, file, end);

	pictures_close(replaying.pictures);
	return status;
}
