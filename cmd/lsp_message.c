/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: a header with their length, an empty line, JSON.
 *
 * The input has a buffer of its own, so that it can be asked whether more has come
 * (a client that types fast is not told about every letter).  A header without a
 * length is skipped; so is a message that is too long, with an error for the client.
 */
#include "cmd/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_MESSAGE = 64 << 20, LONGEST_HEADER = 4096 };

static struct {
	char bytes[64 * 1024];
	size_t at, end;
} input;

bool message_waits(void)
{
	struct pollfd descriptor = { STDIN_FILENO, POLLIN, 0 };

	return input.at < input.end || poll(&descriptor, 1, 0) > 0;
}

static bool fill(void)
{
	ssize_t n;

	do
		n = read(STDIN_FILENO, input.bytes, sizeof(input.bytes));
	while (n < 0 && errno == EINTR);
	input.at = 0;
	input.end = n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* One line of a header without its end, cut where it is too long. */
static bool read_line(char *line, size_t size)
{
	size_t n = 0;

	for (;;) {
		if (input.at == input.end && !fill())
			return false;
		char c = input.bytes[input.at++];

		if (c == '\n')
			break;
		if (n + 1 < size)
			line[n++] = c;
	}
	while (n && line[n - 1] == '\r')
		n--;
	line[n] = '\0';
	return true;
}

/* Reads the bytes, or skips them if `to` is NULL. */
static bool read_bytes(char *to, size_t count)
{
	while (count) {
		if (input.at == input.end && !fill())
			return false;
		size_t n = input.end - input.at;

		if (n > count)
			n = count;
		if (to) {
			memcpy(to, input.bytes + input.at, n);
			to += n;
		}
		input.at += n;
		count -= n;
	}
	return true;
}

/* False at the end of input; otherwise a length that is good. */
static bool read_header(size_t *length)
{
	static const char field[] = "content-length:";
	char line[LONGEST_HEADER];
	bool is_known = false;

	while (read_line(line, sizeof(line))) {
		char *end;

		if (!*line && is_known)
			return true;
		if (strncasecmp(line, field, sizeof(field) - 1) != 0)
			continue;
		const char *digits = line + sizeof(field) - 1;

		errno = 0;
		unsigned long long value = strtoull(digits, &end, 10);

		is_known = !errno && end != digits && !strchr(digits, '-') &&
			   !end[strspn(end, " \t")] && value < SIZE_MAX;
		*length = (size_t)value;
	}
	return false;
}

static void refuse(int code, const char *message)
{
	message_send(json_pack("{s:n, s:{s:i, s:s}}", "id", "error", "code",
			       code, "message", message));
}

json_t *message_read(void)
{
	size_t length;

	while (read_header(&length)) {
		char *text = length <= LARGEST_MESSAGE ? malloc(length + 1)
						       : NULL;
		bool is_read = read_bytes(text, length);
		json_t *message = text && is_read
					  ? json_loadb(text, length,
						       JSON_DECODE_ANY |
							       JSON_ALLOW_NUL,
						       NULL)
					  : NULL;

		free(text);
		if (!is_read)
			return NULL;
		if (message)
			return message;
		if (text)
			refuse(-32700, "the message is not JSON");
		else
			refuse(-32600, "the message is too long");
	}
	return NULL;
}

static bool write_all(const char *bytes, size_t count)
{
	while (count) {
		ssize_t n = write(STDOUT_FILENO, bytes, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		count -= (size_t)n;
	}
	return true;
}

void message_send(json_t *message)
{
	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	char *text = json_dumps(message, JSON_COMPACT);
	char header[64];

	json_decref(message);
	if (!text)
		return;
	int n = snprintf(header, sizeof(header), "Content-Length: %zu\r\n\r\n",
			 strlen(text));

	/* a client that is gone shows at the next read */
	if (write_all(header, (size_t)n))
		write_all(text, strlen(text));
	free(text);
}

/* ----------------------------------------------------------------- text */

/* The length of the character at `p`, or 0: it is no UTF-8. */
static size_t character_length(const unsigned char *p)
{
	size_t n = *p < 0x80		      ? 1
		   : *p >= 0xc2 && *p < 0xe0  ? 2
		   : (*p & 0xf0) == 0xe0      ? 3
		   : *p >= 0xf0 && *p <= 0xf4 ? 4
					      : 0;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if (n == 3 &&
	    ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] >= 0xa0)))
		return 0;
	if (n == 4 &&
	    ((*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] >= 0x90)))
		return 0;
	return n;
}

json_t *json_text(const char *text)
{
	char *copy = strdup(text);

	for (char *p = copy; p && *p;) {
		size_t n = character_length((const unsigned char *)p);

		if (!n)
			*p = '?';
		p += n ? n : 1;
	}
	json_t *string = json_string(copy ? copy : "");

	free(copy);
	return string;
}
