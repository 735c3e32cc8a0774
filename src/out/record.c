/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records: one firing of one clause becomes one line of output.
 *
 * The line has a head (CPU, probe id, name; or the flow drawing of -F), then
 * whatever the clause's actions print, then a newline.  -q removes head and
 * newline; -F keeps its head even with -q, as people are used to.  A clause
 * whose record only asks the consumer to do something (clear, setopt) has no
 * line of its own if the compiler says so (layout->records).
 *
 * A long clause may leave several records (ir/lower_pieces.c); they are one
 * line.  Whether another one comes is not known, so the line stays open until
 * anything else is printed.
 *
 * Actions write to printer->file themselves, because some of them replace
 * it (freopen); nothing here keeps output back.
 */
#include <errno.h>

#include "out/out.h"
#include "out/structured.h"

static void print_header(struct printer *printer, bool is_flow)
{
	if (printer->header_printed)
		return;
	printer->header_printed = true;
	if (is_flow && printer->testing)
		fprintf(printer->file, "%-41s\n", "FUNCTION");
	else if (is_flow)
		fprintf(printer->file, "%3s %-41s\n", "CPU", "FUNCTION");
	else if (printer->quiet)
		return;
	else if (printer->testing)
		fprintf(printer->file, "%32s\n", "FUNCTION:NAME");
	else
		fprintf(printer->file, "%3s %6s %32s\n", "CPU", "ID",
			"FUNCTION:NAME");
}

static void print_head(struct printer *printer, bool is_flow)
{
	const struct lower_probe *probe = printer->probe;
	struct text *text = &printer->scratch;

	if (!is_flow && printer->quiet)
		return;
	text_clear(text);
	if (is_flow) {
		flow_print(printer, text);
	} else {
		print_name(printer, probe->function, text);
		text_putc(text, ':');
		print_name(printer, probe->name, text);
	}

	if (!printer->testing)
		fprintf(printer->file, "%3u ", printer->cpu);
	if (is_flow) {
		fprintf(printer->file, "%-41s ", text_str(text));
		return;
	}
	if (!printer->testing)
		fprintf(printer->file, "%6u ", probe->id);
	fprintf(printer->file, "%32s ", text_str(text));
}

/* Is it to be printed? */
static bool choose(struct printer *printer, enum printer_choice choice)
{
	if (choice == PRINT_NO_MORE)
		printer->is_aborted = true;
	return choice == PRINT_IT;
}

static bool is_wanted(struct printer *printer)
{
	const struct printer_hooks *hooks = printer->hooks;

	return !hooks || !hooks->record ||
	       choose(printer, hooks->record(hooks->context, printer));
}

static bool is_action_wanted(struct printer *printer,
			     const struct record_action *action)
{
	const struct printer_hooks *hooks = printer->hooks;

	return printer->is_aborted ? false : !hooks || !hooks->action ||
	       choose(printer, hooks->action(hooks->context, printer, action));
}

static bool print_actions(struct printer *printer, bool is_shown)
{
	const uint8_t *record = (const uint8_t *)printer->record;

	for (const struct record_action *action = printer->layout->actions;
	     action; action = action->next) {
		const struct function *function = action->function;

		if (!function || !function->print ||
		    (action->guard && !record[action->guard]))
			continue;
		bool prints = is_shown && is_action_wanted(printer, action);

		if (!prints && !(function->flags & FUNCTION_CONTROLS))
			continue;
		if (!function->print(printer, action, record))
			return false;
	}
	return true;
}

static void close_line(struct printer *printer)
{
	if (printer->open_line && !printer->quiet)
		putc('\n', printer->file);
	printer->open_line = NULL;
}

/* Does the record at hand go on with the open line? */
static bool continues_line(const struct printer *printer)
{
	const struct record_layout *open = printer->open_line;

	return open && printer->open_cpu == printer->cpu &&
	       open->clause == printer->layout->clause &&
	       open->skipped < printer->layout->skipped;
}

static void begin_line(struct printer *printer, bool is_flow)
{
	if (continues_line(printer))
		return;
	close_line(printer);
	print_header(printer, is_flow);
	print_head(printer, is_flow);
}

static void end_line(struct printer *printer)
{
	printer->open_line = printer->layout;
	printer->open_cpu = printer->cpu;
	if (!printer->layout->is_cut)
		close_line(printer);
}

bool printer_record(struct printer *printer)
{
	const struct record_layout *layout = printer->layout;
	bool has_line = layout->records || layout->is_empty_clause;
	bool is_flow = option_on(printer->options, OPTION_FLOWINDENT);
	bool is_shown = is_wanted(printer);

	if (printer->structured && is_shown)
		return structured_record(printer);
	printer->quiet = option_on(printer->options, OPTION_QUIET);
	if (has_line && is_shown)
		begin_line(printer, is_flow);
	if (!print_actions(printer, is_shown))
		return false;
	if (has_line && is_shown)
		end_line(printer);
	if (printer->hooks && printer->hooks->done)
		choose(printer, printer->hooks->done(printer->hooks->context,
						     printer));
	return true;
}

int printer_flush(struct printer *printer)
{
	close_line(printer);
	errno = 0;
	if (!fflush(printer->file) && !ferror(printer->file))
		return 0;
	return errno ? -errno : -EIO;
}
