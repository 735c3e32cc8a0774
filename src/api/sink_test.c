/* SPDX-License-Identifier: Apache-2.0 */
/* The library's functions in front of a sink: what they see and withhold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/internal.h"
#include "facts/format.h"
#include "sink/output.h"
#include "sink/sink.h"

/* ------------------------------------------------------------- inner sink */

/* The inner sink notes what reaches it. */
struct behind {
	struct sink sink;
	struct text *notes;
};

static struct text notes;

static bool note(struct sink *sink, const char *what)
{
	text_printf(((struct behind *)sink)->notes, "[%s] ", what);
	return true;
}

static bool behind_record(struct sink *sink, const struct fact_record *record)
{
	(void)record;
	return note(sink, "record");
}

static bool behind_action(struct sink *sink, const struct fact_record *record,
			  const struct fact_action *action)
{
	(void)record;
	return note(sink, action->action->name);
}

static bool behind_done(struct sink *sink, const struct fact_record *record)
{
	(void)record;
	return note(sink, "done");
}

static bool behind_table(struct sink *sink, const struct fact_table *table)
{
	(void)table;
	return note(sink, "table");
}

static bool behind_snapshot(struct sink *sink,
			    const struct fact_snapshot *snapshot)
{
	(void)snapshot;
	return note(sink, "snapshot");
}

static bool behind_drop(struct sink *sink, const struct fact_drop *drop)
{
	return note(sink, drop->text);
}

static bool behind_fault(struct sink *sink, const struct fact_fault *fault)
{
	return note(sink, fault->text);
}

static void behind_end(struct sink *sink, const struct fact_end *end)
{
	(void)end;
	note(sink, "end");
}

static const struct sink_class structured = {
	.name = "structured", .record = behind_record,
	.action = behind_action, .done = behind_done, .table = behind_table,
	.snapshot = behind_snapshot, .drop = behind_drop,
	.fault = behind_fault, .end = behind_end,
}, plain = {
	.name = "plain", .record = behind_record, .action = behind_action,
	.done = behind_done,
};

static struct behind behind;

/* --------------------------------------------------------------- handles */

static int setup(void **state)
{
	int error;
	dtrace_hdl_t *dtp = dtrace_open(DTRACE_VERSION, 0, &error);

	if (!dtp)
		return -1;
	handle_session(dtp);
	behind = (struct behind){ { &structured }, &notes };
	dtp->sink.filter.inner = &behind.sink;
	*state = dtp;
	return 0;
}

static int teardown(void **state)
{
	dtrace_close(*state);
	text_free(&notes);
	notes = (struct text){ 0 };
	return 0;
}

static void expect(const char *expected)
{
	assert_string_equal(text_str(&notes), expected);
	text_clear(&notes);
}

/* -------------------------------------------------------- the functions */

static int probe_choice, rec_choice, other_choice;

static int see_probe(const dtrace_probedata_t *data, void *arg)
{
	assert_string_equal(arg, "argument");
	text_printf(&notes, "%s:%s on %u ", data->dtpda_pdesc->dtpd_func,
		    data->dtpda_pdesc->dtpd_name, data->dtpda_cpu);
	return probe_choice;
}

static int see_rec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec,
		   void *arg)
{
	assert_string_equal(arg, "argument");
	assert_int_equal(data->dtpda_timestamp, 77);
	if (!rec) {
		text_puts(&notes, "last ");
		return DTRACE_CONSUME_THIS;
	}
	text_printf(&notes, "%s", rec->dtrd_action);
	for (uint32_t i = 0; i < rec->dtrd_nvalues; i++)
		text_printf(&notes, "=%lld",
			    (long long)rec->dtrd_values[i].dtv_integer);
	text_putc(&notes, ' ');
	return rec_choice;
}

static int see_drop(const dtrace_dropdata_t *data, void *arg)
{
	(void)arg;
	text_printf(&notes, "drop %d %d %s ", data->dtdda_kind, data->dtdda_cpu,
		    data->dtdda_msg);
	return other_choice;
}

static int see_error(const dtrace_errdata_t *data, void *arg)
{
	(void)arg;
	text_printf(&notes, "error %s %s ", data->dteda_pdesc->dtpd_func,
		    data->dteda_msg);
	return other_choice;
}

static void see_message(void *arg, const char *message)
{
	(void)arg;
	text_printf(&notes, "message %s ", message);
}

/* ----------------------------------------------------------------- facts */

static const struct fact_probe probe = {
	.id = 7, .provider = "syscall", .module = "vmlinux",
	.function = "read", .name = "entry",
};
static struct schema_field field = {
	.kind = FACT_INTEGER, .is_signed = true, .size = 4, .type = "int",
};
static struct schema_action action = {
	.name = "trace", .rule = RULE_VALUE, .fields = &field, .nfields = 1,
};
static const struct schema_clause clause = {
	.clause = 2, .records = true, .actions = &action,
};

/* A record with two actions; does the run continue? */
static bool tell(dtrace_hdl_t *dtp, const struct schema_clause *of)
{
	struct sink *sink = &dtp->sink.filter.sink;
	static const int32_t number = -5;
	const struct fact_value value =
		fact_value_of(&field, (const uint8_t *)&number, NULL, NULL);
	const struct fact_record record = {
		.clause = of, .probe = &probe, .cpu = 3, .stamp = 77,
	};
	const struct fact_action fact = { .action = &action, .values = &value };
	bool goes_on = sink_record(sink, &record);

	goes_on &= sink_action(sink, &record, &fact);
	goes_on &= sink_action(sink, &record, &fact);
	return sink_done(sink, &record) && goes_on;
}

static void set_functions(dtrace_hdl_t *dtp, int of_probe, int of_rec)
{
	static char argument[] = "argument";

	probe_choice = of_probe;
	rec_choice = of_rec;
	dtp->probe_func = see_probe;
	dtp->rec_func = see_rec;
	dtp->consume_arg = argument;
	dtp->output = stdout;
}

static void test_nobody(void **state)
{
	dtrace_hdl_t *dtp = *state;

	dtp->output = stdout;
	assert_true(tell(dtp, &clause));
	expect("[record] [trace] [trace] [done] ");
}

static void test_this(void **state)
{
	dtrace_hdl_t *dtp = *state;

	set_functions(dtp, DTRACE_CONSUME_THIS, DTRACE_CONSUME_THIS);
	assert_true(tell(dtp, &clause));
	expect("read:entry on 3 [record] trace=-5 [trace] trace=-5 [trace] "
	       "[done] last ");
}

/* An action is withheld; the record is shown without it. */
static void test_next_action(void **state)
{
	dtrace_hdl_t *dtp = *state;

	set_functions(dtp, DTRACE_CONSUME_THIS, DTRACE_CONSUME_NEXT);
	assert_true(tell(dtp, &clause));
	expect("read:entry on 3 [record] trace=-5 trace=-5 [done] last ");
}

static void test_next_record(void **state)
{
	dtrace_hdl_t *dtp = *state;

	set_functions(dtp, DTRACE_CONSUME_NEXT, DTRACE_CONSUME_THIS);
	assert_true(tell(dtp, &clause));
	expect("read:entry on 3 last ");
	/* and the record after it is seen again */
	probe_choice = DTRACE_CONSUME_THIS;
	dtp->rec_func = NULL;
	assert_true(tell(dtp, &clause));
	expect("read:entry on 3 [record] [trace] [trace] [done] ");
}

static void test_abort(void **state)
{
	dtrace_hdl_t *dtp = *state;

	set_functions(dtp, DTRACE_CONSUME_ABORT, DTRACE_CONSUME_THIS);
	assert_false(tell(dtp, &clause));
	expect("read:entry on 3 last ");
	set_functions(dtp, DTRACE_CONSUME_THIS, DTRACE_CONSUME_ABORT);
	assert_false(tell(dtp, &clause));
	set_functions(dtp, DTRACE_CONSUME_ERROR, DTRACE_CONSUME_THIS);
	assert_false(tell(dtp, &clause));
}

static bool tell_drop(dtrace_hdl_t *dtp)
{
	return sink_drop(&dtp->sink.filter.sink, &(struct fact_drop){
							 .kind = DROP_SPEC,
							 .cpu = -1,
							 .count = 2,
							 .text = "2 lost",
						 });
}

static bool tell_fault(dtrace_hdl_t *dtp)
{
	return sink_fault(&dtp->sink.filter.sink, &(struct fact_fault){
							  .probe = &probe,
							  .text = "bad",
						  });
}

/* They go to the sink if it handles them; otherwise they become messages. */
static void test_drops_and_faults(void **state)
{
	dtrace_hdl_t *dtp = *state;

	dtrace_handle_message_ext(dtp, see_message, NULL);
	assert_true(tell_drop(dtp) && tell_fault(dtp));
	expect("[2 lost] [bad] ");
	behind.sink.class = &plain;
	assert_true(tell_drop(dtp) && tell_fault(dtp));
	expect("message 2 lost message bad ");
	/*
	 * functions are called in addition to the sink, and instead of messages
	 */
	other_choice = DTRACE_HANDLE_OK;
	dtrace_handle_drop(dtp, see_drop, NULL);
	dtrace_handle_err(dtp, see_error, NULL);
	assert_true(tell_drop(dtp) && tell_fault(dtp));
	expect("drop 5 -1 2 lost error read bad ");
	behind.sink.class = &structured;
	assert_true(tell_drop(dtp) && tell_fault(dtp));
	expect("[2 lost] drop 5 -1 2 lost [bad] error read bad ");
	other_choice = DTRACE_HANDLE_ABORT;
	assert_false(tell_drop(dtp) || tell_fault(dtp));
}

/* Everything else passes through. */
static void test_rest(void **state)
{
	dtrace_hdl_t *dtp = *state;
	struct sink *sink = &dtp->sink.filter.sink;

	assert_true(sink_table(sink, &(struct fact_table){ 0 }));
	assert_true(sink_snapshot(sink,
				  &(struct fact_snapshot){
					  .table = &(struct fact_table){ 0 },
				  }));
	sink_end(sink, &(struct fact_end){ 0 });
	expect("[table] [snapshot] [end] ");
	assert_int_equal(sink_flush(sink), 0);
}

/* ------------------------------------------------------------------ text */

static int see_text(const dtrace_bufdata_t *data, void *arg)
{
	(void)arg;
	text_printf(&notes, "%s<%s>",
		    data->dtbda_probe
			    ? data->dtbda_probe->dtpda_pdesc->dtpd_name
			    : "",
		    data->dtbda_buffered);
	return other_choice;
}

static struct sink *print_to_stream(dtrace_hdl_t *dtp, struct output *output)
{
	dtp->stream = open_memstream(&dtp->buffered, &dtp->buffered_size);
	dtp->output = dtp->stream;
	output_set_file(output, dtp->stream);
	struct sink *text = sink_text.open(&(struct sink_setup){
		.output = output,
		.options = &dtp->options,
	});

	dtp->sink.filter.inner = text;
	return text;
}

/* Text without a file is handed over when its record is done. */
static void test_buffered(void **state)
{
	dtrace_hdl_t *dtp = *state;
	struct output output = { 0 };

	dtrace_setopt(dtp, "quiet", NULL);
	struct sink *text = print_to_stream(dtp, &output);

	other_choice = DTRACE_HANDLE_OK;
	dtrace_handle_buffered(dtp, see_text, NULL);
	assert_true(tell(dtp, &clause));
	assert_true(tell(dtp, &clause));
	expect("entry<-5-5>entry<-5-5>");
	other_choice = DTRACE_HANDLE_ABORT;
	assert_false(tell(dtp, &clause));
	sink_close(text);
}

/* A clause in pieces is one line for the functions, too. */
static void test_buffered_pieces(void **state)
{
	static const struct schema_clause pieces[] = {
		{ .clause = 2, .records = true, .is_cut = true },
		{ .clause = 2, .records = true, .skipped = 2, .is_cut = true },
		{ .clause = 2, .records = true, .skipped = 4 },
	};
	dtrace_hdl_t *dtp = *state;
	struct output output = { 0 };
	struct sink *text = print_to_stream(dtp, &output);
	struct text lines = { 0 };

	other_choice = DTRACE_HANDLE_OK;
	dtrace_handle_buffered(dtp, see_text, NULL);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		assert_true(tell(dtp, &pieces[i]));
	text_puts(&lines, "entry<CPU     ID                    FUNCTION:NAME\n"
			  "  3      7                       read:entry ");
	for (unsigned i = 0; i < 6; i++)
		text_puts(&lines, "         -5");
	text_puts(&lines, "\n>");
	expect(text_str(&lines));
	text_free(&lines);
	sink_close(text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nobody), TEST(test_this), TEST(test_next_action),
		TEST(test_next_record), TEST(test_abort),
		TEST(test_drops_and_faults), TEST(test_rest),
		TEST(test_buffered), TEST(test_buffered_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
