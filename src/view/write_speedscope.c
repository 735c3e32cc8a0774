/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file format of speedscope (www.speedscope.app): frames, and stacks of
 * their numbers with weights.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "view/page.h"
#include "view/write.h"

static const char *unit_of(const struct profile *profile)
{
	static const struct {
		const char *ours, *theirs;
	} units[] = { { "ns", "nanoseconds" },
		      { "us", "microseconds" },
		      { "ms", "milliseconds" },
		      { "bytes", "bytes" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(profile_unit(profile), units[i].ours))
			return units[i].theirs;
	return "none";
}

static void write_frames(FILE *out, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nframes; i++) {
		const struct profile_frame *frame = &profile->frames[i];

		fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
		page_string(out, frame->name, frame->length);
		if (frame->object_length) {
			fputs(",\"file\":", out);
			page_string(out, frame->object, frame->object_length);
		}
		fputc('}', out);
	}
}

/* Stacks as arrays of numbers; the weights are collected beside them. */
static void write_stacks(FILE *out, const struct profile *profile,
			 struct text *weights)
{
	struct profile_walk walk = { .profile = profile };
	uint32_t *stack = must_alloc(checked_mul((size_t)profile->depth + 1,
						 sizeof(*stack)));
	struct text text = { 0 };

	while (profile_next(&walk)) {
		const struct profile_node *node = &profile->nodes[walk.node];

		stack[walk.depth - 1] = node->frame;
		if (!node->self)
			continue;
		text_puts(&text, weights->n ? ",\n[" : "[");
		for (uint32_t i = 0; i < walk.depth; i++) {
			if (i)
				text_putc(&text, ',');
			text_put_number(&text, stack[i]);
		}
		text_putc(&text, ']');
		fwrite(text.p, 1, text.n, out);
		text_clear(&text);
		if (weights->n)
			text_putc(weights, ',');
		text_put_number(weights, (uint64_t)node->self);
	}
	text_free(&text);
	free(stack);
}

bool write_speedscope(FILE *out, const struct profile *profile,
		      const struct picture_options *options)
{
	const char *title = picture_title(profile, options);
	int64_t sum = profile->nodes[0].total - profile->nodes[0].self;
	struct text weights = { 0 };

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
	      "\"exporter\":\"stackvis\",\"name\":",
	      out);
	page_string(out, title, strlen(title));
	fputs(",\n\"shared\":{\"frames\":[", out);
	write_frames(out, profile);
	fputs("]},\n\"profiles\":[{\"type\":\"sampled\",\"name\":", out);
	page_string(out, title, strlen(title));
	fprintf(out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%lld",
		unit_of(profile), (long long)sum);
	fputs(",\n\"samples\":[", out);
	write_stacks(out, profile, &weights);
	fprintf(out, "],\n\"weights\":[%s]}]}\n", text_str(&weights));
	text_free(&weights);
	return !ferror(out);
}
