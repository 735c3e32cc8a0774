/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the commands beside dtrace(8) have in common: lockstat, plockstat,
 * intrstat, prstat and use run D programs of their own and print what they
 * counted.
 *
 * They use only the library's public interface, as any program could.
 */

#include <dtrace.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_FATAL = 1, EXIT_USAGE = 2 };

struct tool {
	const char *name; /* begins its messages */
	dtrace_hdl_t *dtp;
};

/*
 * Functions that return int: 0, or the status to exit with; the reason was
 * printed.
 */
int tool_open(struct tool *tool, const char *name);
int tool_fail(const struct tool *tool, const char *what);
/* -x name[=value] */
int tool_set_option(const struct tool *tool, char *text);
/*
 * Events that were lost are added up and not reported, for a tool that shows
 * pages and says it there.
 */
void tool_count_drops(const struct tool *tool, uint64_t *drops);
/*
 * Compiles a program, of which there can be more than one.  False: it cannot be
 * had on this kernel, dtrace_errno() says why.
 */
bool tool_add(const struct tool *tool, const char *program);
/* Enables what was added; from now on signals end the tracing (signals.h). */
int tool_go(const struct tool *tool);
/* Both, for one program; from now on signals end the tracing (signals.h). */
int tool_start(const struct tool *tool, const char *program);
/* Until the program, its process or a signal ends the tracing. */
int tool_work(const struct tool *tool, FILE *out);
int tool_stop(const struct tool *tool);

/* A positive number and nothing else. */
bool is_positive(const char *text, long *number);
/* The same for an option's argument; reports it if it is not one. */
bool tool_number(const struct tool *tool, const char *text, long *number);
/*
 * "0,2-3": numbers below `limit` that are wanted are set, those that are not in
 * a range also in `alone` unless that is NULL.  False: it is not such a list.
 */
bool tool_ranges(const char *text, long limit, bool *wanted, bool *alone);
/* Seconds since some time. */
double tool_now(void);
/* Ends the program if memory is NULL. */
void *tool_must(void *memory);
