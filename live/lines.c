/* SPDX-License-Identifier: Apache-2.0 */
#include "live/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"

enum { LONGEST = 8 << 20, MOST_WAITING = 32 << 20, PIECE = 1 << 16 };

void lines_open(struct lines *lines, int fd)
{
	*lines = (struct lines){ .fd = fd };
	lines->out_end = &lines->out;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static void message_free(struct lines_message *message)
{
	for (unsigned i = 0; i < message->nfds; i++)
		close(message->fds[i]);
	free(message);
}

void lines_close(struct lines *lines)
{
	if (lines->fd >= 0)
		close(lines->fd);
	lines->fd = -1;
	for (unsigned i = 0; i < lines->nfds; i++)
		close(lines->fds[i]);
	lines->nfds = 0;
	while (lines->out) {
		struct lines_message *message = lines->out;

		lines->out = message->next;
		message_free(message);
	}
	lines->out_end = &lines->out;
	lines->waiting = 0;
	text_free(&lines->in);
	lines->taken = 0;
}

/* ---------------------------------------------------------------- reading */

/* Those that are too many are closed: nobody has asked for them. */
static void take_fds(struct lines *lines, struct msghdr *message)
{
	for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at;
	     at = CMSG_NXTHDR(message, at)) {
		if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
			continue;
		size_t count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		const int *fds = (const int *)CMSG_DATA(at);

		for (size_t i = 0; i < count; i++) {
			if (lines->nfds < LINES_FDS)
				lines->fds[lines->nfds++] = fds[i];
			else
				close(fds[i]);
		}
	}
}

bool lines_read(struct lines *lines)
{
	char bytes[PIECE];

	if (lines->fd < 0)
		return false;
	for (;;) {
		union {
			char bytes[CMSG_SPACE(LINES_FDS * sizeof(int))];
			struct cmsghdr align;
		} control;
		struct iovec piece = { bytes, sizeof(bytes) };
		struct msghdr message = {
			.msg_iov = &piece,
			.msg_iovlen = 1,
			.msg_control = &control,
			.msg_controllen = sizeof(control),
		};
		ssize_t n = recvmsg(lines->fd, &message, MSG_CMSG_CLOEXEC);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return true;
		if (n <= 0)
			return false;
		take_fds(lines, &message);
		text_add(&lines->in, bytes, (size_t)n);
		if (lines->in.n - lines->taken > LONGEST)
			return memchr(lines->in.p + lines->taken, '\n',
				      lines->in.n - lines->taken);
	}
}

json_t *lines_next(struct lines *lines)
{
	for (;;) {
		if (!lines->in.n)
			return NULL;
		char *start = lines->in.p + lines->taken;
		char *end = memchr(start, '\n', lines->in.n - lines->taken);

		if (!end) {
			/* what was taken makes room */
			size_t left = lines->in.n - lines->taken;

			memmove(lines->in.p, start, left + 1);
			lines->in.n = left;
			lines->taken = 0;
			return NULL;
		}
		lines->taken += (size_t)(end + 1 - start);
		json_t *line = json_loadb(start, (size_t)(end - start),
					  JSON_ALLOW_NUL, NULL);

		if (json_is_object(line))
			return line;
		json_decref(line);
	}
}

int lines_take_fd(struct lines *lines)
{
	if (!lines->nfds)
		return -1;
	int fd = lines->fds[0];

	lines->nfds--;
	memmove(lines->fds, lines->fds + 1, lines->nfds * sizeof(int));
	return fd;
}

/* ---------------------------------------------------------------- writing */

static ssize_t send_some(struct lines *lines, struct lines_message *message)
{
	union {
		char bytes[CMSG_SPACE(LINES_FDS * sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec piece = { message->bytes + message->sent,
			       message->n - message->sent };
	struct msghdr header = { .msg_iov = &piece, .msg_iovlen = 1 };

	if (message->nfds) {
		header.msg_control = &control;
		header.msg_controllen = CMSG_SPACE(message->nfds * sizeof(int));
		struct cmsghdr *rights = CMSG_FIRSTHDR(&header);

		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(message->nfds * sizeof(int));
		memcpy(CMSG_DATA(rights), message->fds,
		       message->nfds * sizeof(int));
	}
	return sendmsg(lines->fd, &header, MSG_NOSIGNAL);
}

bool lines_flush(struct lines *lines)
{
	while (lines->out && lines->fd >= 0) {
		struct lines_message *message = lines->out;
		ssize_t n = send_some(lines, message);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return true;
		if (n < 0)
			return false;
		for (unsigned i = 0; i < message->nfds; i++)
			close(message->fds[i]);
		message->nfds = 0;
		message->sent += (size_t)n;
		lines->waiting -= (size_t)n;
		if (message->sent < message->n)
			continue;
		lines->out = message->next;
		if (!lines->out)
			lines->out_end = &lines->out;
		message_free(message);
	}
	return lines->fd >= 0;
}

bool lines_send(struct lines *lines, json_t *json, const int *fds,
		unsigned nfds)
{
	char *line = json ? json_dumps(json, JSON_COMPACT) : NULL;

	json_decref(json);
	if (!line || lines->fd < 0 || nfds > LINES_FDS ||
	    lines->waiting > MOST_WAITING) {
		for (unsigned i = 0; i < nfds; i++)
			close(fds[i]);
		free(line);
		return false;
	}
	size_t n = strlen(line);
	struct lines_message *message = must_alloc(sizeof(*message) + n + 1);

	memcpy(message->bytes, line, n);
	message->bytes[n] = '\n';
	message->n = n + 1;
	message->nfds = nfds;
	if (nfds)
		memcpy(message->fds, fds, nfds * sizeof(int));
	free(line);
	*lines->out_end = message;
	lines->out_end = &message->next;
	lines->waiting += message->n;
	return lines_flush(lines);
}
