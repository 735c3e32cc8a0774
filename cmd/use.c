/* SPDX-License-Identifier: Apache-2.0 */
/*
 * use(8): the USE method.  For every resource of the machine: how busy is it, how
 * much waits for it, does it fail?
 *
 * What stands out is marked: a utilization from which on queues grow, a queue, an
 * error.  A cell that cannot be measured is a question mark, and -v says why.
 */
#include "cmd/use.h"
#include "cmd/pages.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAME_WIDTH = 20, CELL_WIDTH = 17, COUNTERS_STEP = 64 };

struct command {
	struct use use;
	struct pages pages;
	long interval, count;
	bool is_verbose, is_json, is_plain, has_colour;
	double last;
	uint64_t drops; /* of events, since the last page */
};

static const char *const measures[NMEASURES] = { "utilization", "saturation",
						 "errors" };

static int usage(FILE *out, int status)
{
	fputs("Usage: use [-cv] [--json] [-x opt[=val]] [interval [count]]\n"
	      "\n"
	      "\t-v - a line for each cell, with its source, or why it is unknown\n"
	      "\t-c - one page after the other, also on a terminal\n"
	      "\t--json - an object for each page\n"
	      "\t-x opt[=val] - set an option of tracing\n",
	      out);
	return status;
}

/* ------------------------------------------------------------------ cells */

struct row *use_row(struct use *use, const char *format, ...)
{
	va_list args;

	use->rows = tool_must(realloc(use->rows,
				      (use->nrows + 1) * sizeof(struct row)));

	struct row *row = &use->rows[use->nrows++];

	memset(row, 0, sizeof(*row));
	va_start(args, format);
	vsnprintf(row->name, sizeof(row->name), format, args);
	va_end(args);
	return row;
}

void use_known(struct cell *cell, double value, const char *unit, double limit,
	       const char *format, ...)
{
	va_list args;

	cell->is_known = true;
	cell->value = value;
	cell->unit = unit;
	cell->limit = limit;
	va_start(args, format);
	vsnprintf(cell->about, sizeof(cell->about), format, args);
	va_end(args);
}

void use_unknown(struct cell *cell, const char *format, ...)
{
	va_list args;

	cell->is_known = false;
	va_start(args, format);
	vsnprintf(cell->about, sizeof(cell->about), format, args);
	va_end(args);
}

double use_grown(struct use *use, double value, const char *format, ...)
{
	char name[sizeof(use->counters->name)];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	for (size_t i = 0; i < use->ncounters; i++) {
		struct counter *counter = &use->counters[i];

		if (strcmp(counter->name, name))
			continue;

		double grown = value - counter->value;

		counter->value = value;
		/* a device that was replaced begins again */
		return grown < 0 ? 0 : grown;
	}
	if (use->ncounters % COUNTERS_STEP == 0)
		use->counters =
			tool_must(realloc(use->counters,
					  (use->ncounters + COUNTERS_STEP) *
						  sizeof(struct counter)));

	struct counter *counter = &use->counters[use->ncounters++];

	memcpy(counter->name, name, sizeof(name));
	counter->value = value;
	return 0;
}

bool use_read(const char *path, const char *word, double *value)
{
	char line[512];
	bool is_there = false;
	FILE *file = fopen(path, "r");

	while (file && !is_there && fgets(line, sizeof(line), file))
		is_there = !strncmp(line, word, strlen(word)) &&
			   sscanf(line + strlen(word), "%lf", value) == 1;
	if (file)
		fclose(file);
	return is_there;
}

bool use_read_number(const char *path, double *value)
{
	return use_read(path, "", value);
}

/* ------------------------------------------------------------------ pages */

static bool stands_out(const struct cell *cell)
{
	return cell->is_known && cell->value > 0 && cell->value >= cell->limit;
}

static int format_value(const struct cell *cell, char *text, size_t size)
{
	bool is_percent = cell->is_known && !strcmp(cell->unit, "%");
	double value = cell->value;

	if (!cell->is_known)
		return snprintf(text, size, "?");

	/* what is not 0 does not look like it */
	int digits = value > 0 && value < 0.095				? 3
		     : value < 100 && value != (double)(long long)value ? 1
									: 0;

	return snprintf(text, size, "%.*f%s%s", digits, value,
			is_percent || !*cell->unit ? "" : " ", cell->unit);
}

static void print_cell(const struct command *command, FILE *out,
		       const struct cell *cell)
{
	char text[64];
	bool is_marked = stands_out(cell);

	format_value(cell, text, sizeof(text));
	fprintf(out, "%s%*s%s %c",
		is_marked && command->has_colour ? "\033[1;31m" : "",
		CELL_WIDTH, text,
		is_marked && command->has_colour ? "\033[0m" : "",
		is_marked ? '!' : ' ');
}

static void print_table(const struct command *command, FILE *out)
{
	const struct use *use = &command->use;

	fprintf(out, "%-*s%*s  %*s  %*s\n", NAME_WIDTH, "RESOURCE", CELL_WIDTH,
		"UTILIZATION", CELL_WIDTH, "SATURATION", CELL_WIDTH, "ERRORS");
	for (size_t i = 0; i < use->nrows; i++) {
		fprintf(out, "%-*s", NAME_WIDTH, use->rows[i].name);
		for (int k = 0; k < NMEASURES; k++)
			print_cell(command, out, &use->rows[i].cells[k]);
		putc('\n', out);
	}
}

static void print_sources(const struct command *command, FILE *out)
{
	const struct use *use = &command->use;

	fprintf(out, "%-*s %-11s %*s   %s\n", NAME_WIDTH, "RESOURCE", "MEASURE",
		CELL_WIDTH, "VALUE", "SOURCE");
	for (size_t i = 0; i < use->nrows; i++)
		for (int k = 0; k < NMEASURES; k++) {
			const struct cell *cell = &use->rows[i].cells[k];

			fprintf(out, "%-*s %-11s", NAME_WIDTH,
				use->rows[i].name, measures[k]);
			print_cell(command, out, cell);
			fprintf(out, " %s\n", cell->about);
		}
}

static void print_string(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static void print_json(const struct command *command, FILE *out)
{
	const struct use *use = &command->use;

	fprintf(out,
		"{\"time\":%lld,\"seconds\":%.3f,\"lost\":%llu,\"cells\":[",
		(long long)time(NULL), use->seconds,
		(unsigned long long)command->drops);
	for (size_t i = 0; i < use->nrows; i++)
		for (int k = 0; k < NMEASURES; k++) {
			const struct cell *cell = &use->rows[i].cells[k];

			fprintf(out, "%s{\"resource\":", i || k ? "," : "");
			print_string(out, use->rows[i].name);
			fprintf(out,
				",\"measure\":\"%s\",\"value\":", measures[k]);
			if (cell->is_known)
				fprintf(out, "%.6g,\"unit\":\"%s\"",
					cell->value, cell->unit);
			else
				fputs("null", out);
			fprintf(out, ",\"marked\":%s,\"%s\":",
				stands_out(cell) ? "true" : "false",
				cell->is_known ? "source" : "reason");
			print_string(out, cell->about);
			putc('}', out);
		}
	fputs("]}\n", out);
}

/* -------------------------------------------------------------------- run */

static void measure(struct command *command)
{
	struct use *use = &command->use;
	double now = tool_now();

	use->seconds = command->last > 0 ? now - command->last : 1;
	command->last = now;
	use->nrows = 0;
	use_trace_take(use);
	use_cpus(use);
	use_memory(use);
	use_networks(use);
	use_disks(use);
	use_tables(use);
	use_locks(use);
}

static void page(struct command *command, long number)
{
	FILE *out = pages_begin(&command->pages);

	measure(command);
	if (number && !command->pages.is_screen && !command->is_json)
		putc('\n', out);
	if (command->is_json)
		print_json(command, out);
	else if (command->is_verbose)
		print_sources(command, out);
	else
		print_table(command, out);
	if (command->drops && !command->is_json)
		fprintf(out,
			"%llu events were lost: what is traced may be more\n",
			(unsigned long long)command->drops);
	command->drops = 0;
	pages_show(&command->pages);
}

static int run(struct command *command)
{
	struct pages *pages = &command->pages;
	double next;
	int status;

	tool_count_drops(&command->use.tool, &command->drops);
	status = use_trace_start(&command->use);
	if (status)
		return status;
	pages_open(pages, command->use.tool.dtp,
		   !command->is_plain && !command->is_json &&
			   command->count != 1);
	command->has_colour = isatty(STDOUT_FILENO) && !command->is_json;
	/* what the counters are before the first page */
	measure(command);
	next = tool_now();
	if (command->has_colour) {
		fputs(pages->is_screen ? "\033[H\033[2J" : "", stdout);
		puts("Measuring... Please wait.");
	}
	for (long i = 0; !command->count || i < command->count; i++) {
		next += (double)command->interval;
		if (!pages_wait(pages, next))
			break;
		page(command, i);
		/* a page that was late does not shorten the next interval */
		if (tool_now() > next + (double)command->interval / 2)
			next = tool_now();
	}
	pages_close(pages);
	return 0;
}

static int parse_options(struct command *command, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int flag;

	while ((flag = getopt_long(argc, argv, "cvx:", options, NULL)) != -1) {
		switch (flag) {
		case 'c':
			command->is_plain = true;
			break;
		case 'v':
			command->is_verbose = true;
			break;
		case 'j':
			command->is_json = true;
			break;
		case 'h':
			exit(usage(stdout, 0));
		case 'x':
			if (tool_set_option(&command->use.tool, optarg))
				return EXIT_FATAL;
			break;
		default:
			return usage(stderr, EXIT_USAGE);
		}
	}
	if (argc - optind > 2 ||
	    (argc > optind && !is_positive(argv[optind], &command->interval)) ||
	    (argc > optind + 1 &&
	     !is_positive(argv[optind + 1], &command->count)))
		return usage(stderr, EXIT_USAGE);
	/* without an interval: one page */
	if (argc == optind)
		command->count = 1;
	return 0;
}

int main(int argc, char **argv)
{
	static struct command command = { .interval = 1 };
	struct use *use = &command.use;
	int status = tool_open(&use->tool, "use");

	if (status)
		return status;
	status = parse_options(&command, argc, argv);
	if (!status)
		status = run(&command);
	dtrace_close(use->tool.dtp);
	free(use->rows);
	free(use->counters);
	free(use->events);
	return status;
}
