/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf() and the actions that use its formats for something else: system()
 * runs the text, freopen() takes it for a file name.
 *
 * The format is parsed by the check and kept in call.data; the record holds
 * the values only; the consumer puts the two together.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "builtin/format.h"
#include "ir/lower.h"
#include "out/out.h"
#include "out/shell.h"

bool check_format_call(struct checker *checker, struct node *call,
		       unsigned rules)
{
	struct node *string = call_argument(call, 0);

	if (string->kind != NODE_STRING)
		return argument_error(checker, call, 0, D_PRINTF_ARG_FMT,
				      "string constant");
	if (!string->string.length && !(rules & FORMAT_MAY_BE_EMPTY))
		return builtin_error(checker, string, D_PRINTF_FMT_EMPTY,
				     "%s( ) format string is empty",
				     call->call.name);
	struct format *format = format_parse(checker, string);

	if (!format || !format_check(checker, call, format, string->next))
		return false;
	call->call.data = format;
	return true;
}

bool lower_format_call(struct lower *lower, const struct node *call,
		       struct value *result)
{
	struct record_action *action = layout_action(lower, call,
						     call_count(call) - 1);
	uint32_t n = 0;

	(void)result;
	action->format = call->call.data;
	for (const struct node *arg = call->call.args->next; arg;
	     arg = arg->next)
		if (!layout_store(lower, action, n++, arg))
			return false;
	return true;
}

/* The formatted text, in printer->scratch. */
static const char *expand(struct printer *printer,
			  const struct record_action *action,
			  const uint8_t *record)
{
	enum { FEW = 16 };
	struct print_value few[FEW], *values = few;

	if (action->nfields > FEW)
		values = must_alloc(action->nfields * sizeof(*values));
	for (uint32_t i = 0; i < action->nfields; i++)
		values[i] = printer_field(printer, action, i, record);
	text_clear(&printer->scratch);
	format_print(printer, action->format, values, action->nfields, NULL, 0,
		     &printer->scratch);
	if (values != few)
		free(values);
	return text_str(&printer->scratch);
}

static bool check_printf(struct checker *checker, struct node *call)
{
	return check_format_call(checker, call, 0);
}

static bool print_printf(struct printer *printer,
			 const struct record_action *action,
			 const uint8_t *record)
{
	expand(printer, action, record);
	fwrite(text_str(&printer->scratch), 1, printer->scratch.n,
	       printer->file);
	return true;
}

ACTION(printf, "void (string, [...])", .flags = FUNCTION_RECORDS,
       .check = check_printf, .lower = lower_format_call,
       .print = print_printf);

/* ---------------------------------------------------------------- system */

/* Text that leaves this program is cut to the size of a string. */
static const char *expand_short(struct printer *printer,
				const struct record_action *action,
				const uint8_t *record)
{
	int64_t limit = option_number(printer->options, OPTION_STRSIZE);
	bool is_terminal = printer->is_terminal;

	/* no terminal gets to see it */
	printer->is_terminal = false;
	expand(printer, action, record);
	printer->is_terminal = is_terminal;
	if (limit > 0 && printer->scratch.n > (size_t)limit) {
		printer->scratch.n = (size_t)limit;
		printer->scratch.p[limit] = '\0';
	}
	return text_str(&printer->scratch);
}

static bool print_system(struct printer *printer,
			 const struct record_action *action,
			 const uint8_t *record)
{
	const char *command = expand_short(printer, action, record);

	fflush(printer->file);
	if (!shell_run(command))
		printer->warn(printer->context,
			      "couldn't run the command of system()");
	return true;
}

ACTION(system, "void (string, [...])",
       .flags = FUNCTION_RECORDS | FUNCTION_DESTRUCTIVE |
		FUNCTION_CONTROLS | FUNCTION_FILE,
       .check = check_printf, .lower = lower_format_call,
       .print = print_system);

/* --------------------------------------------------------------- freopen */

static bool check_freopen(struct checker *checker, struct node *call)
{
	struct node *name = call_argument(call, 0);

	if (!check_format_call(checker, call, FORMAT_MAY_BE_EMPTY))
		return false;
	if (name->string.length != 1 || name->string.bytes[0] != '.')
		return true;
	return builtin_error(checker, name, D_FREOPEN_INVALID,
			     "%s( ) argument #1 cannot be \"%s\"",
			     call->call.name, ".");
}

/* The output's own descriptor is exchanged, so that buffers stay valid. */
static bool redirect(struct printer *printer, const char *name)
{
	int own = fileno(printer->file);
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0)
		return false;
	if (!printer->saved_fd)
		printer->saved_fd = fcntl(own, F_DUPFD_CLOEXEC, 3);
	bool ok = printer->saved_fd >= 0 && dup2(fd, own) >= 0;

	printer_set_file(printer, printer->file);
	if (printer->saved_fd < 0)
		printer->saved_fd = 0;
	close(fd);
	return ok;
}

static bool restore(struct printer *printer)
{
	if (!printer->saved_fd)
		return true;
	bool ok = dup2(printer->saved_fd, fileno(printer->file)) >= 0;

	printer_set_file(printer, printer->file);
	close(printer->saved_fd);
	printer->saved_fd = 0;
	return ok;
}

static bool print_freopen(struct printer *printer,
			  const struct record_action *action,
			  const uint8_t *record)
{
	const char *name = expand_short(printer, action, record);

	fflush(printer->file);
	if (*name ? redirect(printer, name) : restore(printer))
		return true;
	struct text message = { 0 };

	text_printf(&message, "couldn't freopen() \"%s\": %s", name,
		    strerror(errno));
	printer->warn(printer->context, text_str(&message));
	text_free(&message);
	return true;
}

ACTION(freopen, "void (string, [...])",
       .flags = FUNCTION_RECORDS | FUNCTION_DESTRUCTIVE |
		FUNCTION_CONTROLS | FUNCTION_FILE,
       .check = check_freopen, .lower = lower_format_call,
       .print = print_freopen);

static bool print_ftruncate(struct printer *printer,
			    const struct record_action *action,
			    const uint8_t *record)
{
	int fd = fileno(printer->file);

	(void)action;
	(void)record;
	fflush(printer->file);
	/* A terminal or pipe cannot be truncated, which is no error. */
	if (ftruncate(fd, 0) == 0)
		lseek(fd, 0, SEEK_SET);
	return true;
}

ACTION(ftruncate, "void ()",
       .flags = FUNCTION_RECORDS | FUNCTION_CONTROLS | FUNCTION_FILE,
       .lower = lower_arguments, .print = print_ftruncate);
