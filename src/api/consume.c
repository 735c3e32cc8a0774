/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records, text, drops and errors on their way to the consumer's functions.
 *
 * The printer asks (struct printer_hooks) before it prints; what is shown to
 * the consumer's functions lives in the handle and is good until they return.
 * Text without a file to go to is collected in a memory stream and handed
 * over when its record is done.
 */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "base/arena.h"

/* --------------------------------------------------------------- values */

dtrace_value_ext_t *handle_values(dtrace_hdl_t *dtp, uint32_t n)
{
	if (n > dtp->values_capacity) {
		dtp->values = must_realloc(dtp->values,
					   checked_mul(n, sizeof(*dtp->values)));
		dtp->values_capacity = n;
	}
	return dtp->values;
}

dtrace_value_ext_t handle_value(struct printer *printer,
				const struct print_value *value)
{
	struct types *types = printer->types;
	dtrace_value_ext_t result = {
		.dtv_kind = DTRACE_VALUE_BYTES,
		.dtv_bytes = value->bytes,
		.dtv_size = value->size,
		.dtv_type = value->type ? type_name(types, value->type) : "",
	};

	if (value->is_text ||
	    (value->type && type_is_string(types, value->type))) {
		result.dtv_kind = DTRACE_VALUE_STRING;
		result.dtv_size = strnlen((const char *)value->bytes,
					  value->size);
	} else if (!value->function && value->type && value->size <= 8 &&
		   type_is_scalar(types, value->type) &&
		   (value->size & (value->size - 1)) == 0) {
		result.dtv_kind = type_is_signed(types, value->type) ?
			DTRACE_VALUE_INTEGER : DTRACE_VALUE_UNSIGNED;
		result.dtv_integer = print_value_integer(types, value);
	}
	return result;
}

/* -------------------------------------------------------------- records */

static enum printer_choice choice_of(int result)
{
	switch (result) {
	case DTRACE_CONSUME_THIS:
		return PRINT_IT;
	case DTRACE_CONSUME_NEXT:
		return PRINT_NOT;
	default:
		return PRINT_NO_MORE;
	}
}

static void describe(const struct lower_probe *probe, dtrace_probedesc_t *to)
{
	struct probe_desc desc = {
		.id = probe->id, .provider = probe->provider,
		.module = probe->module, .function = probe->function,
		.name = probe->name,
	};

	handle_desc(&desc, to);
}

static enum printer_choice see_record(void *context, struct printer *printer)
{
	dtrace_hdl_t *dtp = context;

	describe(printer->probe, &dtp->probe_desc);
	dtp->probe_data = (dtrace_probedata_t){
		.dtpda_handle = dtp,
		.dtpda_pdesc = &dtp->probe_desc,
		.dtpda_epid = printer->layout->clause,
		.dtpda_cpu = printer->cpu,
		.dtpda_timestamp = printer->record->stamp,
		.dtpda_data = printer->record,
	};
	if (!dtp->probe_func)
		return PRINT_IT;
	return choice_of(dtp->probe_func(&dtp->probe_data, dtp->consume_arg));
}

static enum printer_choice see_action(void *context, struct printer *printer,
				      const struct record_action *action)
{
	dtrace_hdl_t *dtp = context;
	dtrace_recdesc_t rec = {
		.dtrd_action = action->function->name,
		.dtrd_nvalues = action->nfields,
		.dtrd_values = handle_values(dtp, action->nfields),
	};

	if (!dtp->rec_func)
		return PRINT_IT;
	for (uint32_t i = 0; i < action->nfields; i++) {
		struct print_value value = printer_field(
			printer, action, i, (const uint8_t *)printer->record);

		dtp->values[i] = handle_value(printer, &value);
	}
	return choice_of(dtp->rec_func(&dtp->probe_data, &rec,
				       dtp->consume_arg));
}

static enum printer_choice see_end(void *context, struct printer *printer)
{
	dtrace_hdl_t *dtp = context;

	(void)printer;
	if (!handle_deliver(dtp, &dtp->probe_data))
		return PRINT_NO_MORE;
	if (!dtp->rec_func)
		return PRINT_IT;
	return choice_of(dtp->rec_func(&dtp->probe_data, NULL,
				       dtp->consume_arg));
}

/* ----------------------------------------------------------------- text */

bool handle_deliver(dtrace_hdl_t *dtp, const dtrace_probedata_t *probe)
{
	dtrace_bufdata_t data = { .dtbda_handle = dtp, .dtbda_probe = probe };

	if (!dtp->stream || dtp->output != dtp->stream)
		return true;
	fflush(dtp->stream);
	if (!dtp->buffered_size)
		return true;
	dtp->buffered[dtp->buffered_size] = '\0';
	data.dtbda_buffered = dtp->buffered;
	bool good = !dtp->buffered_func ||
		    dtp->buffered_func(&data, dtp->buffered_arg) ==
			    DTRACE_HANDLE_OK;

	fseek(dtp->stream, 0, SEEK_SET);
	return good;
}

void handle_set_consumer(dtrace_hdl_t *dtp, FILE *fp,
			 dtrace_consume_probe_f *probe,
			 dtrace_consume_rec_f *rec, void *arg)
{
	if (!fp && !dtp->stream)
		dtp->stream = open_memstream(&dtp->buffered,
					     &dtp->buffered_size);
	if (!fp)
		fp = dtp->stream;
	if (fp && fp != dtp->output) {
		dtp->output = fp;
		session_set_output(dtp->session, fp);
	}
	dtp->probe_func = probe;
	dtp->rec_func = rec;
	dtp->consume_arg = arg;
	if (!probe && !rec && fp != dtp->stream)
		return;
	dtp->hooks = (struct printer_hooks){
		.context = dtp, .record = see_record, .action = see_action,
		.done = see_end,
	};
	session_set_hooks(dtp->session, &dtp->hooks);
	session_keep_aggregations(dtp->session);
}

int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *func,
			   void *arg)
{
	dtp->buffered_func = func;
	dtp->buffered_arg = arg;
	return 0;
}

/* ----------------------------------------------------- drops and errors */

static const char *const drop_kinds[] = {
	[DTRACEDROP_PRINCIPAL] = "PRINCIPAL",
	[DTRACEDROP_AGGREGATION] = "AGGREGATION",
	[DTRACEDROP_DYNAMIC] = "DYNAMIC",
	[DTRACEDROP_DYNRINSE] = "DYNRINSE",
	[DTRACEDROP_DYNDIRTY] = "DYNDIRTY",
	[DTRACEDROP_SPEC] = "SPEC",
	[DTRACEDROP_SPECBUSY] = "SPECBUSY",
	[DTRACEDROP_SPECUNAVAIL] = "SPECUNAVAIL",
	[DTRACEDROP_STKSTROVERFLOW] = "STKSTROVERFLOW",
	[DTRACEDROP_DBLERROR] = "DBLERROR",
};

bool handle_drop(void *context, const struct session_drop *drop)
{
	dtrace_hdl_t *dtp = context;
	dtrace_dropdata_t data = {
		.dtdda_handle = dtp, .dtdda_cpu = (int)drop->cpu,
		.dtdda_drops = drop->count, .dtdda_msg = drop->message,
	};

	if (!dtp->drop_func) {
		handle_message(dtp, drop->message);
		return true;
	}
	for (size_t i = 0; i < sizeof(drop_kinds) / sizeof(*drop_kinds); i++)
		if (!strcmp(drop_kinds[i], drop->kind))
			data.dtdda_kind = (dtrace_dropkind_t)i;
	return dtp->drop_func(&data, dtp->drop_arg) == DTRACE_HANDLE_OK;
}

bool handle_fault(void *context, const struct session_fault *fault)
{
	dtrace_hdl_t *dtp = context;
	dtrace_probedesc_t desc;
	dtrace_errdata_t data = {
		.dteda_handle = dtp, .dteda_pdesc = &desc,
		.dteda_epid = fault->clause, .dteda_action = fault->statement,
		.dteda_fault = (int)fault->code, .dteda_addr = fault->value,
		.dteda_msg = fault->message,
	};

	if (!dtp->err_func) {
		handle_message(dtp, fault->message);
		return true;
	}
	memset(&desc, 0, sizeof(desc));
	dtrace_id2desc(dtp, fault->probe, &desc);
	return dtp->err_func(&data, dtp->err_arg) == DTRACE_HANDLE_OK;
}

int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *func,
		       void *arg)
{
	dtp->drop_func = func;
	dtp->drop_arg = arg;
	return 0;
}

int dtrace_handle_err(dtrace_hdl_t *dtp, dtrace_handle_err_f *func, void *arg)
{
	dtp->err_func = func;
	dtp->err_arg = arg;
	return 0;
}
