/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values as the consumer's functions see them.
 *
 * Frames are looked up only on request: that costs more than everything else
 * about a value.
 */
#include <errno.h>
#include <stdlib.h>

#include "api/internal.h"
#include "base/arena.h"

static dtrace_value_ext_t public_value(const struct fact_value *value)
{
	const struct schema_field *field = value->field;
	dtrace_value_ext_t result = {
		.dtv_kind = DTRACE_VALUE_BYTES,
		.dtv_bytes = value->bytes,
		.dtv_size = value->size,
		.dtv_type = field && field->type ? field->type : "",
		.dtv_name = field ? field->name : NULL,
		.dtv_private = value,
	};

	switch (value->kind) {
	case FACT_STRING:
		result.dtv_kind = DTRACE_VALUE_STRING;
		result.dtv_size = fact_length(value);
		break;
	case FACT_SYMBOL:
		result.dtv_kind = DTRACE_VALUE_SYMBOL;
		break;
	case FACT_STACK:
		result.dtv_kind = DTRACE_VALUE_STACK;
		break;
	case FACT_INTEGER:
		if (value->size > 8 || (value->size & (value->size - 1)))
			break;
		result.dtv_kind = value->is_signed ? DTRACE_VALUE_INTEGER
						   : DTRACE_VALUE_UNSIGNED;
		result.dtv_integer = fact_integer(value);
		break;
	default:
		break;
	}
	return result;
}

const dtrace_value_ext_t *handle_values(dtrace_hdl_t *dtp,
					const struct fact_value *values,
					uint32_t n)
{
	if (n > dtp->values_capacity) {
		dtp->values = must_realloc(dtp->values,
					   checked_mul(n,
						       sizeof(*dtp->values)));
		dtp->values_capacity = n;
	}
	for (uint32_t i = 0; i < n; i++)
		dtp->values[i] = public_value(&values[i]);
	return dtp->values;
}

/* --------------------------------------------------------------- frames */

static void add_frame(void *data, const struct fact_frame *frame)
{
	dtrace_hdl_t *dtp = data;

	if (dtp->nframes == dtp->frames_capacity) {
		dtp->frames_capacity = dtp->frames_capacity * 2 + 16;
		dtp->frames = must_realloc(dtp->frames,
					   checked_mul(dtp->frames_capacity,
						       sizeof(*dtp->frames)));
	}
	dtp->frames[dtp->nframes++] = (dtrace_frame_ext_t){
		.dtf_kind = (dtrace_framekind_ext_t)frame->kind,
		.dtf_address = frame->address,
		.dtf_object = frame->object
				      ? arena_strdup(dtp->names, frame->object)
				      : NULL,
		.dtf_function = frame->function ? arena_strdup(dtp->names,
							       frame->function)
						: NULL,
		.dtf_offset = frame->function ? frame->offset : 0,
	};
}

int dtrace_value_stack_ext(dtrace_hdl_t *dtp, const dtrace_value_ext_t *value,
			   dtrace_stack_ext_t *stack)
{
	const struct consumer *consumer =
		dtp->session ? session_consumer(dtp->session) : NULL;
	const struct resolver *resolver = consumer ? consumer->resolver
						   : dtp->replay.resolver;
	const struct fact_value *fact = value->dtv_private;
	struct fact_frame frame;

	*stack = (dtrace_stack_ext_t){ 0 };
	if (!resolver || !fact ||
	    (fact->kind != FACT_STACK && fact->kind != FACT_SYMBOL))
		return handle_fail(dtp, EINVAL);
	if (dtp->names)
		arena_free(dtp->names);
	dtp->names = arena_new();
	dtp->nframes = 0;
	if (fact->kind == FACT_SYMBOL) {
		fact_symbol(resolver, fact, &frame);
		add_frame(dtp, &frame);
	} else {
		stack->dts_cut = resolver->stack(resolver->context, fact,
						 add_frame, dtp);
	}
	stack->dts_nframes = dtp->nframes;
	stack->dts_frames = dtp->frames;
	return 0;
}

void handle_free_values(dtrace_hdl_t *dtp)
{
	free(dtp->values);
	free(dtp->frames);
	if (dtp->names)
		arena_free(dtp->names);
}
