/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * JSON lines over a socket, with descriptors: how the processes of dtlive talk.
 *
 * Nothing blocks.  A line that cannot be sent now is kept and sent when the
 * socket takes it (lines_flush); a side that never reads is cut off when too
 * much has come together.  A line that arrives may be of a process that was
 * taken over: it has a limit, and who reads it checks what is in it.
 */

#include <jansson.h>
#include <stdbool.h>

#include "base/text.h"

enum { LINES_FDS = 8 };

struct lines_message {
	struct lines_message *next;
	size_t n, sent;
	int fds[LINES_FDS];
	unsigned nfds;
	char bytes[];
};

struct lines {
	int fd; /* -1: closed */
	struct text in;
	size_t taken; /* of `in` */
	/* descriptors that came, in order */
	int fds[LINES_FDS];
	unsigned nfds;
	struct lines_message *out, **out_end;
	size_t waiting; /* bytes in `out` */
};

void lines_open(struct lines *lines, int fd);
void lines_close(struct lines *lines);
/* Reads what is there; false: the other side is gone, or spoke nonsense. */
bool lines_read(struct lines *lines);
/* The next line that is an object, or NULL; the caller has it. */
json_t *lines_next(struct lines *lines);
/* The first descriptor that came; -1: there is none. */
int lines_take_fd(struct lines *lines);
/* Takes the message and the descriptors, which are closed when sent. */
bool lines_send(struct lines *lines, json_t *message, const int *fds,
		unsigned nfds);
/* Sends what waits; false: the other side is gone. */
bool lines_flush(struct lines *lines);
