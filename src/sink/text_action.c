/* SPDX-License-Identifier: Apache-2.0 */
/* What an action prints, by its rule. */
#include "sink/render.h"

/* A dynamic size can only show less: negative or too large means all. */
static void render_memory(const struct fact_action *action, struct text *out)
{
	const struct fact_value *value = &action->values[0];
	uint32_t size = value->size;

	if (action->action->nfields > 1) {
		int64_t wanted = fact_integer(&action->values[1]);

		if (wanted >= 0 && wanted < size)
			size = (uint32_t)wanted;
	}
	if (size)
		render_hexdump(value->bytes, size, out);
}

/* Names of types and members come from the traced program, too. */
static void render_object(const struct renderer *renderer,
			  const struct fact_action *action, struct text *out)
{
	const struct fact_value *value = &action->values[0];
	struct text text = { 0 };

	if (action->action->nfields > 1) {
		const struct fact_value *object = &action->values[1];
		uint64_t limit = option_print_limit(renderer->options);
		/* setopt() may have lowered it */
		uint64_t size = object->size > limit ? limit : object->size;

		text_printf(&text, "0x%llx = *\n",
			    (unsigned long long)fact_integer(value));
		render_pointed(object->field->object, object->bytes, size,
			       &text);
	} else {
		render_typed(value->field->object, value->bytes, value->size,
			     &text);
	}
	render_data(renderer, text_str(&text), text.n, VISIBLE_LINES, out);
	text_free(&text);
}

void render_action(const struct renderer *renderer,
		   const struct fact_action *action, struct text *out)
{
	const struct schema_action *schema = action->action;

	switch (schema->rule) {
	case RULE_VALUE:
		render_default(renderer, &action->values[0], out);
		return;
	case RULE_KEY:
		render_key(renderer, &action->values[0], out);
		return;
	case RULE_MEMORY:
		render_memory(action, out);
		return;
	case RULE_FORMAT:
		render_format(renderer, schema->format, action->values,
			      schema->nfields, NULL, NULL, out);
		return;
	case RULE_TABLE:
		if (!schema->format)
			text_putc(out, '\n');
		render_table(renderer, action->table, schema->format, out);
		return;
	case RULE_OBJECT:
		render_object(renderer, action, out);
		return;
	default:
		return;
	}
}
