/* SPDX-License-Identifier: Apache-2.0 */
/* The tee: both sinks see every fact, the first before the second. */
#include "sink/tee.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

/* A sink that appends what it receives to a common text. */
struct noting {
	struct sink sink;
	char name;
	struct text *notes;
	bool goes_on;
	int error;
	bool is_closed;
};

static bool note(struct sink *sink, const char *what)
{
	struct noting *noting = (struct noting *)sink;

	text_printf(noting->notes, "%c.%s ", noting->name, what);
	return noting->goes_on;
}

#define FACT(name, type) \
	static bool note_##name(struct sink *sink, const struct type *fact) \
	{ \
		assert_non_null(fact); \
		return note(sink, #name); \
	}
FACT(start, fact_start)
FACT(record, fact_record)
FACT(done, fact_record)
FACT(table, fact_table)
FACT(snapshot, fact_snapshot)
FACT(drop, fact_drop)
FACT(fault, fact_fault)

static bool note_action(struct sink *sink, const struct fact_record *record,
			const struct fact_action *action)
{
	assert_non_null(record);
	assert_non_null(action);
	return note(sink, "action");
}

static void note_option(struct sink *sink, const char *name, const char *value)
{
	note(sink, name);
	note(sink, value);
}

static void note_interrupted(struct sink *sink)
{
	note(sink, "interrupted");
}

static void note_summary(struct sink *sink)
{
	note(sink, "summary");
}

static void note_end(struct sink *sink, const struct fact_end *end)
{
	assert_int_equal(end->status, 3);
	note(sink, "end");
}

static uint32_t note_top(struct sink *sink, uint32_t ntables)
{
	note(sink, "top");
	return ntables + 1;
}

static int note_flush(struct sink *sink)
{
	note(sink, "flush");
	return ((struct noting *)sink)->error;
}

static void note_close(struct sink *sink)
{
	((struct noting *)sink)->is_closed = true;
}

static const struct sink_class noting_class = {
	.name = "noting", .close = note_close, .start = note_start,
	.record = note_record, .action = note_action, .done = note_done,
	.table = note_table, .snapshot = note_snapshot, .drop = note_drop,
	.fault = note_fault, .option = note_option,
	.interrupted = note_interrupted, .summary = note_summary,
	.end = note_end, .top = note_top, .flush = note_flush,
}, deaf_class = { .name = "deaf" };

static struct text notes;
static struct noting first, second;

static struct sink *open_tee(void)
{
	first = (struct noting){
		{ &noting_class }, 'a', &notes, true, 0, false
	};
	second = (struct noting){
		{ &noting_class }, 'b', &notes, true, 0, false
	};
	text_clear(&notes);
	return tee_open(&first.sink, &second.sink);
}

static void close_tee(struct sink *tee)
{
	sink_close(tee);
	text_free(&notes);
	notes = (struct text){ 0 };
}

/* Every fact once; should the run continue? */
static bool tell_all(struct sink *tee)
{
	const struct fact_record record = { 0 };
	const struct fact_end end = { .status = 3 };
	bool goes_on = sink_start(tee, &(struct fact_start){ 0 });

	goes_on |= sink_record(tee, &record);
	goes_on |= sink_action(tee, &record, &(struct fact_action){ 0 });
	goes_on |= sink_done(tee, &record);
	goes_on |= sink_table(tee, &(struct fact_table){ 0 });
	goes_on |= sink_snapshot(tee, &(struct fact_snapshot){ 0 });
	goes_on |= sink_drop(tee, &(struct fact_drop){ 0 });
	goes_on |= sink_fault(tee, &(struct fact_fault){ 0 });
	sink_option(tee, "quiet", "yes");
	sink_interrupted(tee);
	sink_summary(tee);
	sink_end(tee, &end);
	return goes_on;
}

static void test_both(void **state)
{
	struct sink *tee = open_tee();

	(void)state;
	assert_true(tell_all(tee));
	assert_string_equal(
		text_str(&notes),
		"a.start b.start a.record b.record a.action b.action "
		"a.done b.done a.table b.table a.snapshot b.snapshot "
		"a.drop b.drop a.fault b.fault "
		"a.quiet a.yes b.quiet b.yes a.interrupted b.interrupted "
		"a.summary b.summary a.end b.end ");
	close_tee(tee);
	/* both are borrowed */
	assert_false(first.is_closed || second.is_closed);
}

/* Either can end the run, and the other still sees the fact. */
static void test_ends(void **state)
{
	(void)state;
	for (int which = 0; which < 2; which++) {
		struct sink *tee = open_tee();

		(which ? &first : &second)->goes_on = false;
		assert_false(tell_all(tee));
		assert_non_null(strstr(text_str(&notes), "a.fault b.fault "));
		close_tee(tee);
	}
}

static void test_flush(void **state)
{
	struct sink *tee = open_tee();

	(void)state;
	assert_int_equal(sink_flush(tee), 0);
	first.error = -EPIPE;
	second.error = -ENOSPC;
	assert_int_equal(sink_flush(tee), -EPIPE);
	first.error = 0;
	assert_int_equal(sink_flush(tee), -ENOSPC);
	assert_string_equal(text_str(&notes),
			    "a.flush b.flush a.flush b.flush a.flush b.flush ");
	close_tee(tee);
}

/* The screen belongs to the second. */
static void test_top(void **state)
{
	struct sink *tee = open_tee();

	(void)state;
	assert_int_equal(sink_top(tee, 4), 5);
	assert_string_equal(text_str(&notes), "b.top ");
	close_tee(tee);
}

/* Functions that a sink leaves NULL are skipped; so is a missing sink. */
static void test_deaf(void **state)
{
	struct sink deaf = { &deaf_class };

	(void)state;
	assert_true(tell_all(&deaf));
	assert_true(tell_all(NULL));
	assert_int_equal(sink_flush(&deaf), 0);
	assert_int_equal(sink_top(&deaf, 3), 0);
	assert_false(sink_takes_drops(NULL));
	assert_false(sink_takes_faults(&deaf));
	sink_close(&deaf);
	sink_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both), cmocka_unit_test(test_ends),
		cmocka_unit_test(test_flush), cmocka_unit_test(test_top),
		cmocka_unit_test(test_deaf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
