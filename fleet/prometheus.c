/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/prometheus.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "fleet/bus.h"
#include "fleet/fleet.h"

enum { MOST_SERIES = 1000, CLIENTS = 16 };

struct prometheus {
	struct MHD_Daemon *daemon;
	void (*fill)(void *context, struct prometheus_page *page);
	void *context;
};

struct prometheus_page {
	struct sink sink; /* takes tables of totals */
	struct text *out;
	struct table *typed; /* names that have their type */
	struct text types;   /* of them, "\n"-separated */
	const char *id;
	const struct resolver *resolver;
	uint32_t nseries, nleft;
};

/* ------------------------------------------------------------------ text */

static void put_type(struct prometheus_page *page, const char *name,
		     const char *type, const char *about)
{
	char line[300];

	/* a name has one type, however many instrumentations have it */
	snprintf(line, sizeof(line), "\n%s\n", name);
	if (strstr(text_str(&page->types), line))
		return;
	text_puts(&page->types, line);
	text_printf(page->out, "# HELP %s %s\n# TYPE %s %s\n", name, about,
		    name, type);
}

void prometheus_number(struct prometheus_page *page, const char *name,
		       const char *type, const char *about, const char *labels,
		       uint64_t number)
{
	put_type(page, name, type, about);
	text_printf(page->out, *labels ? "%s{%s} %llu\n" : "%s%s %llu\n", name,
		    labels, (unsigned long long)number);
}

/* Names of metrics and labels: letters, digits, underscores. */
static void put_word(struct text *out, const char *word)
{
	for (; *word; word++)
		text_putc(out, (*word | 32) >= 'a' && (*word | 32) <= 'z'
				       ? *word
			       : *word >= '0' && *word <= '9' ? *word
							      : '_');
}

static void put_escaped(struct text *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\\' || c == '"')
			text_putc(out, '\\');
		text_putc(out, c < ' ' || c >= 127 ? '?' : (char)c);
	}
}

static void put_value(struct prometheus_page *page,
		      const struct fact_value *value, struct text *out)
{
	struct fact_frame frame;

	switch (value->kind) {
	case FACT_INTEGER:
		text_printf(out, "%lld", (long long)fact_integer(value));
		break;
	case FACT_STRING:
		put_escaped(out, (const char *)value->bytes,
			    fact_length(value));
		break;
	case FACT_SYMBOL:
		fact_symbol(page->resolver, value, &frame);
		put_escaped(out, frame.object ? frame.object : "",
			    frame.object ? strlen(frame.object) : 0);
		text_putc(out, '`');
		put_escaped(out, frame.function ? frame.function : "",
			    frame.function ? strlen(frame.function) : 0);
		break;
	default:
		break;
	}
}

/* instrumentation="x",execname="sshd" */
static void put_labels(struct prometheus_page *page, const struct fact_row *row,
		       struct text *out)
{
	text_printf(out, "instrumentation=\"%s\"", page->id);
	for (uint32_t i = 0; i < row->nkeys; i++) {
		const struct schema_field *field = row->keys[i].field;

		text_putc(out, ',');
		if (field && field->name && (*field->name | 32) >= 'a' &&
		    (*field->name | 32) <= 'z')
			put_word(out, field->name);
		else
			text_printf(out, "key%u", i + 1);
		text_puts(out, "=\"");
		put_value(page, &row->keys[i], out);
		text_putc(out, '"');
	}
}

/* ---------------------------------------------------------------- tables */

/* Up to the last bucket that is used; buckets are cumulative. */
static void put_histogram(struct prometheus_page *page, const char *name,
			  const struct schema_aggregation *aggregation,
			  const char *labels, const int64_t *values)
{
	uint64_t total = 0;
	uint32_t last = 0;

	for (uint32_t i = 0; i < aggregation->nvalues; i++)
		if (values[i])
			last = i;
	for (uint32_t i = 0; i <= last; i++) {
		struct agg_range range =
			aggregation->aggregate->range(aggregation->params,
						      aggregation->nvalues, i);

		total += (uint64_t)values[i];
		if (total && !range.is_open_above)
			text_printf(page->out,
				    "%s_bucket{%s,le=\"%lld\"} %llu\n", name,
				    labels, (long long)range.high,
				    (unsigned long long)total);
	}
	text_printf(page->out, "%s_bucket{%s,le=\"+Inf\"} %llu\n", name, labels,
		    (unsigned long long)total);
	text_printf(page->out, "%s_count{%s} %llu\n", name, labels,
		    (unsigned long long)total);
}

static void put_row(struct prometheus_page *page, const char *name,
		    const struct schema_aggregation *aggregation,
		    const struct fact_row *row)
{
	const int64_t *values = row->values[0];
	struct text labels = { 0 };

	put_labels(page, row, &labels);
	const char *text = text_str(&labels);

	if (aggregation->aggregate->range) {
		put_type(page, name, "histogram", aggregation->function);
		put_histogram(page, name, aggregation, text, values);
	} else if (aggregation->nvalues > 1) {
		put_type(page, name, "summary", aggregation->function);
		text_printf(page->out, "%s_count{%s} %lld\n%s_sum{%s} %lld\n",
			    name, text, (long long)values[0], name, text,
			    (long long)values[1]);
	} else {
		bool is_level = aggregation->aggregate->identity != NULL;

		put_type(page, name, is_level ? "gauge" : "counter",
			 aggregation->function);
		text_printf(page->out, "%s{%s} %lld\n", name, text,
			    (long long)values[0]);
	}
	text_free(&labels);
}

static bool put_table(struct sink *sink, const struct fact_table *table)
{
	struct prometheus_page *page = (struct prometheus_page *)sink;
	const struct schema_aggregation *aggregation = table->aggregations[0];
	struct text name = { 0 };

	for (uint32_t i = 0; i < table->nkeys; i++)
		if (table->keys[i].kind == FACT_STACK)
			return true;
	text_puts(&name, "dtrace_");
	put_word(&name, *aggregation->name ? aggregation->name
					   : aggregation->function);
	if (!aggregation->aggregate->identity && aggregation->nvalues == 1)
		text_puts(&name, "_total");
	for (uint32_t i = 0; i < table->nrows; i++) {
		struct fact_row row;

		if (page->nseries++ >= MOST_SERIES) {
			page->nleft++;
			continue;
		}
		table->row(table, i, &row);
		put_row(page, text_str(&name), aggregation, &row);
	}
	text_free(&name);
	return true;
}

static const struct sink_class page_class = { .table = put_table };

void prometheus_run(struct prometheus_page *page, const char *id,
		    struct merge *total, const uint64_t *status)
{
	struct options options;
	char labels[200];

	snprintf(labels, sizeof(labels), "instrumentation=\"%s\"", id);
	prometheus_number(page, "dtrace_events_total", "counter",
			  "events that were counted or recorded", labels,
			  status[STATUS_EVENTS]);
	prometheus_number(page, "dtrace_drops_total", "counter",
			  "events that were lost", labels,
			  status[STATUS_DROPS]);
	prometheus_number(page, "dtrace_program_nanoseconds_total", "counter",
			  "time in programs of the kernel", labels,
			  status[STATUS_PROGRAMS_NS]);
	if (!total)
		return;
	options_init(&options);
	option_set(&options, "aggsortkey", NULL, ORIGIN_COMMAND);
	page->id = id;
	page->resolver = merge_resolver(total);
	merge_show_total(total, &options, &page->sink);
	options_free(&options);
}

void prometheus_fleet(struct prometheus_page *page, struct fleet *fleet,
		      struct merge *total)
{
	struct fleet_counts counts;

	fleet_count(fleet, &counts);
	prometheus_number(page, "dtrace_head_hosts_wanted", "gauge",
			  "hosts that were chosen", "", counts.wanted);
	prometheus_number(page, "dtrace_head_hosts_reporting", "gauge",
			  "hosts that report", "", counts.reporting);
	prometheus_number(page, "dtrace_head_hosts_failed", "gauge",
			  "hosts that cannot or may not", "", counts.failed);
	prometheus_run(page, fleet_id(fleet), total, counts.status);
}

void prometheus_put(struct text *out,
		    void (*fill)(void *context, struct prometheus_page *page),
		    void *context)
{
	struct prometheus_page page = { .sink = { &page_class }, .out = out };

	fill(context, &page);
	prometheus_number(&page, "dtrace_series_left_out", "gauge",
			  "keys beyond the bound of 1000 series", "",
			  page.nleft);
	text_free(&page.types);
}

/* ------------------------------------------------------------------ HTTP */

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection,
			      const char *url, const char *method,
			      const char *version, const char *upload,
			      size_t *upload_size, void **state)
{
	struct prometheus *prometheus = cls;
	struct text page = { 0 };
	unsigned status = MHD_HTTP_OK;

	(void)version;
	(void)upload;
	(void)upload_size;
	(void)state;
	if (strcmp(method, "GET") != 0 || strcmp(url, "/metrics") != 0) {
		status = MHD_HTTP_NOT_FOUND;
		text_puts(&page, "see /metrics\n");
	} else {
		prometheus_put(&page, prometheus->fill, prometheus->context);
	}
	struct MHD_Response *response =
		MHD_create_response_from_buffer(page.n, page.p,
						MHD_RESPMEM_MUST_COPY);

	MHD_add_response_header(response, "Content-Type",
				"text/plain; version=0.0.4");
	enum MHD_Result result = MHD_queue_response(connection, status,
						    response);

	MHD_destroy_response(response);
	text_free(&page);
	return result;
}

struct prometheus *prometheus_open(const char *address,
				   void (*fill)(void *context,
						struct prometheus_page *page),
				   void *context, char *problem)
{
	const char *colon = strrchr(address, ':');
	struct sockaddr_in where = { .sin_family = AF_INET };
	char *host = colon ? strndup(address, (size_t)(colon - address)) : NULL;

	if (!colon || inet_pton(AF_INET, *host ? host : "127.0.0.1",
				&where.sin_addr) != 1) {
		snprintf(
			problem, BUS_PROBLEM,
			"--prometheus %s: give an address and a port, like 127.0.0.1:9464",
			address);
		free(host);
		return NULL;
	}
	free(host);
	where.sin_port = htons((uint16_t)atoi(colon + 1));
	struct prometheus *prometheus = must_alloc(sizeof(*prometheus));

	prometheus->fill = fill;
	prometheus->context = context;
	prometheus->daemon = MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, answer, prometheus,
		MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&where,
		MHD_OPTION_CONNECTION_LIMIT, CLIENTS,
		MHD_OPTION_CONNECTION_TIMEOUT, 10, MHD_OPTION_END);
	if (prometheus->daemon)
		return prometheus;
	snprintf(problem, BUS_PROBLEM, "--prometheus %s: cannot listen there",
		 address);
	free(prometheus);
	return NULL;
}

void prometheus_close(struct prometheus *prometheus)
{
	if (!prometheus)
		return;
	MHD_stop_daemon(prometheus->daemon);
	free(prometheus);
}

int prometheus_fd(const struct prometheus *prometheus)
{
	return MHD_get_daemon_info(prometheus->daemon, MHD_DAEMON_INFO_EPOLL_FD)
		->epoll_fd;
}

void prometheus_work(struct prometheus *prometheus)
{
	MHD_run(prometheus->daemon);
}
