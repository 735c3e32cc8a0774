/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small consumer of libdtrace: runs a D program and shows what comes as
 * data, not as dtrace(8) would print it.
 *
 *	cc -o count count.c $(pkg-config --cflags --libs dtrace)
 *	./count 'syscall:::entry { @[probefunc] = count(); } tick-1s { exit(0); }'
 */
#include <dtrace.h>

#include <inttypes.h>
#include <stdio.h>

/* The frames of a stack, or the one of a symbol. */
static void show_frames(dtrace_hdl_t *dtp, const dtrace_value_ext_t *value)
{
	dtrace_stack_ext_t stack;

	if (dtrace_value_stack_ext(dtp, value, &stack))
		return;
	for (uint32_t i = 0; i < stack.dts_nframes; i++) {
		const dtrace_frame_ext_t *frame = &stack.dts_frames[i];

		if (frame->dtf_function)
			printf(" %s", frame->dtf_function);
		else
			printf(" %#" PRIx64, frame->dtf_address);
	}
}

static void show(dtrace_hdl_t *dtp, const dtrace_value_ext_t *value)
{
	switch (value->dtv_kind) {
	case DTRACE_VALUE_INTEGER:
		printf(" %" PRId64, value->dtv_integer);
		break;
	case DTRACE_VALUE_UNSIGNED:
		printf(" %" PRIu64, (uint64_t)value->dtv_integer);
		break;
	case DTRACE_VALUE_STRING:
		printf(" \"%.*s\"", (int)value->dtv_size,
		       (const char *)value->dtv_bytes);
		break;
	case DTRACE_VALUE_BYTES:
		printf(" (%zu bytes)", value->dtv_size);
		break;
	case DTRACE_VALUE_SYMBOL:
	case DTRACE_VALUE_STACK:
		show_frames(dtp, value);
		break;
	}
}

/* Once for every action that left data, and once more for the record. */
static int on_record(const dtrace_probedata_t *probe,
		     const dtrace_recdesc_t *rec, void *arg)
{
	unsigned long *records = arg;

	if (!rec) {
		++*records;
		return DTRACE_CONSUME_THIS;
	}
	printf("%s: %s", probe->dtpda_pdesc->dtpd_name, rec->dtrd_action);
	for (uint32_t i = 0; i < rec->dtrd_nvalues; i++)
		show(probe->dtpda_handle, &rec->dtrd_values[i]);
	printf("\n");
	return DTRACE_CONSUME_NEXT;	/* we have shown it ourselves */
}

static int on_element(const dtrace_aggdata_t *data, void *arg)
{
	(void)arg;
	printf("@%s", data->dtada_name);
	for (uint32_t i = 0; i < data->dtada_nkeys; i++)
		show(data->dtada_handle, &data->dtada_keys[i]);
	if (data->dtada_has_number)
		printf(" = %s %" PRId64 "\n", data->dtada_function,
		       data->dtada_number);
	else
		printf(" = %s of %u buckets\n", data->dtada_function,
		       data->dtada_nvalues);
	return DTRACE_AGGWALK_NEXT;
}

static int on_drop(const dtrace_dropdata_t *data, void *arg)
{
	(void)arg;
	printf("lost: %s\n", data->dtdda_msg);
	return DTRACE_HANDLE_OK;
}

static int on_error(const dtrace_errdata_t *data, void *arg)
{
	(void)arg;
	printf("error: fault %d in statement %u of clause %u at %s\n",
	       data->dteda_fault, data->dteda_action, data->dteda_epid,
	       data->dteda_pdesc->dtpd_name);
	return DTRACE_HANDLE_OK;
}

static int fail(dtrace_hdl_t *dtp, const char *what)
{
	fprintf(stderr, "count: %s: %s\n", what,
		dtrace_errmsg(dtp, dtrace_errno(dtp)));
	dtrace_close(dtp);
	return 1;
}

int main(int argc, char **argv)
{
	unsigned long records = 0;
	dtrace_workstatus_t status;
	int error;

	if (argc < 2) {
		fprintf(stderr, "usage: count PROGRAM [ARGUMENT ...]\n");
		return 2;
	}
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp) {
		fprintf(stderr, "count: %s\n", dtrace_errmsg(NULL, error));
		return 1;
	}
	dtrace_setopt(dtp, "quiet", NULL);
	dtrace_handle_drop(dtp, on_drop, NULL);
	dtrace_handle_err(dtp, on_error, NULL);
	dtrace_prog_t *program = dtrace_program_strcompile(dtp, argv[1],
		DTRACE_PROBESPEC_NAME, 0, argc - 1, argv + 1);

	if (!program || dtrace_program_exec(dtp, program, NULL))
		return fail(dtp, "program");
	if (dtrace_go(dtp))
		return fail(dtp, "go");
	do
		status = dtrace_work(dtp, stdout, NULL, on_record, &records);
	while (status == DTRACE_WORKSTATUS_OKAY);
	if (status == DTRACE_WORKSTATUS_ERROR || dtrace_stop(dtp))
		return fail(dtp, "work");
	if (dtrace_aggregate_snap(dtp) ||
	    dtrace_aggregate_walk_sorted(dtp, on_element, NULL))
		return fail(dtp, "aggregations");
	printf("%lu records\n", records);
	dtrace_close(dtp);
	return 0;
}
