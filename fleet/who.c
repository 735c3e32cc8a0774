/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/who.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/table.h"

static const uint64_t SECOND = 1000000000;
enum {
	BEGIN = 10,   /* seconds until hosts have compiled a program */
	LATE = 5,     /* seconds that a message may come after its rows */
	SILENCE = 2,  /* seconds: then there is nothing */
	PATIENCE = 8, /* seconds in all */
};

struct share {
	char *host;
	uint64_t count;
};

struct who {
	struct sink sink;
	struct who_question question;
	char *name, *function;
	struct merge *merge;
	struct table shares; /* by host */
	uint64_t begun, heard; /* monotonic */
	bool is_done, is_whole, has_any;
};

/* --------------------------------------------------------------- messages */

/* $JS.ACK.stream.consumer.delivered.sequence.CONSUMED.TIME.PENDING */
static bool read_place(const char *reply, uint64_t *consumed, uint64_t *time,
		       uint64_t *pending)
{
	unsigned long long number, at, left;

	for (int i = 0; reply && i < 6; i++) {
		reply = strchr(reply, '.');
		reply = reply ? reply + 1 : NULL;
	}
	if (!reply || sscanf(reply, "%llu.%llu.%llu", &number, &at, &left) != 3)
		return false;
	*consumed = number;
	*time = at;
	*pending = left;
	return true;
}

void who_take(struct who *who, const struct bus_message *message)
{
	uint64_t consumed, time, pending;

	/* of the question before this one */
	if (!read_place(message->reply, &consumed, &time, &pending) ||
	    (!who->has_any && consumed != 1))
		return;
	char *host = bus_word_of(message->subject, 4);

	who->heard = clock_monotonic();
	/* does the stream begin later than the question? */
	if (!who->has_any)
		who->is_whole = time / 1000000 <= who->question.from + 2500 ||
				time / 1000000 <=
					who->question.begun + BEGIN * 1000;
	who->has_any = true;
	who->is_done |= !pending ||
			time / 1000000 > who->question.to + LATE * 1000;
	merge_add(who->merge, host, message->data, message->n, 0);
	free(host);
}

bool who_is_done(const struct who *who)
{
	uint64_t now = clock_monotonic();

	return who->is_done || now - who->heard > SILENCE * SECOND ||
	       now - who->begun > PATIENCE * SECOND;
}

/* ----------------------------------------------------------------- counts */

static void add_share(struct who *who, const struct fact_value *host,
		      uint64_t count)
{
	struct str key = { (const char *)host->bytes, fact_length(host) };
	struct share *share = table_get(&who->shares, key);

	if (!share) {
		share = must_alloc(sizeof(*share));
		share->host = strndup(key.p, key.n);
		table_put(&who->shares, str_of(share->host), share);
	}
	share->count += count;
}

/* What of a row is in the cell. */
static uint64_t count_of(const struct who *who,
			 const struct schema_aggregation *aggregation,
			 const int64_t *values)
{
	const struct aggregate *aggregate = aggregation->aggregate;
	uint64_t sum = 0;

	if (!aggregate->range)
		return (uint64_t)aggregate->number(values, 1);
	for (uint32_t i = 0; i < aggregation->nvalues; i++)
		if (i >= who->question.low && i <= who->question.high)
			sum += (uint64_t)values[i];
	return sum;
}

static bool count_rows(struct sink *sink, const struct fact_snapshot *snapshot)
{
	struct who *who = (struct who *)sink;
	const struct fact_table *table = snapshot->table;
	const struct schema_aggregation *aggregation = table->aggregations[0];
	const char *name = strcmp(aggregation->name, "_") ? aggregation->name
							  : "";
	uint64_t t = snapshot->second * 1000;

	if (t < who->question.from || t >= who->question.to ||
	    strcmp(name, who->name) != 0 ||
	    strcmp(aggregation->function, who->function) != 0)
		return true;
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		table->row(table, i, &row);
		uint64_t count = count_of(who, aggregation, row.values[0]);

		if (count)
			add_share(who, &row.keys[0], count);
	}
	return true;
}

static const struct sink_class who_class = { .snapshot = count_rows };

static int compare(const void *a, const void *b)
{
	const struct share *x = *(struct share *const *)a,
			   *y = *(struct share *const *)b;

	return x->count != y->count ? (x->count < y->count) -
					      (x->count > y->count)
				    : strcmp(x->host, y->host);
}

json_t *who_answer(struct who *who)
{
	enum { MOST = 1024 };
	struct merge_column columns[MOST];
	uint32_t n = merge_columns(who->merge, columns, MOST);
	json_t *hosts = json_array();

	for (uint32_t i = 0; i < n; i++)
		merge_show(who->merge, columns[i].second, &who->sink, true);
	n = who->shares.count;
	struct share **shares = must_alloc((n + 1) * sizeof(*shares));

	for (uint32_t i = 0; i < n; i++)
		shares[i] = who->shares.entries[i].value;
	qsort(shares, n, sizeof(*shares), compare);
	for (uint32_t i = 0; i < n && i < WHO_HOSTS; i++)
		json_array_append_new(hosts,
				      json_pack("{s:s, s:I}", "host",
						shares[i]->host, "count",
						(json_int_t)shares[i]->count));
	free(shares);
	return json_pack("{s:o, s:i, s:b}", "hosts", hosts, "all", (int)n,
			 "whole", who->is_whole);
}

/* ----------------------------------------------------------------- public */

static const char *word_of(void *context, const char *host, const char *name)
{
	(void)context;
	(void)name;
	return host;
}

struct who *who_ask(struct fleet *fleet, const struct who_question *question)
{
	static const char *const by[] = { "host" };
	struct who *who = must_alloc(sizeof(*who));

	who->sink.class = &who_class;
	who->question = *question;
	who->name = must_strdup(question->name);
	who->function = must_strdup(question->function);
	who->begun = who->heard = clock_monotonic();
	who->merge = merge_new(&(struct merge_setup){
		.instrumentation = fleet_id(fleet),
		.most_host_rows = 20000,
		.most_rows = 1000000,
		.most_hosts = 100000,
		.most_bytes = 512 << 20,
		.by = by,
		.nby = 1,
		.word = word_of,
	});
	return who;
}

void who_free(struct who *who)
{
	if (!who)
		return;
	for (uint32_t i = 0; i < who->shares.count; i++) {
		struct share *share = who->shares.entries[i].value;

		free(share->host);
		free(share);
	}
	table_free(&who->shares);
	merge_free(who->merge);
	free(who->name);
	free(who->function);
	free(who);
}
