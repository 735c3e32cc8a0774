/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stackvis(1): stacks of dtrace and of other tools into pictures.
 *
 * Reads all of its input, because a picture needs the sum, and works with it in
 * memory.  Formats are those of the tables in src/view/.  A recording is replayed
 * by the library as ndjson, which is then read like any other.
 */
#include <dtrace.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd/streams.h"
#include "view/read.h"
#include "view/write.h"

enum { EXIT_FATAL = 1, EXIT_USAGE = 2, FIRST_SIZE = 1 << 20 };

static const char recording[] = "recording"; /* as a name of a format */
static const char recording_start[] = "dtrace recording ";

struct command {
	struct picture_options picture;
	const char *unit;
	const char *from; /* of diff; NULL: found out */
	bool is_normalized;
};

struct input {
	const char *name; /* for messages */
	char *text;
	size_t size, capacity;
};

static int complain(const char *format, ...)
{
	va_list args;
	char *text = NULL, *shown = NULL;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && isatty(STDERR_FILENO))
		shown = dtrace_visible_ext(text, DTRACE_VISIBLE_LINES);
	fprintf(stderr, "stackvis: %s\n", shown ? shown : text ? text : format);
	free(shown);
	free(text);
	return EXIT_FATAL;
}

static int usage(FILE *out)
{
	fputs("Usage: stackvis [options] IN OUT [FILE]\n"
	      "       stackvis [options] diff BEFORE AFTER OUT\n"
	      "\n"
	      "\t--title TEXT - the title of a picture\n"
	      "\t--unit UNIT - what is counted: samples, ns, bytes ...\n"
	      "\t--width PIXELS - of an SVG (default 1200)\n"
	      "\t--min-width PIXELS - leave out what is narrower (default 0.1)\n"
	      "\t--icicle - an SVG with its root at the top\n"
	      "\t--from IN - the format of BEFORE and AFTER\n"
	      "\t--normalize - scale BEFORE to the sum of AFTER\n"
	      "\t--by-total - colour a difference by total, not by self\n"
	      "\n"
	      "IN, the format of FILE or of standard input:\n",
	      out);
	for (unsigned i = 0; reader_at(i); i++)
		fprintf(out, "\t%-16s%s\n", reader_at(i)->name,
			reader_at(i)->about);
	fprintf(out, "\t%-16s%s\n\nOUT, the format of standard output:\n",
		recording, "dtrace -x record=FILE");
	for (unsigned i = 0; writer_at(i); i++)
		fprintf(out, "\t%-16s%s\n", writer_at(i)->name,
			writer_at(i)->about);
	return out == stderr ? EXIT_USAGE : 0;
}

/* ------------------------------------------------------------------- input */

static int out_of_memory(const struct input *input)
{
	return complain("no memory for %s (%zu MB so far)", input->name,
			input->size >> 20);
}

/* Mapped, because it may be large: huge pages are faster, and it can grow. */
static bool input_grow(struct input *input)
{
	size_t capacity = input->capacity ? input->capacity * 2 : FIRST_SIZE;
	void *text = input->capacity
			     ? mremap(input->text, input->capacity, capacity,
				      MREMAP_MAYMOVE)
			     : mmap(NULL, capacity, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (text == MAP_FAILED)
		return false;
	madvise(text, capacity, MADV_HUGEPAGE);
	input->text = text;
	input->capacity = capacity;
	return true;
}

static void input_free(struct input *input)
{
	if (input->capacity)
		munmap(input->text, input->capacity);
}

static int input_read(struct input *input, int file)
{
	for (;;) {
		ssize_t n;

		if (input->size == input->capacity && !input_grow(input))
			return out_of_memory(input);
		n = read(file, input->text + input->size,
			 input->capacity - input->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return complain("cannot read %s: %s", input->name,
					strerror(errno));
		if (!n)
			return 0;
		input->size += (size_t)n;
	}
}

/* NULL, "-": standard input */
static int input_open(struct input *input, const char *name)
{
	bool is_standard = !name || !strcmp(name, "-");
	int file = is_standard ? STDIN_FILENO
			       : open(name, O_RDONLY | O_CLOEXEC);
	int status;

	input->name = is_standard ? "standard input" : name;
	if (file < 0)
		return complain("cannot open %s: %s", name, strerror(errno));
	status = input_read(input, file);
	if (!is_standard)
		close(file);
	return status;
}

static void show_message(void *arg, const char *message)
{
	(void)arg;
	complain("%s", message);
}

/* What -x oformat=ndjson makes of a recording. */
static int input_replay(struct input *input, const char *name)
{
	FILE *lines = tmpfile();
	int error = 0, status;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp)
		return complain("failed to initialize dtrace: %s",
				dtrace_errmsg(NULL, error));
	dtrace_handle_message_ext(dtp, show_message, NULL);
	dtrace_setopt(dtp, "oformat", "ndjson");
	input->name = name ? name : "standard input";
	if (!lines)
		status = complain("cannot make a temporary file: %s",
				  strerror(errno));
	else if (dtrace_replay_ext(dtp, name ? name : "-", lines, NULL, NULL,
				   NULL))
		status = complain("%s", dtrace_errmsg(dtp, dtrace_errno(dtp)));
	else if (fflush(lines) || lseek(fileno(lines), 0, SEEK_SET))
		status = complain("cannot write a temporary file: %s",
				  strerror(errno));
	else
		status = input_read(input, fileno(lines));
	if (lines)
		fclose(lines);
	dtrace_close(dtp);
	return status;
}

/* --------------------------------------------------------------- into stacks */

static bool starts_with(const struct input *input, const char *start)
{
	size_t n = strlen(start);

	return input->size >= n && !memcmp(input->text, start, n);
}

static int unknown_format(const char *name)
{
	complain("unknown format '%s'; stackvis --help lists them", name);
	return EXIT_USAGE;
}

static void note_losses(struct profile *profile, const struct input *input,
			const struct read_result *result)
{
	if (result->nskipped)
		profile_note(
			profile,
			"%zu lines of %s are no stacks; the first is line %zu",
			result->nskipped, input->name, result->first_skipped);
	if (profile->ncut)
		profile_note(profile,
			     "%llu stacks of %s have only their outer %d frames",
			     (unsigned long long)profile->ncut, input->name,
			     PROFILE_DEPTH);
	if (profile->nignored)
		profile_note(profile,
			     "%llu numbers of %s are negative or too large",
			     (unsigned long long)profile->nignored,
			     input->name);
	for (uint32_t i = 0; i < profile->nnotes; i++)
		complain("%s", profile->notes[i]);
}

/* What an input looks like. */
static const char *guess_format(const struct input *input)
{
	if (starts_with(input, recording_start))
		return recording;
	return starts_with(input, "{") ? "ndjson" : "collapsed";
}

/* `format` NULL: what it looks like. */
static int read_profile(const char *format, const char *file,
			struct profile *profile)
{
	struct input input = { 0 };
	const struct reader_class *class;
	int status = 0;

	if (format && strcmp(format, recording) && !reader_find(format))
		return unknown_format(format);
	if (!format || strcmp(format, recording)) {
		status = input_open(&input, file);
		format = format ? format : guess_format(&input);
	}
	if (!status && !strcmp(format, recording)) {
		input_free(&input);
		input = (struct input){ 0 };
		status = input_replay(&input, file);
		format = "ndjson";
	}
	class = reader_find(format);
	if (!status) {
		struct read_result result =
			profile_read(profile, class, input.text, input.size);

		if (!result.nstacks)
			status = complain(
				"no stacks in %s: expected %s (%s); stackvis --help lists formats",
				input.name, class->name, class->about);
		else
			note_losses(profile, &input, &result);
	}
	input_free(&input);
	return status;
}

/* --------------------------------------------------------------------- run */

static int write_out(const struct command *command, struct profile *profile,
		     const struct writer_class *writer)
{
	if (command->unit)
		profile_set_unit(profile, command->unit);
	setvbuf(stdout, NULL, _IOFBF, FIRST_SIZE);
	if (!profile_write(profile, writer, stdout, &command->picture))
		return complain("cannot write: %s", strerror(errno));
	return 0;
}

static int convert(const struct command *command, int argc, char **argv)
{
	const struct writer_class *writer;
	struct profile *profile;
	int status;

	if (argc < 2 || argc > 3)
		return usage(stderr);
	writer = writer_find(argv[1]);
	if (!writer)
		return unknown_format(argv[1]);
	profile = profile_new();
	status = read_profile(argv[0], argc > 2 ? argv[2] : NULL, profile);
	if (!status)
		status = write_out(command, profile, writer);
	profile_free(profile);
	return status;
}

static int compare(const struct command *command, int argc, char **argv)
{
	const struct writer_class *writer;
	struct profile *before, *after;
	int status;

	if (argc != 3)
		return usage(stderr);
	writer = writer_find(argv[2]);
	if (!writer)
		return unknown_format(argv[2]);
	before = profile_new();
	after = profile_new();
	status = read_profile(command->from, argv[0], before);
	if (!status)
		status = read_profile(command->from, argv[1], after);
	if (!status) {
		double scale = 1;

		profile_settle(before);
		profile_settle(after);
		if (command->is_normalized && before->nodes[0].total)
			scale = (double)after->nodes[0].total /
				(double)before->nodes[0].total;
		profile_compare(after, before, scale);
		status = write_out(command, after, writer);
	}
	profile_free(before);
	profile_free(after);
	return status;
}

static bool parse_number(const char *name, const char *text, double least,
			 double most, double *number)
{
	char *end;

	*number = strtod(text, &end);
	if (end != text && !*end && *number >= least && *number <= most)
		return true;
	complain("invalid %s '%s': use a number from %g to %g", name, text,
		 least, most);
	return false;
}

int main(int argc, char **argv)
{
	enum {
		TITLE = 256,
		UNIT,
		WIDTH,
		LEAST,
		ICICLE,
		FROM,
		NORMALIZE,
		TOTAL
	};
	static const struct option options[] = {
		{ "title", required_argument, NULL, TITLE },
		{ "unit", required_argument, NULL, UNIT },
		{ "width", required_argument, NULL, WIDTH },
		{ "min-width", required_argument, NULL, LEAST },
		{ "icicle", no_argument, NULL, ICICLE },
		{ "from", required_argument, NULL, FROM },
		{ "normalize", no_argument, NULL, NORMALIZE },
		{ "by-total", no_argument, NULL, TOTAL },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct command command = { 0 };
	double number;
	int flag;

	streams_hold();
	while ((flag = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (flag) {
		case TITLE:
			command.picture.title = optarg;
			break;
		case UNIT:
			command.unit = optarg;
			break;
		case WIDTH:
			if (!parse_number("width", optarg, 100, 100000,
					  &number))
				return EXIT_USAGE;
			command.picture.width = (unsigned)number;
			break;
		case LEAST:
			if (!parse_number("min-width", optarg, 0.001, 1000,
					  &number))
				return EXIT_USAGE;
			command.picture.least_width = number;
			break;
		case ICICLE:
			command.picture.is_icicle = true;
			break;
		case FROM:
			command.from = optarg;
			break;
		case NORMALIZE:
			command.is_normalized = true;
			break;
		case TOTAL:
			command.picture.is_by_total = true;
			break;
		case 'h':
			return usage(stdout);
		default:
			return usage(stderr);
		}
	}
	argc -= optind;
	argv += optind;
	if (argc && !strcmp(argv[0], "diff"))
		return compare(&command, argc - 1, argv + 1);
	return convert(&command, argc, argv);
}
