/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the commands that draw have in common: a D program for the question, the
 * option that draws, a process or a command, and nothing that is printed.
 */

#include "cmd/tool.h"

struct drawing {
	struct tool tool;
	const char *file, *title;
	const char *command; /* -c, or NULL */
	long pid, seconds;   /* -p; -d, 0: until the command ends */
	bool is_all;	     /* -a */
	dtrace_proc_t *proc;
};

/* Is --help all that is asked for? */
bool drawing_asks_help(int argc, char **argv);
/* Sets an option of tracing: 0, or the status to exit with. */
int drawing_set(const struct drawing *drawing, const char *option,
		const char *value);
/* Takes an option that all of them have; false: it is another one, or wrong. */
bool drawing_flag(struct drawing *drawing, int flag, char *value);
/* What is wrong with the options; NULL: nothing.  Sets how long it takes. */
const char *drawing_conflict(struct drawing *drawing, long seconds);
/* The same, and whether the file is a picture: .svg or .html. */
const char *drawing_problem(struct drawing *drawing, long seconds);
bool drawing_ends_in(const struct drawing *drawing, const char *suffix);
/* The condition that an event belongs to the processes in question. */
const char *drawing_who(const struct drawing *drawing);
/* Runs the program (with an end after `seconds`) and draws. */
int drawing_run(struct drawing *drawing, const char *program);
