/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph as SVG: each frame is a box as wide as its share, on the box of
 * its caller.
 *
 * Everything is in the picture without a script: names that fit are in their
 * boxes, and the <title> of a box, which viewers show on hover, has all of it.
 * A script in the file (page/flame_svg.ts) adds zoom and search; it takes what
 * it knows from the elements, and names only as text.
 *
 * A difference of two runs has the widths of the second; paths that are gone
 * have the width that they had.  Red is more, blue is less.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/visible.h"
#include "view/hash.h"
#include "view/page.h"
#include "view/write.h"

enum {
	PAD = 10,
	ROW = 16,
	FONT = 12,
	TOP = 44,    /* for the title and the subtitle */
	BOTTOM = 30, /* for what the script says about a box */
	NOTE = 16,   /* for each note */
	TEXT_PAD = 3,
	DEFAULT_WIDTH = 1200,
};

static const double char_width = 7.25; /* of the monospaced font */
static const double default_least = 0.1;

struct drawing {
	FILE *out;
	const struct profile *profile;
	const struct picture_options *options;
	const int64_t *widths; /* by node */
	double scale;	       /* pixels for 1 */
	double least;
	unsigned width, height;
	uint32_t depth;	 /* rows, with that of the root */
	int64_t *starts; /* where the next box of a row begins */
	int64_t most_delta;
	struct text text, name;
};

/* ------------------------------------------------------------------ layout */

/*
 * The widths of boxes: totals, or in a difference also what is gone.  The
 * caller frees it.
 */
static int64_t *find_widths(const struct profile *profile)
{
	const struct profile_node *nodes = profile->nodes;
	int64_t *widths = must_alloc(checked_mul(profile->nnodes,
						 sizeof(*widths)));

	for (uint32_t i = 0; i < profile->nnodes; i++)
		widths[i] = nodes[i].total || !profile->before
				    ? nodes[i].self
				    : profile->before[i].self;
	for (uint32_t i = profile->nnodes - 1; i > 0; i--)
		widths[nodes[i].parent] += widths[i];
	return widths;
}

/* The next node whose box is wide enough. */
static bool next_box(const struct drawing *drawing, struct profile_walk *walk)
{
	bool more = profile_next(walk);

	while (more && (double)drawing->widths[walk->node] * drawing->scale <
			       drawing->least)
		more = profile_skip(walk);
	return more;
}

static int64_t delta_of(const struct drawing *drawing, uint32_t node)
{
	const struct profile *profile = drawing->profile;

	return drawing->options->is_by_total
		       ? profile->nodes[node].total -
				 profile->before[node].total
		       : profile->nodes[node].self - profile->before[node].self;
}

/* What must be known before the first box is drawn. */
static void measure(struct drawing *drawing)
{
	struct profile_walk walk = { .profile = drawing->profile };

	drawing->depth = 1;
	while (next_box(drawing, &walk)) {
		if (walk.depth >= drawing->depth)
			drawing->depth = walk.depth + 1;
		if (drawing->profile->before) {
			int64_t delta = llabs(delta_of(drawing, walk.node));

			if (delta > drawing->most_delta)
				drawing->most_delta = delta;
		}
	}
	drawing->height = TOP + drawing->depth * ROW + BOTTOM +
			  drawing->profile->nnotes * NOTE;
}

/* ------------------------------------------------------------------- parts */

/* With two decimals at most. */
static void put_pixels(struct text *text, double pixels)
{
	uint64_t hundredths = (uint64_t)(pixels * 100 + 0.5);

	text_put_number(text, hundredths / 100);
	if (hundredths % 100 == 0)
		return;
	text_putc(text, '.');
	text_putc(text, (char)('0' + hundredths / 10 % 10));
	if (hundredths % 10)
		text_putc(text, (char)('0' + hundredths % 10));
}

/* 1,234,567 */
static void put_count(struct text *text, int64_t count)
{
	char digits[32];
	int n = snprintf(digits, sizeof(digits), "%" PRId64, count);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0 && digits[i - 1] != '-')
			text_putc(text, ',');
		text_putc(text, digits[i]);
	}
}

/*
 * The warm colours of old, as far as black is readable on them; the same name
 * has the same everywhere.
 */
static void put_warm(struct text *text, const struct profile_frame *frame)
{
	uint64_t hash = hash_bytes(1, frame->name, frame->length);

	text_puts(text, "rgb(");
	text_put_number(text, 205 + (hash >> 8 & 0xff) * 50 / 255);
	text_putc(text, ',');
	text_put_number(text, 80 + (hash >> 16 & 0xff) * 150 / 255);
	text_putc(text, ',');
	text_put_number(text, (hash >> 24 & 0xff) * 55 / 255);
	text_putc(text, ')');
}

static void put_change(const struct drawing *drawing, struct text *text,
		       uint32_t node)
{
	int64_t delta = delta_of(drawing, node);
	unsigned pale = 250;

	if (delta)
		pale = (unsigned)(245 - 135.0 * (double)llabs(delta) /
						(double)drawing->most_delta);
	if (delta > 0)
		text_printf(text, "rgb(255,%u,%u)", pale, pale);
	else if (delta < 0)
		text_printf(text, "rgb(%u,%u,255)", pale, pale);
	else
		text_puts(text, "rgb(250,250,250)");
}

static bool is_gone(const struct profile *profile, uint32_t node)
{
	return profile->before && !profile->nodes[node].total;
}

/* The name as it is in a box: what does not fit ends in two dots. */
static void put_label(struct text *text, const struct text *name, double width)
{
	size_t fits = width > 2 * TEXT_PAD
			      ? (size_t)((width - 2 * TEXT_PAD) / char_width)
			      : 0;
	size_t bytes = 0, dots = 0, count = 0;
	uint32_t point;

	while (bytes < name->n && count < fits) {
		if (count + 2 <= fits)
			dots = bytes;
		bytes += utf8_length((const uint8_t *)name->p + bytes,
				     name->n - bytes, &point);
		count++;
	}
	if (bytes == name->n) {
		xml_add(text, name->p, bytes);
	} else if (fits >= 3) {
		xml_add(text, name->p, dots);
		text_puts(text, "..");
	}
}

/* "name (12 samples, 3.45%; 50.00% of its caller)" */
static void put_title(struct drawing *drawing, uint32_t node)
{
	const struct profile *profile = drawing->profile;
	const struct profile_node *at = &profile->nodes[node];
	struct text *text = &drawing->text;
	int64_t whole = profile->nodes[0].total;

	text_puts(text, " (");
	put_count(text, at->total);
	text_putc(text, ' ');
	xml_add(text, profile_unit(profile), strlen(profile_unit(profile)));
	text_printf(text, ", %.2f%%", percent_of(at->total, whole));
	if (profile->before) {
		const struct profile_weight *before = &profile->before[node];

		text_puts(text, "; before ");
		put_count(text, before->total);
		text_printf(text, ", %.2f%%",
			    percent_of(before->total,
				       profile->before[0].total));
		text_puts(text, "; self ");
		put_count(text, at->self);
		text_puts(text, ", before ");
		put_count(text, before->self);
	} else if (node && at->parent) {
		text_printf(text, "; %.2f%% of its caller",
			    percent_of(at->total,
				       profile->nodes[at->parent].total));
	}
	text_puts(text, is_gone(profile, node) ? "; gone)" : ")");
}

/* ------------------------------------------------------------------- boxes */

static void put_box(struct drawing *drawing, uint32_t node, uint32_t depth,
		    int64_t start)
{
	const struct profile *profile = drawing->profile;
	struct text *text = &drawing->text;
	double x = PAD + (double)start * drawing->scale;
	double width = (double)drawing->widths[node] * drawing->scale;
	uint32_t row = drawing->options->is_icicle ? depth
						   : drawing->depth - 1 - depth;
	unsigned y = TOP + row * ROW;

	text_clear(text);
	text_clear(&drawing->name);
	if (node)
		frame_text(&drawing->name, profile_frame_of(profile, node));
	else
		text_puts(&drawing->name, "all");
	text_puts(text, is_gone(profile, node) ? "<g class=\"gone\"><title>"
					       : "<g><title>");
	xml_add(text, text_str(&drawing->name), drawing->name.n);
	put_title(drawing, node);
	text_puts(text, "</title><rect x=\"");
	put_pixels(text, x);
	text_printf(text, "\" y=\"%u\" width=\"", y);
	put_pixels(text, width);
	text_printf(text, "\" height=\"%d\" fill=\"", ROW - 1);
	if (is_gone(profile, node))
		text_puts(text, "#dfe6fb");
	else if (profile->before)
		put_change(drawing, text, node);
	else if (node)
		put_warm(text, profile_frame_of(profile, node));
	else
		text_puts(text, "#e4d8c0");
	text_puts(text, "\"/><text x=\"");
	put_pixels(text, x + TEXT_PAD);
	text_printf(text, "\" y=\"%u\">", y + FONT);
	if (node) {
		const struct profile_frame *frame = profile_frame_of(profile,
								     node);

		text_clear(&drawing->name);
		text_add_visible(&drawing->name, frame->name, frame->length,
				 VISIBLE_LINE);
	}
	if (drawing->name.n)
		put_label(text, &drawing->name, width);
	text_puts(text, "</text></g>\n");
	fwrite(text->p, 1, text->n, drawing->out);
}

static void put_boxes(struct drawing *drawing)
{
	struct profile_walk walk = { .profile = drawing->profile };
	int64_t *starts = drawing->starts;

	fputs("<g id=\"frames\">\n", drawing->out);
	put_box(drawing, 0, 0, 0);
	starts[1] = 0;
	for (bool more = profile_next(&walk); more;) {
		int64_t start = starts[walk.depth];

		starts[walk.depth] += drawing->widths[walk.node];
		if ((double)drawing->widths[walk.node] * drawing->scale <
		    drawing->least) {
			more = profile_skip(&walk);
			continue;
		}
		put_box(drawing, walk.node, walk.depth, start);
		starts[walk.depth + 1] = start;
		more = profile_next(&walk);
	}
	fputs("</g>\n", drawing->out);
}

/* ----------------------------------------------------------------- picture */

static void put_line(struct drawing *drawing, const char *class, double x,
		     unsigned y, const char *line)
{
	struct text *text = &drawing->text;

	text_clear(text);
	text_printf(text, "<text class=\"%s\" x=\"%g\" y=\"%u\">", class, x, y);
	xml_add(text, line, strlen(line));
	text_puts(text, "</text>\n");
	fwrite(text->p, 1, text->n, drawing->out);
}

static void put_head(struct drawing *drawing, const char *words)
{
	struct text *title = &drawing->text;

	text_clear(title);
	xml_add(title, words, strlen(words));
	fprintf(drawing->out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\""
		" viewBox=\"0 0 %u %u\" data-pad=\"%d\" data-char=\"%g\""
		" data-footer=\"%u\">\n"
		"<title>%s</title>\n"
		"<defs><linearGradient id=\"sky\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">"
		"<stop offset=\"5%%\" stop-color=\"#eee\"/>"
		"<stop offset=\"95%%\" stop-color=\"#eeeeb0\"/>"
		"</linearGradient></defs>\n"
		"<style>svg{color-scheme:light dark}"
		"text{font:%dpx monospace;fill:#000}"
		".title{font:17px sans-serif;text-anchor:middle}"
		".subtitle{font:12px sans-serif;text-anchor:middle;fill:#555}"
		".note{font:12px sans-serif;fill:#900}"
		".sky{fill:url(#sky)}"
		"#frames rect{rx:2px}"
		"#frames text{pointer-events:none}"
		"#frames g:hover rect{stroke:#000;stroke-width:.5}"
		"#frames g:focus{outline:none}"
		"#ring{fill:none;stroke:#001a66;stroke-width:2.5;pointer-events:none}"
		"#reset{text-decoration:underline}"
		"#search{width:100%%;box-sizing:border-box;font:12px sans-serif}"
		".gone rect{stroke:#5872c4;stroke-dasharray:3 2}"
		".gone text{font-style:italic}"
		"@media screen and (prefers-color-scheme:dark){"
		".sky{fill:#17181a}text{fill:#ececec}.subtitle{fill:#b5b5b5}"
		".note{fill:#ff9d9d}#frames text{fill:#000}}</style>\n"
		"<rect class=\"sky\" width=\"100%%\" height=\"100%%\"/>\n",
		drawing->width, drawing->height, drawing->width,
		drawing->height, PAD, char_width,
		TOP + drawing->depth * ROW + FONT + 8, text_str(title), FONT);
}

static void put_script(FILE *out)
{
	const struct page_bundle *bundle = page_bundle("flame_svg");

	if (bundle)
		fprintf(out, "<script><![CDATA[%s]]></script>\n",
			bundle->script);
}

bool write_flame_svg(FILE *out, const struct profile *profile,
		     const struct picture_options *options)
{
	int64_t *widths = find_widths(profile);
	struct drawing drawing = {
		.out = out,
		.profile = profile,
		.options = options,
		.widths = widths,
		.width = options->width ? options->width : DEFAULT_WIDTH,
		.least = options->least_width > 0 ? options->least_width
						  : default_least,
	};
	double middle = drawing.width / 2.0;

	if (widths[0])
		drawing.scale = (drawing.width - 2.0 * PAD) / (double)widths[0];
	drawing.starts = must_alloc(checked_mul((size_t)profile->depth + 2,
						sizeof(*drawing.starts)));
	measure(&drawing);
	const char *title = picture_title(profile, options);

	put_head(&drawing, title);
	put_line(&drawing, "title", middle, 24, title);
	if (profile->subtitle)
		put_line(&drawing, "subtitle", middle, 39, profile->subtitle);
	put_boxes(&drawing);
	for (uint32_t i = 0; i < profile->nnotes; i++)
		put_line(&drawing, "note", PAD,
			 drawing.height - NOTE * (profile->nnotes - i) + 8,
			 profile->notes[i]);
	put_script(out);
	fputs("</svg>\n", out);
	text_free(&drawing.text);
	text_free(&drawing.name);
	free(drawing.starts);
	free(widths);
	return !ferror(out);
}
