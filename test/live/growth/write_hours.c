/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording of a day that never was: keys and stacks that come and go.
 *
 *	write_hours FILE SECONDS ROWS
 *
 * Each second has a snapshot of a histogram by a word and one of stacks, with
 * that many rows each.  Half of the words and stacks are always the same, the
 * others are new in each second, as those of short processes are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "sink/recording.h"

enum { WORD = 24, DEPTH = 32, STACK = (DEPTH + 1) * 8, MOST_ROWS = 1000 };
#define START UINT64_C(1700000000)
#define SECOND UINT64_C(1000000000)

struct day {
	struct fact_table table; /* the first member: rows find the day */
	const struct schema_aggregation *of;
	uint64_t second;
	uint32_t rows;
	char word[WORD];
	uint64_t stack[DEPTH + 1];
	int64_t values[QUANTIZE_BUCKETS];
	struct fact_value key;
	const int64_t *pointers[1];
	char function[32];
};

/* 0 for those that stay. */
static uint64_t novelty(const struct day *day, uint32_t row)
{
	return row % 2 ? day->second * MOST_ROWS + row : 0;
}

static void give_row(const struct fact_table *table, uint32_t i,
		     struct fact_row *row)
{
	struct day *day = (struct day *)(uintptr_t)table;
	const struct schema_aggregation *of = day->of;

	memset(day->values, 0, sizeof(day->values));
	day->key = (struct fact_value){
		.kind = of->keys->kind,
		.symbol = of->keys->symbol,
		.size = of->keys->size,
		.field = of->keys,
	};
	if (of->keys->kind == FACT_STRING) {
		memset(day->word, 0, WORD);
		snprintf(day->word, WORD, "word%u.%llu", i,
			 (unsigned long long)novelty(day, i));
		day->key.bytes = (const uint8_t *)day->word;
		day->values[quantize_bucket(1 << (i % 20))] = 1 + i;
		day->values[quantize_bucket(1000)] += 3;
	} else {
		for (uint32_t depth = 0; depth < DEPTH; depth++)
			day->stack[depth] =
				(depth < DEPTH - 2 ? novelty(day, i) * 64 : 0) +
				i * 64 + depth + 1;
		day->key.bytes = (const uint8_t *)day->stack;
		day->values[0] = 1 + i;
	}
	*row = (struct fact_row){
		.keys = &day->key,
		.nkeys = 1,
		.values = day->pointers,
	};
}

static void name_address(void *context, bool is_user, uint32_t pid,
			 uint64_t address, struct fact_frame *frame)
{
	struct day *day = context;

	(void)is_user;
	(void)pid;
	snprintf(day->function, sizeof(day->function), "function_%llx",
		 (unsigned long long)address);
	*frame = (struct fact_frame){
		.kind = FRAME_KERNEL,
		.address = address,
		.object = "vmlinux",
		.function = day->function,
	};
}

static const char *name_stack(void *context, const struct fact_value *value,
			      frame_visit *visit, void *data)
{
	struct fact_frame frame;

	for (uint32_t i = 0; fact_word(value, i); i++) {
		name_address(context, false, 0, fact_word(value, i), &frame);
		visit(data, &frame);
	}
	return NULL;
}

static void give_second(struct day *day, struct sink *sink)
{
	uint64_t from = (START + day->second) * SECOND;
	struct fact_snapshot snapshot = {
		.second = START + day->second,
		.from = from,
		.to = from + SECOND,
		.table = &day->table,
	};

	sink_snapshot(sink, &snapshot);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: write_hours FILE SECONDS ROWS\n");
		return 2;
	}
	static struct day day;
	const int64_t none[AGGREGATION_PARAMS] = { 0 };
	uint64_t seconds = strtoull(argv[2], NULL, 10);
	struct schema_field word = { .kind = FACT_STRING, .size = WORD,
				     .name = "execname" };
	struct schema_field stack = { .kind = FACT_STACK, .size = STACK,
				      .symbol = SYMBOL_STACK };
	struct schema_aggregation by_word = {
		.name = "latency", .function = "quantize", .id = 0,
		.aggregate = agg_find("quantize", none, QUANTIZE_BUCKETS),
		.is_updated = true, .keys = &word, .nkeys = 1,
		.key_size = WORD, .nvalues = QUANTIZE_BUCKETS,
	};
	struct schema_aggregation by_stack = {
		.name = "stacks", .function = "count", .id = 1,
		.aggregate = agg_find("count", none, 1), .is_updated = true,
		.keys = &stack, .nkeys = 1, .key_size = STACK, .nvalues = 1,
	};
	struct schema_aggregation *all[] = { &by_word, &by_stack };
	struct schema schema = { .aggregations = all, .naggregations = 2 };
	struct resolver resolver = { .context = &day,
				     .address = name_address,
				     .stack = name_stack };
	struct options options;
	const char *problem = NULL;

	options_init(&options);
	struct sink *sink = recording_open(
		&(struct sink_setup){ .options = &options,
				      .resolver = &resolver, .file = argv[1],
				      .has_snapshots = true },
		&problem);

	if (!sink) {
		fprintf(stderr, "write_hours: %s: %s\n", argv[1], problem);
		return 1;
	}
	sink_start(sink, &(struct fact_start){
				 .schema = &schema, .host = "nowhere",
				 .boot = "never", .wall = START * SECOND });
	day.rows = (uint32_t)strtoul(argv[3], NULL, 10);
	if (day.rows > MOST_ROWS)
		day.rows = MOST_ROWS;
	day.pointers[0] = day.values;
	static const uint64_t normal = 1;

	for (day.second = 0; day.second < seconds; day.second++) {
		for (int i = 0; i < 2; i++) {
			day.of = all[i];
			day.table = (struct fact_table){
				.aggregations = &day.of, .normals = &normal,
				.naggregations = 1, .keys = day.of->keys,
				.nkeys = 1, .nrows = day.rows, .row = give_row,
			};
			give_second(&day, sink);
		}
	}
	int status = sink_flush(sink);

	sink_close(sink);
	options_free(&options);
	return status ? 1 : 0;
}
