/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lives of processes over time: a bar each, children below their parents.
 *
 * A bar is as long as the life.  One that began before the run, or did not end
 * in it, has a paler end there.  Marks in the bar are programs that the process
 * began to execute.
 */
#include "view/process.h"

enum { LEFT = 260, PLOT = 1000, BAR = 12, MOST_ROWS = 5000, NAME = 34 };

struct timeline {
	FILE *out;
	const struct lives *lives;
	uint64_t from, span;
	struct text text;
};

static double place_of(const struct timeline *line, uint64_t time)
{
	uint64_t since = time > line->from ? time - line->from : 0;

	if (since > line->span)
		since = line->span;
	return LEFT + PLOT * (double)since / (double)line->span;
}

static void put_hover(struct timeline *line, const struct life *life)
{
	struct text *text = &line->text;

	text_clear(text);
	text_printf(text, "%lld ", (long long)life->pid);
	life_put_names(text, life);
	text_puts(text, life->begin ? ", began at " : ", began before");
	if (life->begin)
		put_duration(text, life->begin - line->from);
	text_puts(text, life->end ? ", ended at " : ", did not end");
	if (life->end)
		put_duration(text, life->end - line->from);
	if (life->end && life->status) {
		text_puts(text, ", ");
		life_put_status(text, life);
	}
	if (life->begin && life->end) {
		text_puts(text, ", lived ");
		life_put_time(text, life);
	}
	svg_hover(line->out, text_str(text), text->n);
}

static void draw_execs(struct timeline *line, const struct life *life, double y)
{
	for (const struct life_exec *exec = life->execs; exec;
	     exec = exec->next) {
		double x = place_of(line, exec->time);

		fprintf(line->out,
			"<rect class=\"exec\" x=\"%.2f\" y=\"%.1f\" width=\"2\" height=\"%d\" fill=\"#124\">",
			x, y, BAR);
		text_clear(&line->text);
		text_printf(&line->text, "%s at ", exec->name);
		put_duration(&line->text, exec->time - line->from);
		svg_hover(line->out, text_str(&line->text), line->text.n);
		fputs("</rect>\n", line->out);
	}
}

static void draw_life(struct timeline *line, const struct life *life,
		      uint32_t depth, double y)
{
	double begin = life->begin ? place_of(line, life->begin) : LEFT;
	double end = life->end ? place_of(line, life->end) : LEFT + PLOT;
	bool is_whole = life->begin && life->end;

	text_clear(&line->text);
	text_fill(&line->text, ' ', depth < 10 ? depth : 10);
	text_printf(&line->text, "%lld %s", (long long)life->pid,
		    life->last_exec ? life->last_exec->name : life->name);
	svg_text(line->out, SVG_PAD, y + BAR - 2, " xml:space=\"preserve\"",
		 text_str(&line->text),
		 line->text.n < NAME ? line->text.n : NAME);
	fprintf(line->out,
		"<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s>",
		begin, y, end - begin > 0.5 ? end - begin : 0.5, BAR,
		life->end && life->status ? "#d6604d" : "#6baed6",
		is_whole ? "" : " fill-opacity=\"0.55\"");
	put_hover(line, life);
	fputs("</rect>\n", line->out);
	draw_execs(line, life, y);
	text_clear(&line->text);
	life_put_status(&line->text, life);
	if (line->text.n)
		svg_text(line->out, end + 5, y + BAR - 2, " class=\"failed\"",
			 text_str(&line->text), line->text.n);
}

bool write_lives_svg(FILE *out, const struct lives *lives, const char *title)
{
	struct timeline line = {
		.out = out,
		.lives = lives,
		.from = lives->from,
		.span = lives->to > lives->from ? lives->to - lives->from : 1,
	};
	struct lives_walk walk = { .lives = lives, .life = NO_LIFE };
	uint32_t rows = lives->count < MOST_ROWS ? lives->count : MOST_ROWS;
	double bottom = SVG_HEAD + SVG_ROW * (double)rows, y = SVG_HEAD;

	svg_begin(out, LEFT + PLOT + 9 * SVG_PAD,
		  bottom + 2 * SVG_ROW + SVG_PAD, title);
	svg_axis(out, LEFT, PLOT, SVG_HEAD, bottom, line.span);
	for (uint32_t i = 0; i < rows && lives_next(&walk); i++) {
		draw_life(&line, &lives->lives[walk.life], walk.depth, y);
		y += SVG_ROW;
	}
	if (rows < lives->count) {
		text_clear(&line.text);
		text_printf(&line.text, "%u more are not shown",
			    lives->count - rows);
		svg_text(out, SVG_PAD, bottom + 2 * SVG_ROW, "",
			 text_str(&line.text), line.text.n);
	}
	svg_end(out);
	text_free(&line.text);
	return !ferror(out);
}
