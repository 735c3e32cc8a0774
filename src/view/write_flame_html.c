/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph as a page: its data, for page/flame.ts to draw.
 *
 * A profile may have millions of nodes and the file should stay below 10 MB, so
 * they are numbers of variable length (7 bits in a byte, the lowest first) in
 * base64.  Frames are numbered by falling number of uses: most nodes take a
 * byte.  Nodes come in the order of a walk, as frame << 1 | special.  A plain
 * node is a child of the one before it and has no weight of its own; a special
 * one is followed by the levels to go up from the one before, its own weight
 * and, in a difference, its weight before.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "view/page.h"
#include "view/write.h"

struct data {
	const struct profile *profile;
	const struct picture_options *options;
};

/* ----------------------------------------------------------------- numbers */

enum { VARINT = 10 }; /* bytes at most */

/* There must be room for it. */
static inline void put_varint(struct text *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		out->p[out->n++] = (char)(number | 0x80);
	out->p[out->n++] = (char)number;
}

static inline void need_varints(struct text *out, size_t count)
{
	if (out->capacity - out->n <= count * VARINT)
		text_reserve(out, count * VARINT);
}

/* ------------------------------------------------------------------- parts */

static int by_uses(const void *a, const void *b, void *uses)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint32_t *counts = uses;

	if (counts[x] != counts[y])
		return counts[x] < counts[y] ? 1 : -1;
	return (x > y) - (x < y);
}

/* The frames in the order in which they are written. */
static uint32_t *order_frames(const struct profile *profile)
{
	uint32_t *uses = must_alloc(checked_mul((size_t)profile->nframes + 1,
						sizeof(*uses)));
	uint32_t *order = must_alloc(checked_mul((size_t)profile->nframes + 1,
						 sizeof(*order)));

	for (uint32_t i = 1; i < profile->nnodes; i++)
		uses[profile->nodes[i].frame]++;
	for (uint32_t i = 0; i < profile->nframes; i++)
		order[i] = i;
	qsort_r(order, profile->nframes, sizeof(*order), by_uses, uses);
	free(uses);
	return order;
}

/* The number of a string, which is written when it is new. */
static uintptr_t put_name(FILE *out, struct table *strings, const char *bytes,
			  size_t count)
{
	struct str name = { bytes, count };
	uintptr_t number = (uintptr_t)table_get(strings, name);

	if (number)
		return number - 1;
	if (strings->count)
		fputc(',', out);
	page_string(out, bytes, count);
	number = (uintptr_t)strings->count + 1;
	table_put(strings, name, (void *)number);
	return number - 1;
}

static void put_frames(FILE *out, const struct profile *profile,
		       const uint32_t *order)
{
	struct table strings = { 0 };
	struct text frames = { 0 };

	fputs(",\"strings\":[", out);
	for (uint32_t i = 0; i < profile->nframes; i++) {
		const struct profile_frame *frame = &profile->frames[order[i]];

		need_varints(&frames, 3);
		put_varint(&frames,
			   put_name(out, &strings, frame->name, frame->length));
		put_varint(&frames,
			   frame->object_length
				   ? put_name(out, &strings, frame->object,
					      frame->object_length) +
					     1
				   : 0);
		put_varint(&frames, frame->kind);
	}
	fputs("],\n\"frames\":\"", out);
	page_base64(out, &frames);
	table_free(&strings);
	text_free(&frames);
}

static void put_nodes(FILE *out, const struct profile *profile,
		      const uint32_t *order)
{
	struct profile_walk walk = { .profile = profile };
	uint32_t *numbers = must_alloc(checked_mul((size_t)profile->nframes + 1,
						   sizeof(*numbers)));
	struct text nodes = { 0 };
	uint32_t depth = 0;

	for (uint32_t i = 0; i < profile->nframes; i++)
		numbers[order[i]] = i;
	while (profile_next(&walk)) {
		const struct profile_node *node = &profile->nodes[walk.node];
		uint32_t up = depth + 1 - walk.depth;
		uint64_t before =
			profile->before
				? (uint64_t)profile->before[walk.node].self
				: 0;
		bool is_special = up || node->self || before;

		need_varints(&nodes, 4);
		put_varint(&nodes,
			   (uint64_t)numbers[node->frame] << 1 | is_special);
		if (is_special) {
			put_varint(&nodes, up);
			put_varint(&nodes, (uint64_t)node->self);
			if (profile->before)
				put_varint(&nodes, before);
		}
		depth = walk.depth;
	}
	fputs("\",\n\"nodes\":\"", out);
	page_base64(out, &nodes);
	fputc('"', out);
	text_free(&nodes);
	free(numbers);
}

void write_flame_tree(FILE *out, const struct profile *profile)
{
	uint32_t *order = order_frames(profile);

	put_frames(out, profile, order);
	put_nodes(out, profile, order);
	free(order);
}

static void put_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, ",\"%s\":", name);
	page_string(out, text, strlen(text));
}

static void put_data(FILE *out, const void *context)
{
	const struct data *data = context;
	const struct profile *profile = data->profile;

	fputs("{\"format\":1,\"picture\":\"flame\"", out);
	put_member(out, "title", picture_title(profile, data->options));
	put_member(out, "subtitle", profile->subtitle ? profile->subtitle : "");
	put_member(out, "unit", profile_unit(profile));
	fprintf(out, ",\"countBefore\":%d", profile->before ? 1 : 0);
	write_flame_tree(out, profile);
	fputs(",\"notes\":[", out);
	for (uint32_t i = 0; i < profile->nnotes; i++) {
		if (i)
			fputc(',', out);
		page_string(out, profile->notes[i], strlen(profile->notes[i]));
	}
	fputs("]}", out);
}

bool write_flame_html(FILE *out, const struct profile *profile,
		      const struct picture_options *options)
{
	struct data data = { profile, options };

	return page_write(out, "flame", picture_title(profile, options),
			  put_data, &data);
}
