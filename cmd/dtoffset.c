/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtoffset(1): samples of the CPUs, or events, by their offset within the
 * second.
 *
 * A column is a second, a row a part of it: what happens each second is a line,
 * what stops for some hundred milliseconds a gap.  The time is taken where the
 * probe fires (src/sink/offsetmap.c).
 */
#include "cmd/drawing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Units are chosen so that steps of lquantize have 16 bits. */
static const struct period {
	const char *name, *ns, *unit;
	long end, step; /* in units */
} periods[] = {
	{ "second", "1000000000", "1000", 1000000, 20000 },
	{ "minute", "60000000000", "1000000", 60000, 1000 },
	{ "hour", "3600000000000", "1000000000", 3600, 60 },
	{ "day", "86400000000000", "1000000000", 86400, 900 },
};

enum { PERIODS = sizeof(periods) / sizeof(*periods) };

struct offset {
	struct drawing drawing;
	const struct period *period;
	const char *probe; /* -n; NULL: samples */
	const char *keys;
	bool has_stacks;
	long rate;
};

static int usage(FILE *out)
{
	fputs("Usage: dtoffset [-F hz] [-d seconds] [-p pid | -c cmd | -a] [-n probe] [-k keys] [-s]\n"
	      "                [-m second | minute | hour | day] [-t title] [-x opt[=val]] -o file\n"
	      "\n"
	      "\t-F hz - samples per second and CPU (199)\n"
	      "\t-d seconds - how long (20; with -c until the command ends)\n"
	      "\t-p pid - only this process\n"
	      "\t-c cmd - run a command, and only this one and its children\n"
	      "\t-a - all processes, on all CPUs\n"
	      "\t-n probe - events of a probe instead of samples\n"
	      "\t-k keys - D expressions by which they can be told apart (execname)\n"
	      "\t-s - keep stacks, for the flame graph of a rectangle (.html)\n"
	      "\t-m second ... - offsets within a second, a minute, an hour, a day\n"
	      "\t-t title - the title of the picture\n"
	      "\t-x opt[=val] - set an option of tracing\n"
	      "\t-o file - .svg or .html\n",
	      out);
	return EXIT_USAGE;
}

/* A sample of an idle CPU belongs to nobody. */
static char *program_of(const struct offset *offset)
{
	const struct period *period = offset->period;
	char *text = NULL;
	size_t size;
	FILE *out = tool_must(open_memstream(&text, &size));

	if (offset->probe)
		fprintf(out, "%s /%s/\n", offset->probe,
			drawing_who(&offset->drawing));
	else
		fprintf(out, "profile-%ldhz /pid && %s/\n", offset->rate,
			drawing_who(&offset->drawing));
	fprintf(out,
		"{ @[walltimestamp / %s, %s%s] =\n"
		"      lquantize(walltimestamp %% %s / %s, 0, %ld, %ld); }\n",
		period->ns, offset->keys,
		offset->has_stacks ? ", ustack(), stack()" : "", period->ns,
		period->unit, period->end, period->step);
	fclose(out);
	return tool_must(text);
}

static int draw(struct offset *offset)
{
	struct drawing *drawing = &offset->drawing;
	const char *title = drawing->title  ? drawing->title
			    : offset->probe ? offset->probe
					    : "CPU samples";
	int status = drawing_set(drawing, "offsetmap", drawing->file);

	if (!status)
		status = drawing_set(drawing, "offsetof", offset->period->name);
	if (!status)
		status = drawing_set(drawing, "title", title);
	if (status)
		return status;
	char *program = program_of(offset);

	status = drawing_run(drawing, program);
	free(program);
	return status;
}

static bool find_period(struct offset *offset, const char *name)
{
	for (int i = 0; i < PERIODS; i++)
		if (!strcmp(periods[i].name, name)) {
			offset->period = &periods[i];
			return true;
		}
	return false;
}

static int parse(struct offset *offset, int argc, char **argv)
{
	const struct tool *tool = &offset->drawing.tool;
	bool is_good = true;
	int flag;

	while (is_good &&
	       (flag = getopt(argc, argv, "+F:d:p:c:an:k:sm:t:x:o:")) != -1) {
		switch (flag) {
		case 'F': is_good = tool_number(tool, optarg, &offset->rate); break;
		case 'n': offset->probe = optarg; break;
		case 'k': offset->keys = optarg; break;
		case 's': offset->has_stacks = true; break;
		case 'm': is_good = find_period(offset, optarg); break;
		default: is_good = drawing_flag(&offset->drawing, flag, optarg); break;
		}
	}
	if (!is_good || optind < argc)
		return usage(stderr);
	const char *problem = drawing_problem(&offset->drawing, 20);

	if (!problem)
		return 0;
	fprintf(stderr, "dtoffset: %s\n", problem);
	return usage(stderr);
}

int main(int argc, char **argv)
{
	if (drawing_asks_help(argc, argv)) {
		usage(stdout);
		return 0;
	}

	struct offset offset = {
		.period = periods, .keys = "execname", .rate = 199,
	};
	int status = tool_open(&offset.drawing.tool, "dtoffset");

	if (status)
		return status;
	status = parse(&offset, argc, argv);
	if (!status)
		status = draw(&offset);
	dtrace_close(offset.drawing.tool.dtp);
	return status;
}
