/* SPDX-License-Identifier: Apache-2.0 */
/* The same hand-made facts, as every sink writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "agg/functions.h"
#include "base/arena.h"
#include "facts/format.h"
#include "sink/output.h"
#include "sink/sink.h"

/* ----------------------------------------------------------------- facts */

static const struct fact_probe probe = {
	.id = 7, .provider = "syscall", .module = "vmlinux",
	.function = "read", .name = "entry",
};
static struct schema_field trace_fields[] = {
	{ .kind = FACT_INTEGER, .is_signed = true, .size = 4,
	  .type = "int" },
};
static struct schema_action trace = {
	.name = "trace", .rule = RULE_VALUE, .fields = trace_fields,
	.nfields = 1,
}, clear = {
	.name = "clear", .rule = RULE_SILENT,
	.aggregations = (uint32_t[]){ 1, 0 }, .naggregations = 2,
}, printa = {
	.name = "printa", .rule = RULE_TABLE,
	.aggregations = (uint32_t[]){ 0, 1 }, .naggregations = 2,
};
static const struct schema_clause clause = {
	.clause = 2, .records = true, .actions = &trace,
};
static struct schema_field keys[] = {
	{ .kind = FACT_STRING, .size = 8, .type = "string",
	  .name = "execname" },
	{ .kind = FACT_INTEGER, .size = 2, .type = "uint16_t" },
};
static struct schema_aggregation counts = {
	.name = "c", .function = "count", .id = 0, .keys = keys, .nkeys = 2,
	.nvalues = 1,
}, sizes = {
	.name = "s", .function = "lquantize", .id = 1, .keys = keys,
	.nkeys = 2, .nvalues = 4, .params = { 0, 20, 10 },
};
static struct schema_aggregation *aggregations[] = { &counts, &sizes };
static const struct schema schema = {
	.aggregations = aggregations, .naggregations = 2,
};

/* Two keys; the second has no sizes. */
static void table_row(const struct fact_table *table, uint32_t i,
		      struct fact_row *row)
{
	static const uint16_t port[] = { 80, 65535 };
	static const int64_t count[] = { 4, 9 };
	static const int64_t buckets[2][4] = { { 1, 0, 6, 2 } };
	static const int64_t *values[2];
	static struct fact_value at[2];

	(void)table;
	at[0] = fact_value_of(&keys[0],
			      (const uint8_t *)(i ? "a,\"b\"\n\0" : "sh"), NULL,
			      NULL);
	at[0].size = i ? 7 : 3;
	at[1] = fact_value_of(&keys[1], (const uint8_t *)&port[i], NULL, NULL);
	values[0] = &count[i];
	values[1] = buckets[i];
	*row = (struct fact_row){ .keys = at, .nkeys = 2, .values = values };
}

static struct fact_table make_table(uint32_t first, uint32_t n)
{
	static const uint64_t normals[] = { 1, 2 };
	static const struct schema_aggregation *const all[] = { &counts,
								&sizes };

	counts.aggregate = agg_count.aggregate;
	sizes.aggregate = agg_lquantize.aggregate;
	return (struct fact_table){
		.aggregations = all + first,
		.normals = normals + first,
		.naggregations = n,
		.keys = keys,
		.nkeys = 2,
		.stamp = 1500,
		.nrows = 2,
		.row = table_row,
	};
}

/* A whole run; the order of calls is that of facts/sink.h. */
static void tell_run(struct sink *sink)
{
	const int32_t number = -5;
	const struct fact_value value = fact_value_of(&trace_fields[0],
						      (const uint8_t *)&number,
						      NULL, NULL);
	const struct fact_table both = make_table(0, 2);
	const struct fact_table one = make_table(0, 1);
	const struct fact_record record = {
		.clause = &clause, .probe = &probe, .cpu = 1, .stamp = 1200,
	};
	const struct fact_action actions[] = {
		{ .action = &trace, .values = &value },
		{ .action = &printa, .table = &both },
		{ .action = &clear },
	};
	const struct fact_snapshot snapshot = {
		.second = 12, .from = 12000000000, .to = 13000000000,
		.table = &one,
	};
	const struct fact_drop drop = {
		.kind = DROP_PRINCIPAL, .cpu = -1, .count = 3, .stamp = 1300,
		.text = "3 drops",
	};
	const struct fact_fault fault = {
		.probe = &probe, .clause = 2, .code = 4,
		.what = "divide-by-zero", .value = 0, .stamp = 1400,
		.text = "error in \"x\"",
	};
	const struct fact_end end = {
		.stamp = 1600, .has_status = true, .status = 3,
	};
	const struct fact_start start = {
		.schema = &schema, .stamp = 1000, .wall = 5000,
	};

	assert_true(sink_start(sink, &start));
	assert_true(sink_record(sink, &record));
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		assert_true(sink_action(sink, &record, &actions[i]));
	assert_true(sink_done(sink, &record));
	assert_true(sink_drop(sink, &drop));
	assert_true(sink_fault(sink, &fault));
	assert_true(sink_snapshot(sink, &snapshot));
	sink_option(sink, "quiet", NULL);
	sink_summary(sink);
	assert_true(sink_table(sink, &one));
	sink_end(sink, &end);
}

/* How a sink of that class shows the run. */
static void check(const struct sink_class *class,
		  void (*tell)(struct sink *sink), const char *expected)
{
	struct options options;
	struct output output = { 0 };
	char *written = NULL;
	size_t size = 0;

	options_init(&options);
	output_set_file(&output, open_memstream(&written, &size));
	struct sink *sink = class->open(&(struct sink_setup){
		.output = &output,
		.options = &options,
	});

	tell(sink);
	assert_int_equal(sink_flush(sink), 0);
	sink_close(sink);
	fclose(output.file);
	assert_string_equal(written, expected);
	free(written);
	options_free(&options);
}

/* ----------------------------------------------------------------- sinks */

static void test_text(void **state)
{
	(void)state;
	check(&sink_text, tell_run,
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  1      7                       read:entry          -5\n"
	      "  sh                                                    80                4\n"
	      "           value  ------------- Distribution ------------- count    \n"
	      "             < 0 |@@@@                                     0        \n"
	      "               0 |                                         0        \n"
	      "              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              3        \n"
	      "           >= 20 |@@@@@@@@@                                1        \n"
	      "\n"
	      "  a,\"b\"\n"
	      "                                             65535                9\n"
	      "           value  ------------- Distribution ------------- count    \n"
	      "             < 0 |                                         0        \n"
	      "               0 |                                         0        \n"
	      "              10 |                                         0        \n"
	      "\n\n\n"
	      "  sh                                                    80                4\n"
	      "  a,\"b\"\n"
	      "                                             65535                9\n");
}

#define CLOCKS(stamp, wall) \
	"\"timestamp\": " #stamp ", \"walltimestamp\": " #wall
#define PROBE \
	"\"probe\": {\"id\": 7, \"provider\": \"syscall\", " \
	"\"module\": \"vmlinux\", \"function\": \"read\", " \
	"\"name\": \"entry\"}"
#define KEYS \
	"\"keys\": [{\"name\": \"execname\", \"type\": \"string\"}, " \
	"{\"name\": null, \"type\": \"uint16_t\"}]"
#define COUNTS "{\"name\": \"c\", \"function\": \"count\", \"normal\": 1}"
#define ONE \
	"{\"aggregations\": [" COUNTS "], " KEYS ", \"rows\": [" \
	"{\"key\": [\"sh\", 80], \"value\": [4]}, " \
	"{\"key\": [\"a,\\\"b\\\"\\n\", 65535], \"value\": [9]}]}"
#define RECORD_ITEM \
	"{\"type\": \"record\", " CLOCKS(1200, 5200) ", \"cpu\": 1, " PROBE \
	", \"actions\": [{\"action\": \"trace\", \"values\": [-5], " \
	"\"text\": \"-5\"}, {\"action\": \"printa\", " \
	"\"names\": [\"c\", \"s\"], \"table\": {\"aggregations\": [" COUNTS \
	", {\"name\": \"s\", \"function\": \"lquantize\", \"normal\": 2}], " \
	KEYS ", \"rows\": [{\"key\": [\"sh\", 80], \"value\": " \
	"[4, [[null, -1, 0], [10, 19, 3], [20, null, 1]]]}, " \
	"{\"key\": [\"a,\\\"b\\\"\\n\", 65535], \"value\": [9, []]}]}}, " \
	"{\"action\": \"clear\", \"names\": [\"s\", \"c\"]}]}"
#define DROP_ITEM \
	"{\"type\": \"drop\", " CLOCKS(1300, 5300) ", " \
	"\"kind\": \"PRINCIPAL\", \"count\": 3, \"cpu\": null, " \
	"\"text\": \"3 drops\"}"
#define ERROR_ITEM \
	"{\"type\": \"error\", " CLOCKS(1400, 5400) ", " PROBE ", " \
	"\"clause\": 2, \"fault\": \"divide-by-zero\", \"code\": 4, " \
	"\"value\": 0, \"text\": \"error in \\\"x\\\"\"}"
#define SNAPSHOT_ITEM \
	"{\"type\": \"snapshot\", \"second\": 12, \"from\": 12000000000, " \
	"\"to\": 13000000000, \"table\": " ONE "}"
#define TABLE_ITEM \
	"{\"type\": \"aggregation\", " CLOCKS(1500, 5500) ", \"table\": " ONE \
	"}"
#define END_ITEM \
	"{\"type\": \"end\", " CLOCKS(1600, 5600) ", \"status\": 3}"

static void test_json(void **state)
{
	(void)state;
	check(&sink_json, tell_run,
	      "{\"version\": 1, " CLOCKS(1000,
					 5000) ", \"items\": [\n" RECORD_ITEM
					       ",\n" DROP_ITEM ",\n" ERROR_ITEM
					       ",\n" SNAPSHOT_ITEM
					       ",\n" TABLE_ITEM ",\n" END_ITEM
					       "\n]}\n");
}

static void test_ndjson(void **state)
{
	(void)state;
	check(&sink_ndjson, tell_run,
	      "{\"type\": \"start\", \"version\": 1, " CLOCKS(
		      1000, 5000) "}\n" RECORD_ITEM "\n" DROP_ITEM
				  "\n" ERROR_ITEM "\n" SNAPSHOT_ITEM
				  "\n" TABLE_ITEM "\n" END_ITEM "\n");
}

/* Tables only: those of printa(), and those left at the end. */
static void test_csv(void **state)
{
	(void)state;
	check(&sink_csv, tell_run,
	      "aggregation,execname,key2,count\n"
	      "c,sh,80,4\n"
	      "c,\"a,\"\"b\"\"\n\",65535,9\n"
	      "aggregation,execname,key2,low,high,count\n"
	      "s,sh,80,,-1,0\n"
	      "s,sh,80,10,19,3\n"
	      "s,sh,80,20,,1\n"
	      "aggregation,execname,key2,count\n"
	      "c,sh,80,4\n"
	      "c,\"a,\"\"b\"\"\n\",65535,9\n");
}

/* A run in which nothing happens; one that exit() has not ended. */
static void tell_nothing(struct sink *sink)
{
	sink_start(sink, &(struct fact_start){
				 .schema = &schema,
				 .stamp = 1000,
				 .wall = 5000,
			 });
	sink_summary(sink);
	sink_end(sink, &(struct fact_end){ .stamp = 1600 });
}

static void test_nothing(void **state)
{
	static const char end[] =
		"{\"type\": \"end\", " CLOCKS(1600, 5600) ", \"status\": null}";
	struct text text = { 0 };

	(void)state;
	check(&sink_text, tell_nothing, "\n");
	text_printf(&text, "{\"version\": 1, %s, \"items\": [\n%s\n]}\n",
		    CLOCKS(1000, 5000), end);
	check(&sink_json, tell_nothing, text_str(&text));
	text_clear(&text);
	text_printf(&text, "{\"type\": \"start\", \"version\": 1, %s}\n%s\n",
		    CLOCKS(1000, 5000), end);
	check(&sink_ndjson, tell_nothing, text_str(&text));
	text_free(&text);
	check(&sink_csv, tell_nothing, "");
}

/* The start alone writes nothing: the run may still fail to start. */
static void tell_start(struct sink *sink)
{
	sink_start(sink, &(struct fact_start){ .schema = &schema });
}

static void test_start(void **state)
{
	(void)state;
	check(&sink_text, tell_start, "");
	check(&sink_json, tell_start, "");
	check(&sink_ndjson, tell_start, "");
	check(&sink_csv, tell_start, "");
}

/* Structured sinks handle drops and faults; text leaves them. */
static void test_takes(void **state)
{
	(void)state;
	assert_true(sink_json.drop && sink_json.fault);
	assert_true(sink_ndjson.drop && sink_ndjson.fault);
	assert_false(sink_text.drop || sink_text.fault);
	assert_false(sink_csv.drop || sink_csv.fault);
}

static void test_names(void **state)
{
	static const char *const names[] = { "text", "json", "ndjson", "csv" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct options options;

		options_init(&options);
		assert_string_equal(sink_class_of(&options)->name, "text");
		assert_int_equal(option_set(&options, "oformat", names[i],
					    ORIGIN_COMMAND),
				 0);
		assert_string_equal(sink_class_of(&options)->name, names[i]);
		options_free(&options);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_json),
		cmocka_unit_test(test_ndjson), cmocka_unit_test(test_csv),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_start),
		cmocka_unit_test(test_takes), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
