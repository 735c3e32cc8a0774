/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf() and the actions that use its formats for something else: system()
 * runs the text, freopen() takes it for a file name.
 *
 * The format is parsed by the check and kept in call.data; the record holds
 * the values only; the consumer puts the two together.
 */
#include <errno.h>
#include <string.h>

#include "builtin/builtin.h"
#include "builtin/format.h"
#include "builtin/shell.h"
#include "facts/consumer.h"
#include "ir/lower.h"
#include "sink/output.h"
#include "sink/render.h"

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
	struct schema_action *action = layout_action(lower, call,
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

static bool check_printf(struct checker *checker, struct node *call)
{
	return check_format_call(checker, call, 0);
}

ACTION(printf, "void (string, [...])", .flags = FUNCTION_RECORDS,
       .check = check_printf, .lower = lower_format_call, .rule = RULE_FORMAT);

/* ---------------------------------------------------------------- system */

/*
 * The formatted text.  The text passed outside this program is truncated to the
 * size of a string; it never reaches a terminal.
 */
static void expand(const struct consumer *consumer,
		   const struct fact_action *action, struct text *out)
{
	const struct renderer renderer = {
		.options = consumer->options, .resolver = consumer->resolver,
		.target = consumer->target,
	};
	int64_t limit = option_number(consumer->options, OPTION_STRSIZE);

	render_format(&renderer, action->action->format, action->values,
		      action->action->nfields, NULL, NULL, out);
	if (limit > 0 && out->n > (size_t)limit) {
		out->n = (size_t)limit;
		out->p[limit] = '\0';
	}
}

static void do_system(struct consumer *consumer,
		      const struct fact_action *action)
{
	struct text command = { 0 };

	expand(consumer, action, &command);
	sink_flush(consumer->sink);
	if (!shell_run(text_str(&command)))
		consumer->warn(consumer->context,
			       "couldn't run the command of system()");
	text_free(&command);
}

ACTION(system, "void (string, [...])",
       .flags = FUNCTION_RECORDS | FUNCTION_DESTRUCTIVE, .check = check_printf,
       .lower = lower_format_call, .rule = RULE_SILENT, .control = do_system);

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

static void do_freopen(struct consumer *consumer,
		       const struct fact_action *action)
{
	struct text name = { 0 }, message = { 0 };

	expand(consumer, action, &name);
	sink_flush(consumer->sink);
	if (!(name.n ? output_redirect(consumer->output, text_str(&name))
		     : output_restore(consumer->output))) {
		text_printf(&message, "couldn't freopen() \"%s\": %s",
			    text_str(&name), strerror(errno));
		consumer->warn(consumer->context, text_str(&message));
	}
	text_free(&name);
	text_free(&message);
}

ACTION(freopen, "void (string, [...])",
       .flags = FUNCTION_RECORDS | FUNCTION_DESTRUCTIVE, .check = check_freopen,
       .lower = lower_format_call, .rule = RULE_SILENT, .control = do_freopen);

static void do_ftruncate(struct consumer *consumer,
			 const struct fact_action *action)
{
	(void)action;
	sink_flush(consumer->sink);
	output_truncate(consumer->output);
}

ACTION(ftruncate, "void ()", .flags = FUNCTION_RECORDS,
       .lower = lower_arguments, .rule = RULE_SILENT, .control = do_ftruncate);
