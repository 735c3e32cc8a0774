/* SPDX-License-Identifier: Apache-2.0 */
/* Who started whom: a graph for dot(1), or rows of boxes as SVG. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/visible.h"
#include "view/process.h"

enum { INDENT = 24, BOX = 14 };

/* "123 sh > ls", and what else is known, each after a separator. */
static void put_label(struct text *out, const struct life *life,
		      const char *separator)
{
	struct text more = { 0 };

	text_printf(out, "%lld ", (long long)life->pid);
	life_put_names(out, life);
	life_put_status(&more, life);
	if (more.n)
		text_printf(out, "%s%s", separator, text_str(&more));
	text_clear(&more);
	life_put_time(&more, life);
	if (more.n)
		text_printf(out, "%s%s", separator, text_str(&more));
	text_free(&more);
}

/* ------------------------------------------------------------------- DOT */

static void put_quoted(FILE *out, const char *bytes, size_t count)
{
	struct text shown = { 0 };

	text_add_visible(&shown, bytes, count, VISIBLE_LINES);
	putc('"', out);
	for (const char *at = text_str(&shown); *at; at++) {
		if (*at == '\n') {
			fputs("\\n", out);
			continue;
		}
		if (*at == '"' || *at == '\\')
			putc('\\', out);
		putc(*at, out);
	}
	putc('"', out);
	text_free(&shown);
}

bool write_tree_dot(FILE *out, const struct lives *lives)
{
	struct lives_walk walk = { .lives = lives, .life = NO_LIFE };
	struct text label = { 0 };

	fputs("digraph processes {\n"
	      "\trankdir=LR;\n"
	      "\tnode [shape=box, fontname=monospace];\n",
	      out);
	while (lives_next(&walk)) {
		const struct life *life = &lives->lives[walk.life];

		text_clear(&label);
		put_label(&label, life, "\n");
		fprintf(out, "\tp%u [label=", walk.life);
		put_quoted(out, text_str(&label), label.n);
		fprintf(out, "%s];\n",
			life->end && life->status ? ", color=red" : "");
		if (life->parent != NO_LIFE)
			fprintf(out, "\tp%u -> p%u;\n", life->parent,
				walk.life);
	}
	fputs("}\n", out);
	text_free(&label);
	return !ferror(out);
}

/* ------------------------------------------------------------------- SVG */

static const double letter = 7.25; /* the width of one */

/* How large it becomes: the longest label decides. */
static double width_of(const struct lives *lives)
{
	struct lives_walk walk = { .lives = lives, .life = NO_LIFE };
	struct text label = { 0 };
	double most = 400;

	while (lives_next(&walk)) {
		text_clear(&label);
		put_label(&label, &lives->lives[walk.life], ", ");
		double width = walk.depth * INDENT +
			       letter * (double)(label.n + 2);

		most = width > most ? width : most;
	}
	text_free(&label);
	return most + 2 * SVG_PAD;
}

/* Lines to the parent, from its row down to this one. */
static void draw_edge(FILE *out, double x, double y, double from)
{
	fprintf(out,
		"<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#999\"/>\n",
		x - INDENT / 2.0, from, y, x);
}

bool write_tree_svg(FILE *out, const struct lives *lives, const char *title)
{
	struct lives_walk walk = { .lives = lives, .life = NO_LIFE };
	struct text label = { 0 };
	double y = SVG_HEAD;
	/* the rows of those between the root and this one */
	double *rows = must_alloc(checked_mul((size_t)lives->count + 1,
					      sizeof(*rows)));

	svg_begin(out, width_of(lives),
		  SVG_HEAD + SVG_ROW * (double)lives->count + SVG_PAD, title);
	while (lives_next(&walk)) {
		const struct life *life = &lives->lives[walk.life];
		double x = SVG_PAD + walk.depth * INDENT;

		text_clear(&label);
		put_label(&label, life, ", ");
		rows[walk.depth] = y + BOX;
		if (walk.depth)
			draw_edge(out, x, y + BOX / 2.0, rows[walk.depth - 1]);
		fprintf(out,
			"<g class=\"box\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>\n",
			x, y, letter * (double)(label.n + 1), BOX,
			life->end && life->status ? "#f6c1b4" : "#d9e8f5");
		svg_hover(out, text_str(&label), label.n);
		svg_text(out, x + letter / 2, y + SVG_FONT - 1, "",
			 text_str(&label), label.n);
		fputs("</g>\n", out);
		y += SVG_ROW;
	}
	svg_end(out);
	free(rows);
	text_free(&label);
	return !ferror(out);
}
