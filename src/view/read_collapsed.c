/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks, the text that tools exchange: frames from the outermost,
 * separated by semicolons, a blank, and how often.
 *
 *	main;parse;vmlinux`read 12
 *
 * Such files have a hundred megabytes.  Neighbours mostly begin with the same
 * frames, so only what differs from the line before is looked at.  The kernel is
 * on top of what called it: a frame on one of the kernel's is the kernel's.
 */
#include "view/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct previous {
	struct str text;
	uint32_t *frames;
	uint32_t *ends; /* offset of the semicolon after each, or the end */
	uint32_t count, capacity;
};

/* The number of bytes that both begin with. */
static size_t common_bytes(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	uint64_t x, y;

	for (; i + sizeof(x) <= n; i += sizeof(x)) {
		memcpy(&x, a.p + i, sizeof(x));
		memcpy(&y, b.p + i, sizeof(y));
		if (x != y)
			return i + (size_t)__builtin_ctzll(x ^ y) / 8;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

/* Forgets the frames that `text` does not begin with. */
static void keep_common(struct previous *previous, struct str text)
{
	size_t common = common_bytes(previous->text, text);
	uint32_t count = previous->count;

	while (count && previous->ends[count - 1] > common)
		count--;
	if (count && previous->ends[count - 1] == common && common < text.n &&
	    text.p[common] != ';')
		count--;
	previous->count = count;
}

static void push(struct previous *previous, uint32_t frame, size_t end)
{
	if (previous->count == previous->capacity) {
		previous->capacity = previous->capacity ? previous->capacity * 2
							: 256;
		previous->frames = must_realloc(previous->frames,
						checked_mul(previous->capacity,
							    sizeof(uint32_t)));
		previous->ends = must_realloc(previous->ends,
					      checked_mul(previous->capacity,
							  sizeof(uint32_t)));
	}
	previous->frames[previous->count] = frame;
	previous->ends[previous->count++] = (uint32_t)end;
}

static void read_stack(struct reader *reader, struct previous *previous,
		       struct str text)
{
	size_t at = 0;
	enum profile_kind kind = PROFILE_USER;

	keep_common(previous, text);
	previous->text = text;
	if (previous->count) {
		uint32_t last = previous->count - 1;

		at = (size_t)previous->ends[last] + 1;
		if (reader_is_kernel(reader, previous->frames[last]))
			kind = PROFILE_KERNEL;
	}
	while (at < text.n) {
		const char *mark = memchr(text.p + at, ';', text.n - at);
		size_t end = mark ? (size_t)(mark - text.p) : text.n;
		uint32_t frame = reader_frame(
			reader, (struct str){ text.p + at, end - at }, kind);

		push(previous, frame, end);
		if (kind == PROFILE_USER && reader_is_kernel(reader, frame))
			kind = PROFILE_KERNEL;
		at = end + 1;
	}
}

void read_collapsed(struct reader *reader)
{
	struct previous previous = { 0 };
	struct str line;

	while (reader_line(reader, &line)) {
		const char *blank;
		int64_t weight;

		while (line.n && (line.p[line.n - 1] == '\r' ||
				  line.p[line.n - 1] == ' '))
			line.n--;
		if (!line.n)
			continue;
		blank = memrchr(line.p, ' ', line.n);
		if (!blank || blank == line.p || line.n > UINT32_MAX ||
		    !str_weight((struct str){ blank + 1,
					      (size_t)(line.p + line.n - blank -
						       1) },
				&weight)) {
			reader_skip(reader);
			continue;
		}
		line.n = (size_t)(blank - line.p);
		read_stack(reader, &previous, line);
		profile_add(reader->profile, previous.frames, previous.count,
			    weight);
		reader->nstacks++;
	}
	free(previous.frames);
	free(previous.ends);
}
