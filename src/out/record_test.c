/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of records: header, head, -q, testing, -F with its look-ahead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "out/out.h"

static const struct lower_probe probes[] = {
	{1, "dtrace", "", "", "BEGIN", false},
	{10, "syscall", "vmlinux", "read", "entry", false},
	{11, "syscall", "vmlinux", "read", "return", false},
	{12, "fbt", "vmlinux", "vfs_read", "entry", false},
	{13, "fbt", "vmlinux", "vfs_read", "return", false},
};

struct event {
	uint32_t probe, clause, skipped;
	bool is_cut;
};

static bool print_x(struct printer *printer, const struct record_action *action,
		    const uint8_t *record)
{
	(void)action;
	(void)record;
	fputs("x", printer->file);
	return true;
}

static const struct function x_function = {.name = "x", .print = print_x};

/* What these records print, with these options on. */
static char *print_events(const struct event *events, size_t n,
			  const char *const *names, bool testing)
{
	struct options options;
	char *output = NULL;
	size_t size;

	options_init(&options);
	for (; names && *names; names++)
		option_set(&options, *names, NULL, ORIGIN_COMMAND);
	struct printer printer = {
		.file = open_memstream(&output, &size),
		.options = &options,
		.cpu = 3,
		.testing = testing,
	};
	struct record_action action = {.function = &x_function};
	struct record_layout layouts[8];

	for (size_t i = 0; i < n; i++)
		layouts[i] = (struct record_layout){
			.records = true,
			.actions = &action,
			.clause = events[i].clause,
			.skipped = events[i].skipped,
			.is_cut = events[i].is_cut,
		};
	for (size_t i = 0; i < n; i++) {
		const struct lower_probe *probe = &probes[events[i].probe];
		struct abi_record record = {
			.probe = probe->id,
			.clause = (uint32_t)i,
		};

		printer.layout = &layouts[i];
		printer.record = &record;
		printer.probe = probe;
		printer.next = NULL;
		if (i + 1 < n) {
			printer.next = &layouts[i + 1];
			printer.next_probe = probes[events[i + 1].probe].id;
		}
		assert_true(printer_record(&printer));
		printer.last = &layouts[i];
		printer.last_probe = record.probe;
	}
	assert_int_equal(printer_flush(&printer), 0);
	fclose(printer.file);
	text_free(&printer.scratch);
	options_free(&options);
	return output;
}

static void check(const struct event *events, size_t n,
		  const char *const *names, bool testing, const char *expected)
{
	char *output = print_events(events, n, names, testing);

	assert_string_equal(output, expected);
	free(output);
}

static void test_lines(void **state)
{
	(void)state;
	const struct event events[] = {{0, 0, 0, false}, {1, 1, 0, false}};

	check(events, 2, NULL, false,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  3      1                           :BEGIN x\n"
	      "  3     10                       read:entry x\n");
	check(events, 2, NULL, true,
	      "                   FUNCTION:NAME\n"
	      "                          :BEGIN x\n"
	      "                      read:entry x\n");
	check(events, 2, (const char *const[]){"quiet", NULL}, false, "xx");
}

/* Pieces of one clause are one line, whether all of them come or not. */
static void test_pieces(void **state)
{
	(void)state;
	const struct event events[] = {
		{0, 0, 0, true}, {0, 0, 3, true}, {0, 0, 5, false},
		{1, 1, 0, true}, {1, 1, 0, true}, {1, 1, 2, true},
	};

	check(events, 6, NULL, false,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  3      1                           :BEGIN xxx\n"
	      "  3     10                       read:entry x\n"
	      "  3     10                       read:entry xx\n");
	check(events, 6, (const char *const[]){"quiet", NULL}, false, "xxxxxx");
	check(events, 6, (const char *const[]){"flowindent", NULL}, false,
	      "CPU FUNCTION                                 \n"
	      "  3 | :BEGIN                                  xxx\n"
	      "  3  => read                                  x\n"
	      "  3    => read                                xx\n");
}

static void test_flow(void **state)
{
	(void)state;
	const struct event events[] = {
		{0, 0, 0, false}, {1, 1, 0, false}, {1, 2, 0, false},
		{3, 1, 0, false}, {4, 1, 0, false}, {4, 2, 0, false},
		{2, 1, 0, false}, {2, 1, 0, false},
	};

	check(events, 8, (const char *const[]){"flowindent", NULL}, false,
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

static void test_guard(void **state)
{
	(void)state;
	struct options options;
	char *output = NULL;
	size_t size;
	struct record_action action = {
		.function = &x_function,
		.guard = sizeof(struct abi_record),
	};
	struct record_layout layout = {.actions = &action};
	uint64_t record[8] = {0};

	options_init(&options);
	struct printer printer = {
		.file = open_memstream(&output, &size),
		.options = &options,
		.layout = &layout,
		.probe = &probes[0],
		.record = (const struct abi_record *)record,
	};

	assert_true(printer_record(&printer));
	record[sizeof(struct abi_record) / 8] = 1;
	assert_true(printer_record(&printer));
	fclose(printer.file);
	assert_string_equal(output, "x");
	free(output);
	options_free(&options);
}

static void test_full_disk(void **state)
{
	(void)state;
	struct printer printer = {.file = fopen("/dev/full", "w")};

	assert_non_null(printer.file);
	fputs("text", printer.file);
	assert_int_equal(printer_flush(&printer), -28);
	fclose(printer.file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	  cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_flow),	  cmocka_unit_test(test_guard),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
