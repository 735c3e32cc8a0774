/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * dtrace(8): a command line becomes calls of libdtrace.
 *
 *	dtrace.c	the modes, in order
 *	options.c	flags and operands
 *	process.c	-c and -p
 *	list.c		-l
 *	check.c		--check
 *	build.c		-h, -G
 *	report.c	-v: stability of programs and probes
 *	trace.c		enabling, signals, the loop, the exit status
 *	message.c	what goes to stderr
 *	streams.c	standard streams that are closed
 *	usage.c		the text that nobody reads twice
 *
 * Nothing here knows D, probes or the kernel: only <dtrace.h>.
 */

#include <dtrace.h>
#include <stdbool.h>
#include <stdio.h>

enum { EXIT_FATAL = 1, EXIT_USAGE = 2 };

enum mode { MODE_TRACE, MODE_LIST, MODE_VERSION, MODE_HEADER, MODE_LINK,
	    MODE_ANONYMOUS, MODE_CHECK, MODE_OPTIONS };

/* One -P, -m, -f, -n, -i or -s. */
struct request {
	char flag;
	const char *text;	/* the whole argument */
	char *name;		/* what notices call it */
	dtrace_prog_t *program;
};

/* One -c or -p. */
struct process {
	char flag;
	const char *text;	/* the whole argument */
	dtrace_proc_t *proc;
};

struct command {
	dtrace_hdl_t *dtp;
	enum mode mode;
	bool compile_only;	/* -e */
	bool verbose;		/* -v */
	bool is_building;	/* -h or -G */
	bool is_32;		/* -32 */
	bool is_64;		/* -64 */
	struct request *requests;
	unsigned nrequests;
	struct process *processes;
	unsigned nprocesses;
	char **operands;	/* [0] is $0; NULL at the end */
	int noperands;
	const char *output_path;
	FILE *output;
	bool is_terminal;	/* the output is one */
};

/* options.c: 0, or the status to exit with. */
int command_parse(struct command *command, int argc, char **argv);
void command_free(struct command *command);
/* "script" for -s, else "description": as notices say it. */
const char *request_kind(const struct request *request);

/* dtrace.c: all programs, or the status to exit with. */
int command_compile(struct command *command);

/* Was an option set, on or to a value? */
bool command_has(struct command *command, const char *option);
/* -S, -x dump, -x tree: forms of the programs on stderr.  0 or a status. */
int command_dump(struct command *command);

/* process.c: start or grab them all, held; 0 or a status. */
int command_processes(struct command *command);
/* Let them run. */
void command_continue(struct command *command);

/* early.c: what programs say about the environment of -c. */
void command_early_options(struct command *command);
/* interpreter.c: argv with the words of a "#!" line apart, to be freed; or NULL. */
char **interpreter_words(int *argc, char **argv);

/* check.c */
int command_check(struct command *command);

/* list.c */
int command_list(struct command *command);

/* build.c: -h, -G. */
int command_header(struct command *command);
int command_link(struct command *command);
/* Is it -h or -G?  Then flags that only other commands have are removed. */
bool build_prepare(int *argc, char **argv, const char *letters);

/* report.c */
void report_probe(const struct command *command, const dtrace_probeinfo_t *info);
void report_program(struct command *command, const struct request *request,
		    const dtrace_proginfo_t *info);

/* trace.c: the exit status. */
int command_trace(struct command *command);
/* The complaint about a command without -n, -s and the like. */
int no_probes(const struct command *command);

/* message.c: all begin with "dtrace: " and end with a newline. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with ": REASON" from the handle behind it; returns EXIT_FATAL. */
int fail(struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A line below a message: what was probably meant. */
void hint(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Unless -q. */
void notice(struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Flush; a failure is reported (a closed pipe is not): EXIT_FATAL or 0. */
int finish_output(FILE *out);

/* A line of names of the traced system, to the output. */
void put_line(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* usage.c */
void usage(FILE *out);
