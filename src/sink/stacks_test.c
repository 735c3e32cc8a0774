/* SPDX-License-Identifier: Apache-2.0 */
/* Rows become stacks: the order of keys and frames, idle CPUs. */
#include "sink/stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"

/* A stack is the name of its only function. */
static const char *name_stack(void *context, const struct fact_value *value,
			      frame_visit *visit, void *data)
{
	(void)context;
	if (value->size)
		visit(data, &(struct fact_frame){
				    .kind = value->symbol == SYMBOL_STACK
						    ? FRAME_KERNEL
						    : FRAME_USER,
				    .function = (const char *)value->bytes,
			    });
	return NULL;
}

static struct fact_row row;

static void show_row(const struct fact_table *table, uint32_t i,
		     struct fact_row *out)
{
	(void)table;
	(void)i;
	*out = row;
}

/* Frames of a row with these keys, joined by ";"; "" if it is left out. */
static void expect(const char *flameidle, const char *execname, int32_t pid,
		   const char *kernel, const char *user, const char *expected)
{
	static const struct resolver resolver = { .stack = name_stack };
	struct schema_field fields[] = {
		{ .kind = FACT_STACK, .symbol = SYMBOL_STACK },
		{ .kind = FACT_STRING, .name = "execname" },
		{ .kind = FACT_STACK, .symbol = SYMBOL_USTACK },
		{ .kind = FACT_INTEGER, .name = "pid" },
	};
	struct fact_value keys[] = {
		{ .kind = FACT_STACK,
		  .symbol = SYMBOL_STACK,
		  .bytes = (const uint8_t *)kernel,
		  .field = &fields[0],
		  .size = (uint32_t)strlen(kernel) },
		{ .kind = FACT_STRING,
		  .bytes = (const uint8_t *)execname,
		  .field = &fields[1],
		  .size = (uint32_t)strlen(execname) },
		{ .kind = FACT_STACK,
		  .symbol = SYMBOL_USTACK,
		  .bytes = (const uint8_t *)user,
		  .field = &fields[2],
		  .size = (uint32_t)strlen(user) },
		{ .kind = FACT_INTEGER,
		  .is_signed = true,
		  .bytes = (const uint8_t *)&pid,
		  .field = &fields[3],
		  .size = sizeof(pid) },
	};
	const struct schema_aggregation aggregation = {
		.name = "_",
		.function = "count",
		.keys = fields,
		.nkeys = 4,
		.nvalues = 1,
		.aggregate = agg_find("count", NULL, 1),
	};
	const struct schema_aggregation *all = &aggregation;
	const int64_t value = 7, *values = &value;
	const struct fact_table table = {
		.aggregations = &all,
		.naggregations = 1,
		.keys = fields,
		.nkeys = 4,
		.nrows = 1,
		.row = show_row,
	};
	struct options options;

	row = (struct fact_row){ .keys = keys, .nkeys = 4, .values = &values };
	options_init(&options);
	option_set(&options, "flameidle", flameidle, ORIGIN_COMMAND);
	struct sink *sink = stacks_class.open(&(struct sink_setup){
		.options = &options,
		.resolver = &resolver,
		.has_snapshots = true });

	sink_snapshot(sink, &(struct fact_snapshot){ .table = &table });
	/* a table that is shown adds nothing */
	sink_table(sink, &table);
	struct profile *profile = stacks_profile(sink, NULL);
	struct profile_walk walk = { .profile = profile };
	struct text text = { 0 };

	profile_settle(profile);
	while (profile_next(&walk)) {
		assert_int_equal(profile->nodes[walk.node].total, 7);
		text_printf(&text, "%s%s", text.n ? ";" : "",
			    profile_frame_of(profile, walk.node)->name);
	}
	assert_string_equal(text_str(&text), expected);
	text_free(&text);
	profile_free(profile);
	sink_close(sink);
	options_free(&options);
}

static void test_order(void **state)
{
	(void)state;
	expect("yes", "sh", 5, "vfs_read", "main", "sh;pid 5;main;vfs_read");
	expect("yes", "sh", 5, "", "main", "sh;pid 5;main");
}

static void test_idle(void **state)
{
	(void)state;
	expect("yes", "swapper/1", 0, "do_idle", "", "swapper/1;pid 0;do_idle");
	expect("no", "swapper/1", 0, "", "", "");
	expect("no", "x", 3, "do_idle", "", "");
	/* of a program it is only a name */
	expect("no", "x", 3, "", "do_idle", "x;pid 3;do_idle");
	expect("no", "swap", 3, "vfs_read", "", "swap;pid 3;vfs_read");
	/* without a number here, but with a stack: of another namespace */
	expect("no", "x", 0, "", "main", "x;pid 0;main");
	expect("no", "x", 0, "", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
