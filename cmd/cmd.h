/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * dtrace(8): a command line becomes calls of libdtrace.
 *
 *	dtrace.c	the modes, in order
 *	options.c	flags and operands
 *	parameters.c	--NAME of programs
 *	letters.c	-L of scripts
 *	process.c	-c and -p
 *	words.c		the words of a command of -c
 *	list.c		-l
 *	check.c		--check
 *	complete.c	--complete
 *	complete_for.c	--complete-for
 *	replay.c	--replay
 *	serve.c		--lsp
 *	build.c		-h, -G
 *	report.c	-v: stability of programs and probes
 *	progress.c	a line that says how far a run is
 *	keys.c		-x screen: q ends the run
 *	trace.c		enabling, signals, the loop, the exit status
 *	message.c	what goes to stderr
 *	streams.c	standard streams that are closed
 *	usage.c		the help text
 *
 * Nothing here knows D, probes or the kernel: only <dtrace.h>.
 */

#include <dtrace.h>
#include <stdbool.h>
#include <stdio.h>

enum { EXIT_FATAL = 1, EXIT_USAGE = 2 };

enum mode {
	MODE_TRACE,
	MODE_LIST,
	MODE_VERSION,
	MODE_HEADER,
	MODE_LINK,
	MODE_ANONYMOUS,
	MODE_CHECK,
	MODE_OPTIONS,
	MODE_REPLAY,
	MODE_HELP
};

/* One -P, -m, -f, -n, -i or -s. */
struct request {
	char flag;
	const char *text; /* the whole argument */
	char *name;	  /* what notices call it */
	bool is_read;	  /* its declarations are known */
	dtrace_prog_t *program;
};

/* A letter that a script declares. */
struct script_letter {
	char letter;
	bool takes_value;
	char *word; /* "--name" */
};

/* One -c or -p. */
struct process {
	char flag;
	const char *text; /* the whole argument */
	dtrace_proc_t *proc;
};

struct command {
	dtrace_hdl_t *dtp;
	enum mode mode;
	bool compile_only; /* -e */
	bool verbose;	   /* -v */
	bool is_building;  /* -h or -G */
	bool is_32;	   /* -32 */
	bool is_64;	   /* -64 */
	struct request *requests;
	unsigned nrequests;
	struct process *processes;
	unsigned nprocesses;
	/* [0] is $0; with parameters until command_parameters(); then NULL */
	char **operands;
	int noperands;
	struct script_letter *letters; /* of scripts */
	unsigned nletters;
	char *flags;  /* what getopt(3) is asked for: ours and theirs */
	char **words; /* made of letters, among the operands */
	unsigned nwords;
	const char *output_path;
	const char *recording; /* --replay */
	FILE *output;
	bool is_terminal; /* the output is one */
};

/*
 * options.c: getopt(3), except that a word that begins with "--" is returned
 * whole, as optarg of FLAG_LONG.
 */
enum { FLAG_LONG = 2 };
extern const char flag_letters[]; /* as getopt(3) takes them */
/* One that is known, but not here. */
bool flag_is_refused(char flag);
int next_flag(int argc, char **argv, const char *letters);
/* 0, or the status to exit with. */
int command_parse(struct command *command, int argc, char **argv);
void command_free(struct command *command);
/* "script" for -s, else "description": as notices say it. */
const char *request_kind(const struct request *request);

/*
 * letters.c: after a script, the letters that it declares are its own.
 */
bool letters_are_in(const struct command *command, const char *path);
/* 1: the script's declarations have been read; 0: it has no letters; -1: wrong. */
int letters_learn(struct command *command, const char *path);
/* Is the letter a script's? */
bool letters_has(const struct command *command, char letter);
/* What getopt(3) is to be asked for now. */
const char *letters_flags(const struct command *command);
/* The letter as --NAME or --NAME=VALUE, or NULL: it is not a script's. */
char *letters_word(struct command *command, char letter, const char *value);
void letters_free(struct command *command);

/*
 * parameters.c: takes the parameters of programs out of the operands.  0 or the
 * status to exit with; `is_done` if there is nothing else to do.
 */
int command_parameters(struct command *command, bool *is_done);

/* dtrace.c: all programs, or the status to exit with. */
int command_compile(struct command *command);

/* The complaint about a program that cannot be compiled; EXIT_FATAL. */
int compile_failed(struct command *command, const struct request *request);

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

/* complete.c: candidates for the last of these words, on stdout. */
int command_complete(struct command *command, int argc, char **argv);
/* complete_for.c: the same for another command, which is the first word. */
int command_complete_for(struct command *command, int argc, char **argv);

/* serve.c: does not return if it can be done; the words after --lsp. */
int command_serve(int argc, char **argv);

/* check.c */
int command_check(struct command *command);

/* replay.c */
int command_replay(struct command *command);

/*
 * keys.c: as work_until_done() for a run that shows pages (-x screen) on a
 * terminal.  Messages wait until the end.
 */
bool keys_are_wanted(struct command *command);
dtrace_workstatus_t work_with_keys(dtrace_hdl_t *dtp, FILE *out);

/* message.c: from now on messages are kept; from now on they are not. */
void messages_keep(void);
void messages_show(void);

/* list.c */
int command_list(struct command *command);

/* build.c: -h, -G. */
int command_header(struct command *command);
int command_link(struct command *command);
/* Is it -h or -G?  Then flags that only other commands have are removed. */
bool build_prepare(struct command *command, int *argc, char **argv);

/* report.c */
void report_probe(const struct command *command,
		  const dtrace_probeinfo_t *info);
void report_program(struct command *command, const struct request *request,
		    const dtrace_proginfo_t *info);

/* trace.c: the exit status. */
int command_trace(struct command *command);
/* The complaint about a command without -n, -s and the like. */
int no_probes(const struct command *command);

/* message.c: all begin with "dtrace: " and end with a newline. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same followed by ": REASON" from the handle; returns EXIT_FATAL. */
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
/* What it says about an option, or "". */
void usage_about(const char *word, char *about, size_t size);
