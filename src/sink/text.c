/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text sink: what dtrace(8) prints.  One firing of one clause becomes one
 * line.
 *
 * The line has a head (CPU, probe id, name; or the flow drawing of -F), then
 * whatever the clause's actions print, then a newline.  -q removes head and
 * newline; -F keeps its head even with -q, as people are used to.  A clause
 * whose record only asks the consumer to do something (clear, setopt) has no
 * line of its own if the compiler says so (clause->records).
 *
 * A long clause may leave several records (ir/lower_pieces.c); they are one
 * line.  It is not known whether another one follows, so the line stays open
 * until anything else is printed.
 *
 * Text is collected and written in large pieces; what must be seen before the
 * run continues is flushed by the consumer.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "sink/output.h"
#include "sink/render.h"
#include "sink/screen.h"
#include "sink/sink.h"

enum { ENOUGH = 64 * 1024, FLOW_STEP = 2 };

struct text_sink {
	struct sink sink;
	struct output *output;
	struct renderer renderer;
	struct text text; /* to be written */
	struct text scratch;
	bool is_header_printed;
	bool is_testing; /* _DTRACE_TESTING: no CPU and ID columns */
	int flow_depth;	 /* -F: one for all CPUs */
	/* a line that a later piece of this clause may continue, or NULL */
	const struct schema_clause *open_line;
	uint32_t open_cpu;
	uint64_t open_stamp;
	struct screen screen; /* -x screen */
	bool is_screen_over;  /* what is told at the end stays */
};

static struct text_sink *self(struct sink *sink)
{
	return (struct text_sink *)sink;
}

static struct sink *text_open(const struct sink_setup *setup)
{
	struct text_sink *text = must_alloc(sizeof(*text));

	text->sink.class = &sink_text;
	text->output = setup->output;
	text->renderer = (struct renderer){
		.options = setup->options,
		.resolver = setup->resolver,
		.target = setup->target,
	};
	text->is_testing = getenv("_DTRACE_TESTING") != NULL;
	return &text->sink;
}

static void text_close(struct sink *sink)
{
	text_free(&self(sink)->text);
	text_free(&self(sink)->scratch);
	screen_free(&self(sink)->screen);
	free(sink);
}

/* Where there is no screen, one page follows the other. */
static void write_pages(struct text_sink *text)
{
	const char *p = text_str(&text->text), *end = p + text->text.n;

	while (p < end) {
		const char *feed = memchr(p, '\f', (size_t)(end - p));
		const char *stop = feed ? feed : end;

		output_write(text->output, p, (size_t)(stop - p));
		p = stop + (feed != NULL);
	}
}

static void write_out(struct text_sink *text)
{
	if (!option_on(text->renderer.options, OPTION_SCREEN))
		output_write(text->output, text_str(&text->text), text->text.n);
	else if (text->output->is_device && !text->is_screen_over)
		screen_write(&text->screen, text_str(&text->text),
			     text->text.n);
	else
		write_pages(text);
	text_clear(&text->text);
}

static void paint(struct text_sink *text)
{
	unsigned rows, columns;

	if (!text->screen.page.n || !text->output->is_device ||
	    text->is_screen_over)
		return;
	output_size(text->output, &rows, &columns);
	screen_paint(&text->screen, rows, columns, &text->text);
	output_write(text->output, text_str(&text->text), text->text.n);
	text_clear(&text->text);
}

/* Options and the output may have changed since the last fact. */
static struct text *begin(struct text_sink *text)
{
	text->renderer.is_quiet = option_on(text->renderer.options,
					    OPTION_QUIET);
	text->renderer.is_visible = text->output->is_device;
	return &text->text;
}

/* ---------------------------------------------------------------- lines */

static bool is_flow(const struct text_sink *text)
{
	return option_on(text->renderer.options, OPTION_FLOWINDENT);
}

static void put_header(struct text_sink *text)
{
	struct text *out = &text->text;

	if (text->is_header_printed)
		return;
	text->is_header_printed = true;
	if (is_flow(text) && text->is_testing)
		text_printf(out, "%-41s\n", "FUNCTION");
	else if (is_flow(text))
		text_printf(out, "%3s %-41s\n", "CPU", "FUNCTION");
	else if (text->renderer.is_quiet)
		return;
	else if (text->is_testing)
		text_printf(out, "%32s\n", "FUNCTION:NAME");
	else
		text_printf(out, "%3s %6s %32s\n", "CPU", "ID",
			    "FUNCTION:NAME");
}

/* -F: entries and returns drawn as a tree. */
static void put_flow(struct text_sink *text, const struct fact_record *record,
		     struct text *out)
{
	static const char *const prefixes[][2] = {
		[CALL_NONE] = { "| ", "| " },
		[CALL_ENTRY] = { " -> ", " => " },
		[CALL_RETURN] = { " <- ", " <= " },
	};
	const struct fact_probe *probe = record->probe;

	if (record->flow == CALL_RETURN && text->flow_depth >= FLOW_STEP)
		text->flow_depth -= FLOW_STEP;
	text_printf(out, "%*s%s", text->flow_depth, "",
		    prefixes[record->flow][probe->enters_kernel]);
	render_name(&text->renderer, probe->function, out);
	if (record->flow == CALL_NONE) {
		text_putc(out, ':');
		render_name(&text->renderer, probe->name, out);
	}
	if (record->flow == CALL_ENTRY)
		text->flow_depth += FLOW_STEP;
}

/* A number in a column of that width, and a blank. */
static void put_column(struct text *out, uint32_t number, size_t width)
{
	char digits[16], *end = digits + sizeof(digits);
	char *start = text_digits(end, number, 10, NULL);
	size_t count = (size_t)(end - start);

	if (count < width)
		text_fill(out, ' ', width - count);
	text_add(out, start, count);
	text_putc(out, ' ');
}

static void put_head(struct text_sink *text, const struct fact_record *record)
{
	const struct fact_probe *probe = record->probe;
	struct text *out = &text->text, *name = &text->scratch;
	bool flow = is_flow(text);

	if (!flow && text->renderer.is_quiet)
		return;
	text_clear(name);
	if (flow) {
		put_flow(text, record, name);
	} else {
		render_name(&text->renderer, probe->function, name);
		text_putc(name, ':');
		render_name(&text->renderer, probe->name, name);
	}
	if (!text->is_testing)
		put_column(out, record->cpu, 3);
	if (flow) {
		text_printf(out, "%-41s ", text_str(name));
		return;
	}
	if (!text->is_testing)
		put_column(out, probe->id, 6);
	if (name->n < 32)
		text_fill(out, ' ', 32 - name->n);
	text_add(out, text_str(name), name->n);
	text_putc(out, ' ');
}

static void close_line(struct text_sink *text)
{
	if (text->open_line && !text->renderer.is_quiet)
		text_putc(&text->text, '\n');
	text->open_line = NULL;
}

/* Does this record continue the open line? */
static bool continues_line(const struct text_sink *text,
			   const struct fact_record *record)
{
	const struct schema_clause *open = text->open_line;

	return open && text->open_cpu == record->cpu &&
	       clause_continues(record->clause, record->stamp, open,
				text->open_stamp);
}

static bool has_line(const struct schema_clause *clause)
{
	return clause->records || clause->is_empty_clause;
}

/* ---------------------------------------------------------------- facts */

static bool text_record(struct sink *sink, const struct fact_record *record)
{
	struct text_sink *text = self(sink);

	begin(text);
	if (!has_line(record->clause) || continues_line(text, record))
		return true;
	close_line(text);
	put_header(text);
	put_head(text, record);
	return true;
}

static bool text_action(struct sink *sink, const struct fact_record *record,
			const struct fact_action *action)
{
	struct text_sink *text = self(sink);

	(void)record;
	/* freopen() before it in the clause */
	text->renderer.is_visible = text->output->is_device;
	render_action(&text->renderer, action, &text->text);
	return true;
}

static bool text_done(struct sink *sink, const struct fact_record *record)
{
	struct text_sink *text = self(sink);

	if (has_line(record->clause)) {
		text->open_line = record->clause;
		text->open_cpu = record->cpu;
		text->open_stamp = record->stamp;
		if (!record->clause->is_cut)
			close_line(text);
	}
	if (text->text.n >= ENOUGH)
		write_out(text);
	return true;
}

static bool text_table(struct sink *sink, const struct fact_table *table)
{
	struct text_sink *text = self(sink);

	render_table(&text->renderer, table, NULL, begin(text));
	write_out(text);
	return true;
}

/* A newline after the ^C that the terminal shows. */
static void text_newline(struct sink *sink)
{
	struct text_sink *text = self(sink);

	begin(text);
	close_line(text);
	write_out(text);
	paint(text);
	text->is_screen_over = true;
	text_putc(&text->text, '\n');
}

static uint32_t text_top(struct sink *sink, uint32_t ntables)
{
	enum { FEW = 3 };
	struct text_sink *text = self(sink);
	unsigned lines, columns;

	output_size(text->output, &lines, &columns);
	if (!text->output->is_device || !ntables)
		return 0;
	text_puts(&text->text, "\033[H\033[J");
	return lines / ntables > FEW ? lines / ntables - 1 : FEW - 1;
}

static int text_flush(struct sink *sink)
{
	struct text_sink *text = self(sink);

	close_line(text);
	write_out(text);
	paint(text);
	return output_flush(text->output);
}

const struct sink_class sink_text = {
	.name = "text",
	.open = text_open,
	.close = text_close,
	.record = text_record,
	.action = text_action,
	.done = text_done,
	.table = text_table,
	.interrupted = text_newline,
	.summary = text_newline,
	.top = text_top,
	.flush = text_flush,
};
