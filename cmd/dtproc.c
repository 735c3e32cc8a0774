/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtproc(1): pictures of processes: who started whom, when each lived, which
 * thread ran on which CPU.
 *
 * D programs that tell of events in the form that -x proctree, lives and
 * checkerboard take; see src/sink/processes.c.
 */
#include "cmd/drawing.h"

#include <getopt.h>
#include <stdlib.h>

/* %p: which processes. */
static const char lives[] =
	"proc:::create /%p/\n"
	"{ printf(\"%s %d %d %s\\n\", \"fork\", pid, args[0]->pr_pid, execname); }\n"
	"proc:::exec-success /%p/\n"
	"{ printf(\"%s %d %s\\n\", \"exec\", pid, execname); }\n"
	"proc:::exit /%p/\n"
	"{ printf(\"%s %d %s %d\\n\", \"exit\", pid, execname, curpsinfo->pr_wstat); }\n";
/* Any other thread ends the turn of one that is drawn, so all are told. */
static const char turns[] =
	"sched:::on-cpu\n"
	"{ printf(\"%s %d %d %s\\n\", \"run\", pid, (%p) ? tid : 0, execname); }\n";

static const struct question {
	const char *name, *option, *program;
	const char *suffixes[2];
} questions[] = {
	{ "tree", "proctree", lives, { ".svg", ".dot" } },
	{ "lives", "lives", lives, { ".svg", ".svg" } },
	{ "cpus", "checkerboard", turns, { ".svg", ".html" } },
};

enum { TREE, LIVES, CPUS };

static int usage(FILE *out)
{
	fputs("Usage: dtproc [-d seconds] [-p pid | -c cmd | -a] [--tree | --lives | --cpus]\n"
	      "              [-t title] [-x opt[=val]] -o file\n"
	      "\n"
	      "\t-d seconds - how long (10; with -c until the command ends)\n"
	      "\t-p pid - only this process, and what it starts\n"
	      "\t-c cmd - run a command, and only this one and its children\n"
	      "\t-a - all processes\n"
	      "\t--tree - who started whom: .svg or .dot\n"
	      "\t--lives - when each began, executed programs and ended: .svg\n"
	      "\t--cpus - which thread ran on which CPU: .svg or .html\n"
	      "\t-t title - the title of the picture\n"
	      "\t-x opt[=val] - set an option of tracing\n"
	      "\t-o file - the picture\n",
	      out);
	return EXIT_USAGE;
}

/* Children belong to a process of -p, too. */
static char *program_of(const struct drawing *drawing, const char *text)
{
	const char *who = drawing->pid || drawing->command
				  ? "progenyof($target)"
				  : "pid != $pid";
	char *program = NULL;
	size_t size;
	FILE *out = tool_must(open_memstream(&program, &size));

	for (; *text; text++) {
		if (text[0] == '%' && text[1] == 'p') {
			fputs(who, out);
			text++;
		} else {
			putc(*text, out);
		}
	}
	fclose(out);
	return tool_must(program);
}

static int run(struct drawing *drawing, const struct question *question)
{
	int status = drawing_set(drawing, question->option, drawing->file);

	if (!status && drawing->title)
		status = drawing_set(drawing, "title", drawing->title);
	if (status)
		return status;
	char *program = program_of(drawing, question->program);

	status = drawing_run(drawing, program);
	free(program);
	return status;
}

static int check(struct drawing *drawing, const struct question *question)
{
	const char *problem = drawing_conflict(drawing, 10);

	if (!problem && !drawing_ends_in(drawing, question->suffixes[0]) &&
	    !drawing_ends_in(drawing, question->suffixes[1]))
		problem =
			"the name of the file ends in .svg; .dot for --tree, .html for --cpus";
	if (!problem)
		return 0;
	fprintf(stderr, "dtproc: %s\n", problem);
	return usage(stderr);
}

static int parse(struct drawing *drawing, const struct question **question,
		 int argc, char **argv)
{
	static const struct option names[] = {
		{ "tree", no_argument, NULL, TREE },
		{ "lives", no_argument, NULL, LIVES },
		{ "cpus", no_argument, NULL, CPUS },
		{ 0 },
	};
	bool is_good = true;
	int flag;

	while (is_good && (flag = getopt_long(argc, argv, "+d:p:c:at:x:o:",
					      names, NULL)) != -1) {
		if (flag <= CPUS)
			*question = &questions[flag];
		else
			is_good = drawing_flag(drawing, flag, optarg);
	}
	if (!is_good || optind < argc)
		return usage(stderr);
	return check(drawing, *question);
}

int main(int argc, char **argv)
{
	if (drawing_asks_help(argc, argv)) {
		usage(stdout);
		return 0;
	}

	struct drawing drawing = { 0 };
	const struct question *question = &questions[TREE];
	int status = tool_open(&drawing.tool, "dtproc");

	if (status)
		return status;
	status = parse(&drawing, &question, argc, argv);
	if (!status)
		status = run(&drawing, question);
	dtrace_close(drawing.tool.dtp);
	return status;
}
