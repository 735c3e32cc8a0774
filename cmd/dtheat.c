/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtheat(1): from a question to a heat map, in one line.
 *
 * A small D program for each question, whose histogram -x heatmap draws.  Times
 * are in rows of a tenth of a decade each, so that bands which are close to
 * each other can be told apart.
 */
#include "cmd/drawing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LATENCY(from) "llquantize(timestamp - " from ", 10, 2, 10, 10)"

/*
 * The questions.  %p: which processes; %s: the stacks of -s, where the probe
 * fires on behalf of somebody.
 */
static const struct question {
	const char *name, *about, *unit, *stacks, *program;
} questions[] = {
	{ "syscall", "time in system calls", "ns", "ustack()",
	  "syscall:::entry /%p/ { self->began = timestamp; }\n"
	  "syscall:::return /self->began/\n"
	  "{ @[execname, probefunc%s] = " LATENCY(
		  "self->began") "; self->began = 0; }\n" },
	{ "rw", "bytes of read and write calls", "bytes", "ustack()",
	  "syscall::read:return, syscall::write:return, syscall::pread64:return, syscall::pwrite64:return,\n"
	  "syscall::recvfrom:return, syscall::sendto:return /%p && (int64_t)arg1 >= 0/\n"
	  "{ @[execname, probefunc%s] = quantize(arg1); }\n" },
	{ "io", "time of disk I/O", "ns", NULL,
	  "io:::start { began[arg0] = timestamp; }\n"
	  "io:::done /began[arg0]/\n"
	  "{ @[args[1]->dev_statname, args[0]->b_flags & B_READ ? \"read\" : \"write\"] =\n"
	  "      " LATENCY("began[arg0]") "; began[arg0] = 0; }\n" },
	{ "iosize", "bytes of disk I/O", "bytes", "ustack(), stack()",
	  "io:::start /%p/\n"
	  "{ @[execname, args[0]->b_flags & B_READ ? \"read\" : \"write\"%s] = quantize(args[0]->b_bcount); }\n" },
	{ "runq", "time from wakeup to running", "ns", NULL,
	  "sched:::enqueue { woken[args[0]->pr_lwpid] = timestamp; }\n"
	  "sched:::on-cpu /woken[tid] && %p/\n"
	  "{ @[execname] = " LATENCY("woken[tid]") "; woken[tid] = 0; }\n" },
	{ "offcpu", "time off the CPU", "ns", "ustack(), stack()",
	  "sched:::off-cpu /%p/ { self->left = timestamp; }\n"
	  "sched:::on-cpu /self->left/\n"
	  "{ @[execname%s] = " LATENCY("self->left") "; self->left = 0; }\n" },
};

enum { QUESTIONS = sizeof(questions) / sizeof(*questions) };

static int usage(FILE *out)
{
	fputs("Usage: dtheat [-d seconds] [-i interval] [-p pid | -c cmd | -a] [-u unit] [-t title]\n"
	      "              [-s] [-x opt[=val]] [question | -n program] -o file\n"
	      "\n"
	      "\t-d seconds - how long (10; with -c until the command ends)\n"
	      "\t-i interval - the time of a column, such as 100ms (1s)\n"
	      "\t-p pid - only this process\n"
	      "\t-c cmd - run a command, and only this one and its children\n"
	      "\t-a - all processes\n"
	      "\t-n program - a D program with histograms of its own\n"
	      "\t-u unit - of its values: ns, us, bytes\n"
	      "\t-t title - the title of the picture\n"
	      "\t-s - keep stacks, for the flame graph of a rectangle (.html)\n"
	      "\t-x opt[=val] - set an option of tracing\n"
	      "\t-o file - .svg or .html\n"
	      "\n"
	      "Questions (the first if none is given):\n",
	      out);
	for (int i = 0; i < QUESTIONS; i++)
		fprintf(out, "\t%-8s %s\n", questions[i].name,
			questions[i].about);
	return EXIT_USAGE;
}

static int refuse(const char *why)
{
	fprintf(stderr, "dtheat: %s\n", why);
	return usage(stderr);
}

struct heat {
	struct drawing drawing;
	const struct question *question;
	const char *program, *interval, *unit;
	bool has_stacks;
};

static char *program_of(const struct heat *heat)
{
	char *text = NULL;
	size_t size;
	FILE *out = tool_must(open_memstream(&text, &size));

	for (const char *at = heat->question->program; *at; at++) {
		if (*at == '%' && at[1] == 'p') {
			fputs(drawing_who(&heat->drawing), out);
			at++;
		} else if (*at == '%' && at[1] == 's') {
			if (heat->has_stacks)
				fprintf(out, ", %s", heat->question->stacks);
			at++;
		} else {
			putc(*at, out);
		}
	}
	fclose(out);
	return tool_must(text);
}

static int draw(struct heat *heat)
{
	struct drawing *drawing = &heat->drawing;
	const char *title = drawing->title  ? drawing->title
			    : heat->program ? NULL
					    : heat->question->about;
	const char *unit = heat->unit	   ? heat->unit
			   : heat->program ? NULL
					   : heat->question->unit;
	int status = drawing_set(drawing, "heatmap", drawing->file);

	if (!status)
		status = drawing_set(drawing, "interval", heat->interval);
	if (!status && title)
		status = drawing_set(drawing, "title", title);
	if (!status && unit)
		status = drawing_set(drawing, "unit", unit);
	if (status || heat->program)
		return status ? status : drawing_run(drawing, heat->program);
	char *program = program_of(heat);

	status = drawing_run(drawing, program);
	free(program);
	return status;
}

static bool find_question(struct heat *heat, const char *name)
{
	for (int i = 0; i < QUESTIONS; i++)
		if (!strcmp(questions[i].name, name)) {
			heat->question = &questions[i];
			return true;
		}
	return false;
}

static int parse(struct heat *heat, int argc, char **argv)
{
	int flag;

	/* the question may stand before the other options */
	while ((flag = getopt(argc, argv, "d:i:p:c:an:u:t:sx:o:")) != -1) {
		if (flag == 'i')
			heat->interval = optarg;
		else if (flag == 'n')
			heat->program = optarg;
		else if (flag == 'u')
			heat->unit = optarg;
		else if (flag == 's')
			heat->has_stacks = true;
		else if (!drawing_flag(&heat->drawing, flag, optarg))
			return usage(stderr);
	}
	if (argc - optind > 1 || (heat->program && optind < argc))
		return refuse("one question, or -n program");
	if (optind < argc && !find_question(heat, argv[optind]))
		return refuse("there is no such question");
	if (heat->has_stacks && heat->program)
		return refuse(
			"with -n write stacks into the keys, such as @[ustack()] = quantize(...)");
	if (heat->has_stacks && !heat->question->stacks)
		return refuse(
			"this question has no stacks: others do the work when it is known");
	const char *problem = drawing_problem(&heat->drawing, 10);

	return problem ? refuse(problem) : 0;
}

int main(int argc, char **argv)
{
	if (drawing_asks_help(argc, argv)) {
		usage(stdout);
		return 0;
	}

	struct heat heat = { .question = questions, .interval = "1s" };
	int status = tool_open(&heat.drawing.tool, "dtheat");

	if (status)
		return status;
	status = parse(&heat, argc, argv);
	if (!status)
		status = draw(&heat);
	dtrace_close(heat.drawing.tool.dtp);
	return status;
}
