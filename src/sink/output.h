/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Where sinks write: a stream of the user, which freopen() can redirect for a
 * while.  The first failed write is remembered; it ends the run at the next
 * flush (broken pipe, full disk).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text;

struct output {
	FILE *file;	/* output_set_file() */
	bool is_device; /* may be a terminal */
	/* freopen(): descriptor of the output before it; 0 = not redirected */
	int saved_fd;
	int error; /* negative errno of the first failure */
};

void output_set_file(struct output *output, FILE *file);
void output_write(struct output *output, const char *bytes, size_t count);
/* 0, or the negative errno of any write so far. */
int output_flush(struct output *output);
/* freopen(): to a file; back again.  false: see errno. */
bool output_redirect(struct output *output, const char *name);
bool output_restore(struct output *output);
void output_truncate(struct output *output);
/* Of the terminal, or the usual ones. */
void output_size(const struct output *output, unsigned *rows,
		 unsigned *columns);
