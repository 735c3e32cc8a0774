/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values: bytes of a record, and what they mean.
 *
 * 1. A field need not be in the record: the name of a probe is known from the
 *    record's probe, a literal from the program.  fact_value_of() hides that;
 *    everything else sees bytes.
 * 2. Bytes of a string end at the first NUL or at the field's size, whichever
 *    comes first; a string that fills its field has no NUL.
 */
#include "facts/fact.h"

#include <string.h>

enum { WORD = sizeof(uint64_t) };

int64_t fact_integer(const struct fact_value *value)
{
	uint64_t word = 0;

	switch (value->size) {
	case 1: {
		uint8_t byte = value->bytes[0];

		return value->is_signed ? (int8_t)byte : byte;
	}
	case 2: {
		uint16_t half;

		memcpy(&half, value->bytes, sizeof(half));
		return value->is_signed ? (int16_t)half : half;
	}
	case 4: {
		uint32_t single;

		memcpy(&single, value->bytes, sizeof(single));
		return value->is_signed ? (int32_t)single : (int64_t)single;
	}
	default:
		memcpy(&word, value->bytes,
		       value->size < sizeof(word) ? value->size : sizeof(word));
		return (int64_t)word;
	}
}

size_t fact_length(const struct fact_value *value)
{
	return strnlen((const char *)value->bytes, value->size);
}

uint64_t fact_word(const struct fact_value *value, uint32_t n)
{
	uint64_t word = 0;

	if (n < value->size / WORD)
		memcpy(&word, value->bytes + (size_t)n * WORD, WORD);
	return word;
}

const char *fact_probe_name(const struct fact_probe *probe,
			    enum probe_name which)
{
	if (!probe)
		return "<unknown>";
	switch (which) {
	case PROBE_PROVIDER:
		return probe->provider;
	case PROBE_MODULE:
		return probe->module;
	case PROBE_FUNCTION:
		return probe->function;
	case PROBE_NAME:
		return probe->name;
	}
	return "<unknown>";
}

/* Names may be longer than a string can be: truncated, without a NUL. */
static struct fact_value text_value(const struct schema_field *field,
				    const char *text)
{
	if (!text)
		text = "";
	uint32_t size = (uint32_t)strlen(text) + 1;

	return (struct fact_value){
		.kind = FACT_STRING,
		.bytes = (const uint8_t *)text,
		.size = field->limit && size > field->limit + 1 ? field->limit
								: size,
		.is_name = true,
		.is_literal = field->form == FIELD_CONSTANT,
		.field = field,
	};
}

struct fact_value fact_value_of(const struct schema_field *field,
				const uint8_t *start,
				const struct fact_probe *probe,
				const struct fact_probe *named)
{
	switch (field->form) {
	case FIELD_PROBE_NAME:
		return text_value(field, fact_probe_name(probe, field->which));
	case FIELD_PROBE_ID:
		return text_value(field, fact_probe_name(named, field->which));
	case FIELD_CONSTANT:
		return text_value(field, field->constant);
	default:
		break;
	}
	struct fact_value value;

	fact_stored(&value, field, start);
	return value;
}

void fact_symbol(const struct resolver *resolver,
		 const struct fact_value *value, struct fact_frame *frame)
{
	bool is_user = value->symbol ? value->symbol >= SYMBOL_USYM
				     : value->size > WORD;

	if (is_user)
		resolver->address(resolver->context, true,
				  (uint32_t)fact_word(value, 0),
				  fact_word(value, 1), frame);
	else
		resolver->address(resolver->context, false, 0,
				  fact_word(value, 0), frame);
}
