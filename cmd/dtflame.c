/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtflame(1): from a question to a flame graph, in one line.
 *
 * A small D program for each question, and -x flame (or folded, pprof,
 * speedscope, by the file's suffix), which draws.
 */
#include "cmd/drawing.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* The questions.  %s: stacks; %p: which processes; %F: times per second. */
static const struct question {
	const char *name, *title, *unit;
	bool wants_process; /* -p or -c */
	bool has_idle;	    /* interrupts of idle CPUs belong to it */
	const char *program;
} questions[] = {
	{ "on-cpu", "CPU time", "samples", false, false,
	  "profile-%F /%p/ { @[execname, %s] = count(); }\n" },
	{ "off-cpu", "Off-CPU time", "ns", false, false,
	  "sched:::off-cpu /%p/ { self->left = timestamp; }\n"
	  "sched:::on-cpu /self->left/\n"
	  "{ @[execname, %s] = sum(timestamp - self->left); self->left = 0; }\n" },
	{ "wakeup", "Time until woken, by waker", "ns", false, true,
	  "sched:::sleep /%p/ { slept[tid] = timestamp; }\n"
	  "sched:::wakeup /slept[args[0]->pr_lwpid]/\n"
	  "{ @[strjoin(args[1]->pr_fname, \" woken by\"), execname, %s] =\n"
	  "      sum(timestamp - slept[args[0]->pr_lwpid]);\n"
	  "  slept[args[0]->pr_lwpid] = 0; }\n" },
	{ "alloc", "Allocated memory", "bytes", true, false,
	  "pid$target::malloc:entry { @[execname, %s] = sum(arg0); }\n"
	  "pid$target::calloc:entry { @[execname, %s] = sum(arg0 * arg1); }\n"
	  "pid$target::realloc:entry { @[execname, %s] = sum(arg1); }\n" },
};

enum { ON_CPU, OFF_CPU, WAKEUP, ALLOC };

/* What a file is, by the end of its name. */
static const struct {
	const char *suffix, *option;
} files[] = {
	{ ".svg", "flame" },	   { ".html", "flame" },
	{ ".folded", "folded" },   { ".txt", "folded" },
	{ ".pb", "pprof" },	   { ".pprof", "pprof" },
	{ ".json", "speedscope" },
};

struct flame {
	struct drawing drawing;
	const struct question *question;
	long rate;
	bool is_kernel, is_user;
};

static int usage(FILE *out)
{
	fputs("Usage: dtflame [-F hz] [-d seconds] [-p pid | -c cmd | -a] [-k | -u]\n"
	      "               [--off-cpu | --wakeup | --alloc] [-t title] [-x opt[=val]] -o file\n"
	      "\n"
	      "\t-F hz - samples per second and CPU (99)\n"
	      "\t-d seconds - how long (10; with -c until the command ends)\n"
	      "\t-p pid - only this process\n"
	      "\t-c cmd - run a command, and only this one and its children\n"
	      "\t-a - all processes, on all CPUs\n"
	      "\t-k, -u - only the kernel's, only the programs' stacks\n"
	      "\t--off-cpu - time in which threads do not run, by where they wait\n"
	      "\t--wakeup - the same time, by who ends it\n"
	      "\t--alloc - bytes of malloc() and the like (with -p or -c)\n"
	      "\t-t title - the title of the picture\n"
	      "\t-x opt[=val] - set an option of tracing\n"
	      "\t-o file - .svg or .html; .folded, .pb (pprof), .json (speedscope)\n",
	      out);
	return EXIT_USAGE;
}

static int refuse(const char *why)
{
	fprintf(stderr, "dtflame: %s\n", why);
	return usage(stderr);
}

/* ---------------------------------------------------------------- program */

static void put_program(const struct flame *flame, FILE *out)
{
	const char *stacks = flame->is_kernel ? "stack(127)"
			     : flame->is_user ? "ustack(1023)"
					      : "ustack(1023), stack(127)";

	for (const char *at = flame->question->program; *at; at++) {
		if (*at != '%')
			putc(*at, out);
		else if (*++at == 's')
			fputs(stacks, out);
		else if (*at == 'p')
			fputs(drawing_who(&flame->drawing), out);
		else
			fprintf(out, "%ldhz", flame->rate);
	}
}

/* -------------------------------------------------------------------- run */

static const char *option_of(const struct drawing *drawing)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (drawing_ends_in(drawing, files[i].suffix))
			return files[i].option;
	return NULL;
}

static int set_options(const struct flame *flame)
{
	const struct question *question = flame->question;
	const struct drawing *drawing = &flame->drawing;
	int status = drawing_set(drawing, option_of(drawing), drawing->file);

	if (!status)
		status = drawing_set(drawing, "title",
				     drawing->title ? drawing->title
						    : question->title);
	if (!status)
		status = drawing_set(drawing, "unit", question->unit);
	if (!status && !question->has_idle)
		status = drawing_set(drawing, "flameidle", "no");
	return status;
}

static int run(struct flame *flame)
{
	int status = set_options(flame);
	char *program = NULL;
	size_t size;

	if (status)
		return status;
	FILE *out = tool_must(open_memstream(&program, &size));

	put_program(flame, out);
	fclose(out);
	status = drawing_run(&flame->drawing, program);
	free(program);
	return status;
}

/* ----------------------------------------------------------- command line */

static int check(struct flame *flame)
{
	struct drawing *drawing = &flame->drawing;
	bool wants_process = flame->question->wants_process;
	const char *problem = drawing_conflict(drawing, 10);

	if (problem)
		return refuse(problem);
	if (flame->is_kernel && flame->is_user)
		return refuse("-k and -u exclude each other");
	if (wants_process && !drawing->pid && !drawing->command)
		return refuse("--alloc needs a process: -p or -c");
	if (wants_process && flame->is_kernel)
		return refuse("--alloc has stacks of programs only");
	flame->is_user |= wants_process;
	if (!option_of(drawing))
		return refuse(
			"the name of the file ends in .svg, .html, .folded, .pb or .json");
	return 0;
}

static int parse(struct flame *flame, int argc, char **argv)
{
	static const struct option names[] = {
		{ "off-cpu", no_argument, NULL, OFF_CPU },
		{ "wakeup", no_argument, NULL, WAKEUP },
		{ "alloc", no_argument, NULL, ALLOC },
		{ 0 },
	};
	struct drawing *drawing = &flame->drawing;
	bool is_good = true;
	int flag;

	while (is_good && (flag = getopt_long(argc, argv, "+F:d:p:c:akut:x:o:",
					      names, NULL)) != -1) {
		switch (flag) {
		case 'F':
			is_good = tool_number(&drawing->tool, optarg,
					      &flame->rate);
			break;
		case 'k': flame->is_kernel = true; break;
		case 'u': flame->is_user = true; break;
		case OFF_CPU:
		case WAKEUP:
		case ALLOC:
			flame->question = &questions[flag];
			break;
		default:
			is_good = drawing_flag(drawing, flag, optarg);
			break;
		}
	}
	if (!is_good || optind < argc)
		return usage(stderr);
	return check(flame);
}

int main(int argc, char **argv)
{
	if (drawing_asks_help(argc, argv)) {
		usage(stdout);
		return 0;
	}

	struct flame flame = { .question = &questions[ON_CPU], .rate = 99 };
	int status = tool_open(&flame.drawing.tool, "dtflame");

	if (status)
		return status;
	status = parse(&flame, argc, argv);
	if (!status)
		status = run(&flame);
	dtrace_close(flame.drawing.tool.dtp);
	return status;
}
