/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumer's functions, and the text passed to them.
 *
 * If there is no file for text, it is collected in a memory stream and handed
 * over when its record is done.
 */
#include <stdlib.h>

#include "api/internal.h"
#include "base/arena.h"

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

void handle_set_stream(dtrace_hdl_t *dtp, FILE *fp)
{
	if (!fp && !dtp->stream)
		dtp->stream = open_memstream(&dtp->buffered,
					     &dtp->buffered_size);
	dtp->output = fp ? fp : dtp->stream ? dtp->stream : dtp->output;
}

void handle_set_consumer(dtrace_hdl_t *dtp, FILE *fp,
			 dtrace_consume_probe_f *probe,
			 dtrace_consume_rec_f *rec, void *arg)
{
	FILE *before = dtp->output;

	handle_set_stream(dtp, fp);
	if (dtp->output != before)
		session_set_output(dtp->session, dtp->output);
	dtp->probe_func = probe;
	dtp->rec_func = rec;
	dtp->consume_arg = arg;
	if (probe || rec || dtp->output == dtp->stream)
		session_keep_aggregations(dtp->session);
}

int dtrace_handle_buffered(dtrace_hdl_t *dtp, dtrace_handle_buffered_f *func,
			   void *arg)
{
	dtp->buffered_func = func;
	dtp->buffered_arg = arg;
	return 0;
}

int dtrace_handle_drop(dtrace_hdl_t *dtp, dtrace_handle_drop_f *func, void *arg)
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
