/* SPDX-License-Identifier: Apache-2.0 */
/* What fits nowhere else: ending the run, options, devices, chance. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "builtin/builtin.h"
#include "facts/consumer.h"
#include "ir/lower.h"

/* ------------------------------------------------------------------ exit */

static bool lower_exit(struct lower *lower, const struct node *call,
		       struct value *result)
{
	struct schema_action *action = layout_action(lower, call, 1);
	struct value status = { 0 };
	const struct node *arg = call_argument(call, 0);

	(void)result;
	if (!lower_expression(lower, arg, &status) ||
	    !layout_store_value(lower, action, 0, &status, arg))
		return false;
	ir_emit(&lower->b, IR_EXIT)->a = status.reg;
	return true;
}

static void do_exit(struct consumer *consumer, const struct fact_action *action)
{
	consumer->exit_requested = true;
	consumer->exit_status = (int)fact_integer(&action->values[0]);
}

ACTION(exit, "void (int)", .flags = FUNCTION_RECORDS | FUNCTION_EXIT,
       .lower = lower_exit, .rule = RULE_SILENT, .control = do_exit);

/* ---------------------------------------------------------------- setopt */

/* A constant as value is its text: setopt("aggsortkey", true). */
static void spell_value(struct checker *checker, struct node *value)
{
	struct language *language = checker->language;
	const char *spelling = value->integer.spelling;
	const char *text =
		spelling && (!strcmp(spelling, "true") ||
			     !strcmp(spelling, "false"))
			? spelling
			: arena_printf(language->arena, "%lld",
				       (long long)value->integer.value);

	value->kind = NODE_STRING;
	value->string.bytes = text;
	value->string.length = strlen(text);
	value->type = types_base(language->types, BASE_STRING);
}

static bool check_setopt(struct checker *checker, struct node *call)
{
	struct node *value = call_argument(call, 1);
	struct types *types = checker->language->types;

	if (value && node_is_integer_constant(value))
		spell_value(checker, value);
	return !value ||
	       check_assignable(checker, types_base(types, BASE_STRING),
				value) ||
	       argument_error(checker, call, 1, D_PROTO_ARG, "const char *");
}

static bool lower_setopt(struct lower *lower, const struct node *call,
			 struct value *result)
{
	struct schema_action *action = layout_action(lower, call,
						     call_count(call));
	uint32_t n = 0;

	(void)result;
	for (const struct node *arg = call->call.args; arg; arg = arg->next)
		if (!layout_store_string(lower, action, n++, arg))
			return false;
	return true;
}

static void complain(struct consumer *consumer, const char *name,
		     const char *value, enum option_error error)
{
	const struct fact_record *record = consumer->record;
	const struct fact_probe *probe = record->probe;
	struct text message = { 0 };

	text_printf(&message,
		    "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): ",
		    record->clause->clause, probe->id, probe->provider,
		    probe->module, probe->function, probe->name);
	text_printf(&message, "couldn't set option \"%s\" to \"%s\": %s", name,
		    value ? value : "1", option_strerror(error));
	if (error == OPTION_BAD_VALUE)
		option_explain(name, &message);
	consumer->warn(consumer->context, text_str(&message));
	text_free(&message);
}

static void do_setopt(struct consumer *consumer,
		      const struct fact_action *action)
{
	const struct fact_value *values = action->values;
	bool has_value = action->action->nfields > 1;
	struct text name = { 0 }, value = { 0 };

	text_add(&name, (const char *)values[0].bytes, fact_length(&values[0]));
	if (has_value)
		text_add(&value, (const char *)values[1].bytes,
			 fact_length(&values[1]));
	const char *text = has_value ? text_str(&value) : NULL;
	enum option_error error = option_set(consumer->options, text_str(&name),
					     text, ORIGIN_SETOPT);

	if (error)
		complain(consumer, text_str(&name), text, error);
	else
		sink_option(consumer->sink, text_str(&name), text);
	text_free(&name);
	text_free(&value);
}

ACTION(setopt, "void (const char *, [@])", .since = 2,
       .flags = FUNCTION_RECORDS, .check = check_setopt, .lower = lower_setopt,
       .rule = RULE_SILENT, .control = do_setopt);

/* --------------------------------------------------------------- numbers */

/* Never negative: programs write rand() % 10. */
static bool lower_rand(struct lower *lower, const struct node *call,
		       struct value *result)
{
	ir_reg random = ir_query(&lower->b, IR_QUERY_RANDOM);

	*result = value_of_reg(call->type, ir_binary_imm(&lower->b, IR_AND,
							 random, INT32_MAX));
	return true;
}

SUBROUTINE(rand, "int ()", .lower = lower_rand);

/* The kernel's own device numbers: 12 bits of major, 20 of minor. */
enum { MINOR_BITS = 20 };

static bool lower_getmajor(struct lower *lower, const struct node *call,
			   struct value *result)
{
	ir_reg device;

	if (!lower_scalar(lower, call_argument(call, 0), &device))
		return false;
	device = ir_extend(&lower->b, device, 4, false);
	*result = value_of_reg(call->type, ir_binary_imm(&lower->b, IR_LSR,
							 device, MINOR_BITS));
	return true;
}

static bool lower_getminor(struct lower *lower, const struct node *call,
			   struct value *result)
{
	ir_reg device;

	if (!lower_scalar(lower, call_argument(call, 0), &device))
		return false;
	*result = value_of_reg(call->type,
			       ir_binary_imm(&lower->b, IR_AND, device,
					     (1 << MINOR_BITS) - 1));
	return true;
}

SUBROUTINE(getmajor, "dev_t (dev_t)", .lower = lower_getmajor);
SUBROUTINE(getminor, "dev_t (dev_t)", .lower = lower_getminor);

/* ----------------------------------------------------------------- files */

SUBROUTINE(ddi_pathname, "string (void *, int64_t)");
