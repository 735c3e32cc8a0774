/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the facts of a session go:
 *
 *	consumer ── tee ─┬─ recording (-x record)
 *	                 └─ tee ─┬─ pictures (-x flame and the like)
 *	                         └─ filter (the library's callbacks)
 *	                              └─ oformat's sink
 *
 * A tee exists only if there is a recording, or pictures.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "agg/agg.h"
#include "base/clock.h"
#include "run/internal.h"
#include "sink/picture.h"
#include "sink/recording.h"
#include "sink/sink.h"
#include "sink/tee.h"

/* The kernel's id of this boot. */
static void read_boot(char *id, int size)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file || !fgets(id, size, file))
		*id = '\0';
	if (file)
		fclose(file);
	for (; *id; id++)
		if (*id == '\n')
			*id = '\0';
}

static void tell_start(struct session *session)
{
	struct utsname names = { 0 };
	char boot[64];
	struct fact_start start = {
		.schema = &session->lowering.schema,
		.host = names.nodename,
		.boot = boot,
		.stamp = session_now(),
		.wall = clock_wall(),
	};

	if (session->recording || session->pictures) {
		uname(&names);
		read_boot(boot, sizeof(boot));
	} else {
		*boot = '\0';
	}
	sink_start(session->consumer.sink, &start);
}

static int open_pictures(struct session *session,
			 const struct sink_setup *setup)
{
	struct text problem = { 0 };

	session->pictures = pictures_open(setup->options, &problem);
	/* with probes that appear later there may be more to draw, too */
	if (session->pictures && !session->follows)
		pictures_refuse(session->pictures, &session->lowering.schema,
				&problem);
	int error = problem.n ? session_fail(session, -EIO, "%s",
					     text_str(&problem))
			      : 0;

	text_free(&problem);
	if (error || !session->pictures)
		return error;
	struct sink_setup with_snapshots = *setup;

	with_snapshots.has_snapshots = true;
	session->picture_sink = pictures_start(session->pictures,
					       &with_snapshots);
	session->picture_tee = tee_open(session->picture_sink,
					session->consumer.sink);
	session->consumer.sink = session->picture_tee;
	return 0;
}

static int open_recording(struct session *session,
			  const struct sink_setup *setup)
{
	const char *problem;

	if (!setup->file)
		return 0;
	session->recording = recording_open(setup, &problem);
	if (!session->recording)
		return session_fail(session, -EIO, "cannot record to %s: %s",
				    setup->file, problem);
	session->tee = tee_open(session->recording, session->consumer.sink);
	session->consumer.sink = session->tee;
	return 0;
}

static bool has_histogram(const struct schema *schema)
{
	for (uint32_t i = 0; i < schema->naggregations; i++)
		if (schema->aggregations[i] &&
		    schema->aggregations[i]->aggregate->range)
			return true;
	return false;
}

/* Those that only pictures want, now or when it is replayed, nobody shows. */
static void plan_snapshots(struct session *session)
{
	session->records_histograms =
		session->recording &&
		(session->follows || has_histogram(&session->lowering.schema));
	bool are_private = session->records_histograms ||
			   (session->pictures &&
			    pictures_take_snapshots(session->pictures));

	if (session->wants_snapshots ||
	    option_number(session->config.options, OPTION_INTERVAL) > 0)
		session_want_snapshots(session);
	else if (are_private)
		session_want_private_snapshots(session);
}

int session_open_sinks(struct session *session)
{
	const struct options *options = session->config.options;
	const struct sink_class *class = sink_class_of(options);
	struct filter *filter = session->config.filter;
	struct sink_setup setup = {
		.output = &session->output,
		.options = options,
		.resolver = &session->resolver,
		.target = session->consumer.target,
		.file = option_text(options, OPTION_RECORD),
	};

	session->main_sink = class->open(&setup);
	session->consumer.sink = session->main_sink;
	if (filter) {
		filter->inner = session->main_sink;
		session->consumer.sink = &filter->sink;
	}
	session->screen = session->consumer.sink;
	int error = open_pictures(session, &setup);

	if (!error)
		error = open_recording(session, &setup);
	if (error)
		return error;
	tell_start(session);
	plan_snapshots(session);
	return 0;
}

int session_draw_pictures(struct session *session)
{
	struct text problem = { 0 };
	int error = 0;

	if (session->pictures && !pictures_draw(session->pictures, &problem))
		error = session_fail(session, -EIO, "%s", text_str(&problem));
	text_free(&problem);
	return error;
}

void session_close_sinks(struct session *session)
{
	sink_close(session->tee);
	sink_close(session->recording);
	sink_close(session->picture_tee);
	pictures_close(session->pictures);
	sink_close(session->main_sink);
	session->consumer.sink = NULL;
}
