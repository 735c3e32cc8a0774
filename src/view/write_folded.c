/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks: the text that other tools read, and that grep(1) understands.
 *
 * Blanks in names stay, because only the last one of a line counts; semicolons
 * and ends of lines would make other frames and become colons and blanks.  A
 * difference has two numbers: before and after.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "view/write.h"

static void add_name(struct text *line, const struct profile_frame *frame)
{
	size_t start = line->n;

	/* what is after "+" would else be an offset, which readers drop */
	if (frame->object_length && frame_is_place(frame)) {
		text_add(line, frame->object, frame->object_length);
		text_putc(line, '`');
		text_add(line, frame->name + frame->object_length,
			 frame->length - frame->object_length);
	} else {
		frame_text(line, frame);
	}
	for (char *at = line->p + start; at < line->p + line->n; at++)
		*at = *at == ';' ? ':' : *at == '\n' || *at == '\r' ? ' ' : *at;
}

static void add_numbers(struct text *line, const struct profile *profile,
			uint32_t node)
{
	text_putc(line, ' ');
	if (profile->before) {
		text_put_number(line, (uint64_t)profile->before[node].self);
		text_putc(line, ' ');
	}
	text_put_number(line, (uint64_t)profile->nodes[node].self);
	text_putc(line, '\n');
}

bool write_folded(FILE *out, const struct profile *profile,
		  const struct picture_options *options)
{
	struct profile_walk walk = { .profile = profile };
	size_t *ends = must_alloc(checked_mul((size_t)profile->depth + 1,
					      sizeof(*ends)));
	struct text line = { 0 };

	(void)options;
	while (profile_next(&walk)) {
		const struct profile_node *node = &profile->nodes[walk.node];

		line.n = ends[walk.depth - 1];
		if (line.n)
			text_putc(&line, ';');
		add_name(&line, &profile->frames[node->frame]);
		ends[walk.depth] = line.n;
		if (!node->self &&
		    (!profile->before || !profile->before[walk.node].self))
			continue;
		add_numbers(&line, profile, walk.node);
		fwrite(line.p, 1, line.n, out);
	}
	text_free(&line);
	free(ends);
	return !ferror(out);
}
