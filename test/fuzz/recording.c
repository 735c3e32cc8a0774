/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a recording, replayed into each sink.  The
 * first byte says which, and with which options.  The line that recordings
 * begin with is put in front, so that the rest is looked at.  Whatever comes,
 * nothing is read that is not there, and no memory is left behind.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "facts/recording.h"
#include "sink/output.h"
#include "sink/sink.h"

struct replayed {
	struct options options;
	struct output output;
	struct sink *sink;
};

static struct sink *open_sink(void *context, const struct resolver *resolver,
			      uint32_t target)
{
	struct replayed *replayed = context;

	return sink_class_of(&replayed->options)->open(&(struct sink_setup){
		.output = &replayed->output, .options = &replayed->options,
		.resolver = resolver, .target = target,
	});
}

static void set_options(struct options *options, uint8_t choice)
{
	static const char *const formats[] = { "text", "json", "ndjson", "csv" };
	static const char *const flags[] = {
		"quiet", "flowindent", "agghist", "aggpack", "aggpct", "aggzoom",
	};

	options_init(options);
	option_set(options, "oformat", formats[choice & 3], ORIGIN_COMMAND);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (choice >> (i + 2) & 1)
			option_set(options, flags[i], NULL, ORIGIN_COMMAND);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char magic[] = RECORDING_MAGIC;
	size_t length = sizeof(magic) - 1;
	struct replayed replayed = { 0 };

	if (!size)
		return 0;
	char *own = malloc(length + size);
	FILE *sunk = fopen("/dev/null", "we");

	if (!own || !sunk)
		abort();
	memcpy(own, magic, length);
	memcpy(own + length, bytes + 1, size - 1);
	set_options(&replayed.options, *bytes);
	output_set_file(&replayed.output, sunk);
	/* text for a terminal is made, too */
	replayed.output.is_device = size & 1;
	struct recording recording = {
		.aggregate = agg_find, .options = &replayed.options,
		.open = open_sink, .context = &replayed,
	};

	/* in two pieces: a pipe ends one anywhere */
	struct replay *replay = replay_new(&recording);
	size_t whole = length + size - 1, first = whole * (*bytes % 8) / 8;
	enum recording_end how = replay_feed(replay, own, first);

	if (how != RECORDING_BAD && how != RECORDING_STOPPED)
		replay_feed(replay, own + first, whole - first);
	replay_free(replay);
	fclose(sunk);
	options_free(&replayed.options);
	free(own);
	return 0;
}
