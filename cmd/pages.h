/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Pages of a tool that is no script: one after the other, or on a terminal each
 * in the place of the one before, cut to the size that the terminal has.  Then q
 * ends the tool, as for scripts with -x screen (cmd/keys.c).
 */

#include <dtrace.h>
#include <stdbool.h>
#include <stdio.h>

struct pages {
	bool is_screen;
	char *text; /* of the last page */
	size_t size;
	FILE *page;
	dtrace_hdl_t *dtp; /* NULL: nothing is traced */
};

/* A screen if it is wanted and standard output is a terminal. */
void pages_open(struct pages *pages, dtrace_hdl_t *dtp, bool wants_screen);
void pages_close(struct pages *pages);

/* The next page is written to a stream, and then shown. */
FILE *pages_begin(struct pages *pages);
void pages_show(struct pages *pages);
/* How many lines the page may have; 0: any number. */
unsigned pages_rows(const struct pages *pages);

/* Until a time of tool_now().  False: the user wants no more. */
bool pages_wait(struct pages *pages, double until);
