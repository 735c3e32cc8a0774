/* SPDX-License-Identifier: Apache-2.0 */
/* What fits nowhere else: ending the run, options, devices, chance. */
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "ir/lower.h"
#include "out/out.h"

/* ------------------------------------------------------------------ exit */

static bool lower_exit(struct lower *lower, const struct node *call,
		       struct value *result)
{
	struct record_action *action = layout_action(lower, call, 1);
	struct value status = { 0 };
	const struct node *arg = call_argument(call, 0);

	(void)result;
	if (!lower_expression(lower, arg, &status) ||
	    !layout_store_value(lower, action, 0, &status, arg))
		return false;
	ir_emit(&lower->b, IR_EXIT)->a = status.reg;
	return true;
}

static bool print_exit(struct printer *printer,
		       const struct record_action *action,
		       const uint8_t *record)
{
	struct print_value status = printer_field(printer, action, 0, record);

	printer->exit_requested = true;
	printer->exit_status =
		(int)print_value_integer(printer->types, &status);
	return true;
}

ACTION(exit, "void (int)", .flags = FUNCTION_RECORDS | FUNCTION_EXIT |
				     FUNCTION_CONTROLS,
       .lower = lower_exit, .print = print_exit);

/* ---------------------------------------------------------------- setopt */

/* A constant as value is its text: setopt("aggsortkey", true). */
static void spell_value(struct checker *checker, struct node *value)
{
	struct language *language = checker->language;
	const char *spelling = value->integer.spelling;
	const char *text = spelling && (!strcmp(spelling, "true") ||
					!strcmp(spelling, "false")) ?
		spelling : arena_printf(language->arena, "%lld",
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
	struct record_action *action = layout_action(lower, call,
						     call_count(call));
	uint32_t n = 0;

	(void)result;
	for (const struct node *arg = call->call.args; arg; arg = arg->next)
		if (!layout_store_string(lower, action, n++, arg))
			return false;
	return true;
}

static bool print_setopt(struct printer *printer,
			 const struct record_action *action,
			 const uint8_t *record)
{
	char *texts[2] = { NULL, NULL };

	for (uint32_t i = 0; i < action->nfields && i < 2; i++) {
		struct print_value field = printer_field(printer, action, i,
							 record);

		texts[i] = strndup((const char *)field.bytes, field.size);
		if (!texts[i])
			goto out;
	}
	enum option_error error = option_set(printer->options, texts[0],
					     texts[1], ORIGIN_SETOPT);

	if (error) {
		struct text *message = &printer->scratch;

		text_clear(message);
		if (printer->probe && printer->layout)
			text_printf(message,
				    "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): ",
				    printer->layout->clause, printer->probe->id,
				    printer->probe->provider,
				    printer->probe->module,
				    printer->probe->function,
				    printer->probe->name);
		text_printf(message, "couldn't set option \"%s\" to \"%s\": %s",
			    texts[0], texts[1] ? texts[1] : "1",
			    option_strerror(error));
		if (error == OPTION_BAD_VALUE)
			option_explain(texts[0], message);
		printer->warn(printer->context, text_str(message));
	}
out:
	free(texts[0]);
	free(texts[1]);
	return true;
}

ACTION(setopt, "void (const char *, [@])",
       .flags = FUNCTION_RECORDS | FUNCTION_CONTROLS, .check = check_setopt,
       .lower = lower_setopt,
       .print = print_setopt);

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
	*result = value_of_reg(call->type,
			       ir_binary_imm(&lower->b, IR_LSR, device,
					     MINOR_BITS));
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
