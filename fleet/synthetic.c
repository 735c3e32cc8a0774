/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/synthetic.h"

#include <stdio.h>
#include <stdlib.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/text.h"

static const uint64_t SECOND = 1000000000;

/* ----------------------------------------------------------- the program */

static struct schema_field fields[] = {
	{ .kind = FACT_STRING, .size = 64, .type = "string", .name = "execname" },
	{ .kind = FACT_INTEGER, .size = 4, .is_signed = true, .offset = 64,
	  .type = "int", .name = "cpu" },
	{ .kind = FACT_STACK, .symbol = SYMBOL_STACK, .size = 8, .offset = 72,
	  .type = "stack" },
};
static struct schema_field symbol_fields[] = {
	{ .kind = FACT_STRING, .size = 64, .type = "string", .name = "execname" },
	{ .kind = FACT_INTEGER, .size = 4, .is_signed = true, .offset = 64,
	  .type = "int", .name = "cpu" },
	{ .kind = FACT_SYMBOL, .symbol = SYMBOL_USYM, .size = 16, .offset = 72,
	  .type = "usymaddr" },
};

static void make_aggregation(struct schema_aggregation *layout, uint32_t id,
			     const struct function *function)
{
	*layout = (struct schema_aggregation){
		.name = function->name,
		.function = function->name,
		.aggregate = function->aggregate,
		.id = id,
		.is_updated = true,
		.keys = fields,
		.nkeys = 2,
		.key_size = 72,
	};
	if (!strcmp(function->name, "count"))
		layout->nkeys = 3;
	if (!strcmp(function->name, "sum")) {
		layout->nkeys = 3;
		layout->keys = symbol_fields;
	}
	if (!strcmp(function->name, "lquantize"))
		memcpy(layout->params, (int64_t[4]){ 0, 1000, 10 },
		       sizeof(layout->params));
	if (!strcmp(function->name, "llquantize"))
		memcpy(layout->params, (int64_t[4]){ 10, 0, 6, 20 },
		       sizeof(layout->params));
	layout->nvalues = function->aggregate->nvalues(layout->params);
}

static void name_program(uint32_t key, char *name, size_t size)
{
	static const char *const programs[] = {
		"postgres", "nginx", "redis-server", "java", "", "sshd",
		"a name of more than fifteen bytes", "node",
	};

	snprintf(name, size, "%s", programs[key % 8]);
}

static struct fact_frame frame_of(uint64_t number)
{
	static const char *const functions[] = {
		"vfs_read", "tcp_sendmsg", "do_syscall_64", "schedule", "main",
		"ext4_file_read_iter", "__x64_sys_futex", NULL,
	};
	struct fact_frame frame = {
		.kind = number % 3 ? FRAME_KERNEL : FRAME_USER,
		.object = number % 11 ? "vmlinux" : NULL,
		.function = functions[number % 8],
		.offset = number % 64,
	};

	if (!frame.object)
		frame.function = NULL;
	if (!frame.object || !frame.function)
		frame.address = frame.offset = number * 16;
	if (!frame.object)
		frame.offset = 0;
	return frame;
}

static void find_address(void *context, bool is_user, uint32_t pid,
			 uint64_t address, struct fact_frame *frame)
{
	const struct synthetic *host = context;

	(void)pid;
	(void)is_user;
	*frame = frame_of(address - host->base);
	/* where it is on this host, which nobody else may care for */
	if (frame->object)
		frame->address = address;
}

static const char *find_stack(void *context, const struct fact_value *value,
			      frame_visit *visit, void *data)
{
	const struct synthetic *host = context;
	uint64_t number = fact_word(value, 0) - host->base;

	for (uint64_t i = 0; i < number % SYNTHETIC_FRAMES; i++) {
		struct fact_frame frame = frame_of(number * 7 + i);

		if (frame.object)
			frame.address = host->base + number + i;
		visit(data, &frame);
	}
	return number % 5 ? NULL : "more than 127 frames";
}

/* --------------------------------------------------------------- numbers */

uint64_t synthetic_random(struct synthetic *host)
{
	host->random ^= host->random << 13;
	host->random ^= host->random >> 7;
	host->random ^= host->random << 17;
	return host->random;
}

int64_t synthetic_value(struct synthetic *host)
{
	uint64_t random = synthetic_random(host);

	switch (random >> 60) {
	case 0:
		return (int64_t)synthetic_random(host);
	case 1:
		return -(int64_t)(random % 1000000);
	case 2:
		return 0;
	default:
		return (int64_t)(random % 100000);
	}
}

void synthetic_update(const struct schema_aggregation *layout, int64_t value,
		      int64_t *words)
{
	const char *name = layout->function;
	unsigned __int128 square = (unsigned __int128)((__int128)value * value);

	for (uint32_t i = 0; i < layout->nvalues; i++)
		words[i] = agg_identity(layout->aggregate, i);
	if (!strcmp(name, "quantize")) {
		words[quantize_bucket(value)] = 1;
	} else if (!strcmp(name, "lquantize")) {
		words[lquantize_bucket(value, layout->params)] = 1;
	} else if (!strcmp(name, "llquantize")) {
		words[llquantize_bucket(value, layout->params)] = 1;
	} else if (!strcmp(name, "count")) {
		words[0] = 1;
	} else if (layout->nvalues == 1) {
		words[0] = value;
	} else {
		words[0] = 1;
		words[1] = value;
	}
	if (!strcmp(name, "stddev")) {
		words[2] = (int64_t)(uint64_t)square;
		words[3] = (int64_t)(uint64_t)(square >> 64);
	}
}

static uint32_t place(const struct synthetic *host, uint32_t agg, uint32_t key)
{
	return agg * host->nkeys + key;
}

void synthetic_count(struct synthetic *host, uint32_t agg, uint32_t key,
		     int64_t value)
{
	const struct schema_aggregation *layout = &host->aggs[agg];
	uint32_t at = place(host, agg, key);
	int64_t *words = must_alloc(layout->nvalues * sizeof(*words));

	synthetic_update(layout, value, words);
	if (host->is_counted[at])
		layout->aggregate->merge(host->words[at], words,
					 layout->nvalues);
	else
		memcpy(host->words[at], words, layout->nvalues * 8);
	host->is_counted[at] = true;
	free(words);
}

/* ----------------------------------------------------------------- facts */

struct taken {
	struct fact_table fact;
	const struct synthetic *host;
	uint32_t agg;
	uint32_t keys[SYNTHETIC_KEYS * 64]; /* those that were counted */
	uint8_t bytes[96];
	struct fact_value values[3];
	const int64_t *words[1];
};

static void show_row(const struct fact_table *table, uint32_t i,
		     struct fact_row *row)
{
	struct taken *taken = (struct taken *)table;
	uint32_t key = taken->keys[i];
	uint64_t address = taken->host->base + key;
	int32_t number = (int32_t)key;

	memset(taken->bytes, 0, sizeof(taken->bytes));
	name_program(key, (char *)taken->bytes, 64);
	memcpy(taken->bytes + 64, &number, sizeof(number));
	memcpy(taken->bytes + 72, &address, sizeof(address));
	memcpy(taken->bytes + 80, &address, sizeof(address));
	for (uint32_t n = 0; n < table->nkeys; n++)
		fact_stored(&taken->values[n], &table->keys[n], taken->bytes);
	taken->words[0] =
		taken->host->words[place(taken->host, taken->agg, key)];
	*row = (struct fact_row){
		.keys = taken->values,
		.nkeys = table->nkeys,
		.values = taken->words,
	};
}

void synthetic_take(struct synthetic *host, uint64_t second, struct sink *sink)
{
	struct fact_snapshot snapshot = {
		.second = second,
		.from = second * SECOND,
		.to = (second + 1) * SECOND,
	};
	struct taken *taken = must_alloc(sizeof(*taken));

	for (uint32_t agg = 0; agg < host->naggs; agg++) {
		const struct schema_aggregation *layout = &host->aggs[agg];

		taken->fact = (struct fact_table){
			.aggregations = &layout,
			.naggregations = 1,
			.normals = (const uint64_t[]){ 1 },
			.keys = layout->keys,
			.nkeys = layout->nkeys,
			.row = show_row,
		};
		taken->host = host;
		taken->agg = agg;
		for (uint32_t key = 0; key < host->nkeys; key++)
			if (host->is_counted[place(host, agg, key)])
				taken->keys[taken->fact.nrows++] = key;
		snapshot.table = &taken->fact;
		if (taken->fact.nrows)
			sink_snapshot(sink, &snapshot);
	}
	free(taken);
	memset(host->is_counted, 0, host->naggs * host->nkeys);
}

void synthetic_name(const struct schema_aggregation *aggregation, uint32_t key,
		    struct text *out)
{
	char name[64];

	name_program(key, name, sizeof(name));
	text_printf(out, "%s %d", name, (int)key);
	(void)aggregation;
}

void synthetic_init(struct synthetic *host, uint64_t seed, uint32_t nkeys)
{
	uint32_t n = 0;

	*host = (struct synthetic){ .random = seed * 2654435761u +
					      88172645463325252ull };
	host->aggs = must_alloc(SYNTHETIC_AGGS * sizeof(*host->aggs));
	for (const struct function *const *row = agg_functions; *row; row++) {
		make_aggregation(&host->aggs[n], n, *row);
		n++;
	}
	host->naggs = n;
	host->nkeys = nkeys;
	host->base = synthetic_random(host) & 0xffffffff000;
	host->resolver = (struct resolver){
		.context = host,
		.address = find_address,
		.stack = find_stack,
	};
	host->words = must_alloc(n * nkeys * sizeof(*host->words));
	host->is_counted = must_alloc(n * nkeys);
	for (uint32_t agg = 0; agg < n; agg++)
		for (uint32_t key = 0; key < nkeys; key++)
			host->words[agg * nkeys + key] =
				must_alloc(host->aggs[agg].nvalues * 8);
}

void synthetic_free(struct synthetic *host)
{
	for (uint32_t i = 0; i < host->naggs * host->nkeys; i++)
		free(host->words[i]);
	free(host->words);
	free(host->is_counted);
	free(host->aggs);
}
