/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/progress.h"
#include "cmd/words.h"

bool drawing_asks_help(int argc, char **argv)
{
	return argc == 2 &&
	       (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
}

int drawing_set(const struct drawing *drawing, const char *option,
		const char *value)
{
	if (dtrace_setopt(drawing->tool.dtp, option, value))
		return tool_fail(&drawing->tool, option);
	return 0;
}

bool drawing_flag(struct drawing *drawing, int flag, char *value)
{
	const struct tool *tool = &drawing->tool;

	switch (flag) {
	case 'd':
		return tool_number(tool, value, &drawing->seconds);
	case 'p':
		return tool_number(tool, value, &drawing->pid);
	case 'c':
		drawing->command = value;
		return true;
	case 'a':
		drawing->is_all = true;
		return true;
	case 't':
		drawing->title = value;
		return true;
	case 'o':
		drawing->file = value;
		return true;
	case 'x':
		return !tool_set_option(tool, value);
	default:
		return false;
	}
}

bool drawing_ends_in(const struct drawing *drawing, const char *suffix)
{
	size_t n = strlen(drawing->file), length = strlen(suffix);

	return n > length && !strcmp(drawing->file + n - length, suffix);
}

const char *drawing_conflict(struct drawing *drawing, long seconds)
{
	if ((drawing->pid != 0) + (drawing->command != NULL) + drawing->is_all >
	    1)
		return "-p, -c and -a exclude each other";
	if (!drawing->file)
		return "-o file is missing";
	if (!drawing->seconds && !drawing->command)
		drawing->seconds = seconds;
	return NULL;
}

const char *drawing_problem(struct drawing *drawing, long seconds)
{
	const char *problem = drawing_conflict(drawing, seconds);

	if (problem)
		return problem;
	return drawing_ends_in(drawing, ".svg") ||
			       drawing_ends_in(drawing, ".html")
		       ? NULL
		       : "the name of the file ends in .svg or .html";
}

const char *drawing_who(const struct drawing *drawing)
{
	return drawing->pid	  ? "pid == $target"
	       : drawing->command ? "progenyof($target)"
				  : "pid != $pid";
}

static int grab(struct drawing *drawing)
{
	dtrace_hdl_t *dtp = drawing->tool.dtp;

	if (drawing->pid) {
		drawing->proc = dtrace_proc_grab_pid(dtp, (pid_t)drawing->pid,
						     0);
	} else if (drawing->command) {
		const char *missing;
		char **words = command_words(drawing->command, &missing);

		if (!words || !words[0]) {
			fprintf(stderr, "%s: %s in '%s'\n", drawing->tool.name,
				words ? "there is no command" : missing,
				drawing->command);
			return EXIT_USAGE;
		}
		drawing->proc = dtrace_proc_create(dtp, words[0], words, 0);
		free(words);
	} else {
		return 0;
	}
	return drawing->proc
		       ? 0
		       : tool_fail(&drawing->tool,
				   drawing->pid ? "cannot grab the process"
						: drawing->command);
}

/* The picture is all that is wanted. */
static int print_nothing(const dtrace_probedata_t *data, void *arg)
{
	(void)data;
	(void)arg;
	return DTRACE_CONSUME_NEXT;
}

static char *with_end(const struct drawing *drawing, const char *program)
{
	char *text = NULL;
	size_t size;
	FILE *out = tool_must(open_memstream(&text, &size));

	fprintf(out, "%s\n", program);
	if (drawing->seconds)
		fprintf(out, "tick-%lds { exit(0); }\n", drawing->seconds);
	fclose(out);
	return tool_must(text);
}

int drawing_run(struct drawing *drawing, const char *program)
{
	const struct tool *tool = &drawing->tool;
	int status = grab(drawing);

	if (status)
		return status;
	char *text = with_end(drawing, program);

	status = tool_start(tool, text);
	free(text);
	if (status)
		return status;
	if (drawing->proc)
		dtrace_proc_continue(tool->dtp, drawing->proc);
	if (work_until_done(tool->dtp, stdout, print_nothing) ==
	    DTRACE_WORKSTATUS_ERROR)
		return tool_fail(tool, "cannot continue");
	return tool_stop(tool);
}
