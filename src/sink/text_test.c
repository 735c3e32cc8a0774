/* SPDX-License-Identifier: Apache-2.0 */
/* The text sink: header, heads of lines, -q, testing, -F, pieces of clauses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "facts/format.h"
#include "sink/output.h"
#include "sink/sink.h"

static const struct fact_probe probes[] = {
	{1, "dtrace", "", "", "BEGIN", false, false},
	{10, "syscall", "vmlinux", "read", "entry", false, true},
	{11, "syscall", "vmlinux", "read", "return", false, true},
	{12, "fbt", "vmlinux", "vfs_read", "entry", false, false},
	{13, "fbt", "vmlinux", "vfs_read", "return", false, false},
};

struct event {
	uint32_t probe, clause, skipped;
	bool is_cut;
	enum fact_flow flow;
	uint32_t cpu;
	uint64_t stamp;
};

/* The action of all of them prints "x". */
static struct conversion x_text = { .text = "x", .text_length = 1 };
static const struct format x_format = {
	.conversions = &x_text, .text = "x", .length = 1,
};
static struct schema_action x_action = {
	.name = "printf", .rule = RULE_FORMAT, .format = &x_format,
};

struct fixture {
	struct options options;
	struct output output;
	struct sink *sink;
	char *written;
	size_t size;
};

static void open_sink(struct fixture *f, const char *const *names)
{
	*f = (struct fixture){ 0 };
	options_init(&f->options);
	for (; names && *names; names++)
		option_set(&f->options, *names, NULL, ORIGIN_COMMAND);
	output_set_file(&f->output, open_memstream(&f->written, &f->size));
	f->sink = sink_text.open(&(struct sink_setup){
		.output = &f->output,
		.options = &f->options,
	});
}

static void close_sink(struct fixture *f, const char *expected)
{
	assert_int_equal(sink_flush(f->sink), 0);
	sink_close(f->sink);
	fclose(f->output.file);
	assert_string_equal(f->written, expected);
	free(f->written);
	options_free(&f->options);
}

static void tell(struct fixture *f, const struct event *event,
		 const struct schema_clause *clause)
{
	const struct fact_record record = {
		.clause = clause, .probe = &probes[event->probe],
		.cpu = event->cpu, .flow = event->flow,
		.stamp = event->stamp,
	};
	const struct fact_action action = { .action = &x_action };

	assert_true(sink_record(f->sink, &record));
	assert_true(sink_action(f->sink, &record, &action));
	assert_true(sink_done(f->sink, &record));
}

static struct schema_clause clause_of(const struct event *event)
{
	return (struct schema_clause){
		.records = true,
		.actions = &x_action,
		.clause = event->clause,
		.skipped = event->skipped,
		.is_cut = event->is_cut,
	};
}

/* What these records print with these options. */
static void check(const struct event *events, size_t n,
		  const char *const *names, bool testing, const char *expected)
{
	struct schema_clause clauses[8];
	struct fixture f;

	if (testing)
		setenv("_DTRACE_TESTING", "1", 1);
	else
		unsetenv("_DTRACE_TESTING");
	open_sink(&f, names);
	for (size_t i = 0; i < n; i++) {
		clauses[i] = clause_of(&events[i]);
		tell(&f, &events[i], &clauses[i]);
	}
	close_sink(&f, expected);
	unsetenv("_DTRACE_TESTING");
}

static void test_lines(void **state)
{
	(void)state;
	const struct event events[] = {
		{.probe = 0, .cpu = 3}, {.probe = 1, .clause = 1, .cpu = 3},
	};

	check(events, 2, NULL, false,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  3      1                           :BEGIN x\n"
	      "  3     10                       read:entry x\n");
	check(events, 2, NULL, true,
	      "                   FUNCTION:NAME\n"
	      "                          :BEGIN x\n"
	      "                      read:entry x\n");
	check(events, 2, (const char *const[]){ "quiet", NULL }, false, "xx");
}

/* Pieces of one clause are one line, whether all of them come or not. */
static void test_pieces(void **state)
{
	(void)state;
	const enum fact_flow in = CALL_ENTRY;
	const struct event events[] = {
		{0, 0, 0, true, CALL_NONE, 3, 0}, {0, 0, 3, true, CALL_NONE, 3, 0},
		{0, 0, 5, false, CALL_NONE, 3, 0},
		{1, 1, 0, true, in, 3, 1}, {1, 1, 0, true, in, 3, 2},
		{1, 1, 2, true, CALL_NONE, 3, 2},
	};

	check(events, 6, NULL, false,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  3      1                           :BEGIN xxx\n"
	      "  3     10                       read:entry x\n"
	      "  3     10                       read:entry xx\n");
	check(events, 6, (const char *const[]){ "quiet", NULL }, false,
	      "xxxxxx");
	check(events, 6, (const char *const[]){ "flowindent", NULL }, false,
	      "CPU FUNCTION                                 \n"
	      "  3 | :BEGIN                                  xxx\n"
	      "  3  => read                                  x\n"
	      "  3    => read                                xx\n");
}

/* So are the records of a loop's turns, which have one layout. */
static void test_turns(void **state)
{
	(void)state;
	const struct event events[] = {
		{0, 0, 0, true, CALL_NONE, 3, 1}, {0, 0, 0, true, CALL_NONE, 3, 1},
		{0, 0, 0, true, CALL_NONE, 3, 1}, {0, 0, 0, false, CALL_NONE, 3, 1},
		{0, 0, 0, true, CALL_NONE, 3, 5},
	};

	check(events, 5, NULL, false,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  3      1                           :BEGIN xxxx\n"
	      "  3      1                           :BEGIN x\n");
}

/* A piece from another CPU, or of another clause, does not join this line. */
static void test_pieces_apart(void **state)
{
	(void)state;
	const struct event events[] = {
		{0, 0, 0, true, CALL_NONE, 0, 0}, {0, 0, 2, true, CALL_NONE, 1, 0},
		{0, 1, 3, true, CALL_NONE, 1, 0},
	};

	check(events, 3, NULL, false,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  0      1                           :BEGIN x\n"
	      "  1      1                           :BEGIN x\n"
	      "  1      1                           :BEGIN x\n");
}

static void test_flow(void **state)
{
	(void)state;
	const enum fact_flow in = CALL_ENTRY, out = CALL_RETURN;
	const struct event events[] = {
		{0, 0, 0, false, CALL_NONE, 3, 0}, {1, 1, 0, false, in, 3, 0},
		{1, 2, 0, false, CALL_NONE, 3, 0}, {3, 1, 0, false, in, 3, 0},
		{4, 1, 0, false, CALL_NONE, 3, 0}, {4, 2, 0, false, out, 3, 0},
		{2, 1, 0, false, out, 3, 0}, {2, 1, 0, false, out, 3, 0},
	};

	check(events, 8, (const char *const[]){ "flowindent", NULL }, false,
	      "CPU FUNCTION                                 \n"
	      "  3 | :BEGIN                                  x\n"
	      "  3  => read                                  x\n"
	      "  3   | read:entry                            x\n"
	      "  3    -> vfs_read                            x\n"
	      "  3     | vfs_read:return                     x\n"
	      "  3    <- vfs_read                            x\n"
	      "  3  <= read                                  x\n"
	      "  3  <= read                                  x\n");
}

/* Records that only request something have no line; empty clauses have one. */
static void test_silent_records(void **state)
{
	(void)state;
	static const struct schema_clause silent = { .clause = 0 },
					  empty = { .clause = 1,
						    .is_empty_clause = true };
	static struct schema_action clear = {
		.name = "clear", .rule = RULE_SILENT,
	};
	struct fact_record record = { .clause = &silent, .probe = &probes[0] };
	struct fixture f;

	open_sink(&f, NULL);
	sink_record(f.sink, &record);
	sink_action(f.sink, &record, &(struct fact_action){ .action = &clear });
	sink_done(f.sink, &record);
	record.clause = &empty;
	sink_record(f.sink, &record);
	sink_done(f.sink, &record);
	close_sink(&f, "CPU     ID                    FUNCTION:NAME\n"
		       "  0      1                           :BEGIN \n");
}

/* An open line ends where anything else begins. */
static void test_open_lines(void **state)
{
	(void)state;
	const struct event event = { .probe = 0, .is_cut = true };
	const struct schema_clause clause = clause_of(&event);
	struct fixture f;

	open_sink(&f, NULL);
	tell(&f, &event, &clause);
	sink_flush(f.sink);
	tell(&f, &event, &clause);
	sink_interrupted(f.sink);
	tell(&f, &event, &clause);
	sink_summary(f.sink);
	close_sink(&f, "CPU     ID                    FUNCTION:NAME\n"
		       "  0      1                           :BEGIN x\n"
		       "  0      1                           :BEGIN x\n\n"
		       "  0      1                           :BEGIN x\n\n");
}

/* Drops and faults are messages: nothing of them is in the output. */
static void test_not_ours(void **state)
{
	(void)state;
	struct fixture f;

	open_sink(&f, NULL);
	assert_false(sink_takes_drops(f.sink));
	assert_false(sink_takes_faults(f.sink));
	assert_true(sink_drop(f.sink, &(struct fact_drop){ .text = "lost" }));
	assert_true(sink_fault(f.sink, &(struct fact_fault){ .text = "bad" }));
	assert_true(sink_snapshot(f.sink, &(struct fact_snapshot){ 0 }));
	sink_option(f.sink, "quiet", NULL);
	sink_end(f.sink, &(struct fact_end){ 0 });
	assert_int_equal(sink_top(f.sink, 1), 0);
	close_sink(&f, "");
}

static void test_full_disk(void **state)
{
	(void)state;
	const struct event event = { .probe = 0 };
	const struct schema_clause clause = clause_of(&event);
	struct fixture f;

	open_sink(&f, NULL);
	fclose(f.output.file);
	free(f.written);
	output_set_file(&f.output, fopen("/dev/full", "w"));
	assert_non_null(f.output.file);
	tell(&f, &event, &clause);
	assert_int_equal(sink_flush(f.sink), -28);
	/* the error stays */
	assert_int_equal(sink_flush(f.sink), -28);
	sink_close(f.sink);
	fclose(f.output.file);
	options_free(&f.options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_pieces_apart),
		cmocka_unit_test(test_flow),
		cmocka_unit_test(test_silent_records),
		cmocka_unit_test(test_open_lines),
		cmocka_unit_test(test_not_ours),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
