/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Totals for Prometheus: /metrics, in its text format.
 *
 * count() and sum() are counters, min() and max() gauges, avg() and stddev() a
 * sum and a count, and histograms classic ones, whose `le` is the largest value
 * of a bucket: 2^(k+1) - 1 for quantize().  Keys are labels.  The number of
 * series is bounded, and what has a stack as a key is left out: each stack would
 * be a series of its own.
 */

#include "fleet/merge.h"

struct prometheus;
struct prometheus_page; /* that is being written */

/* ADDRESS:PORT; `fill` writes a page when somebody asks for it. */
struct prometheus *prometheus_open(const char *address,
				   void (*fill)(void *context,
						struct prometheus_page *page),
				   void *context, char *problem);
void prometheus_close(struct prometheus *prometheus);
int prometheus_fd(const struct prometheus *prometheus);
/* Answers whoever asks. */
void prometheus_work(struct prometheus *prometheus);

void prometheus_number(struct prometheus_page *page, const char *name,
		       const char *type, const char *about, const char *labels,
		       uint64_t number);
/* Totals of an instrumentation, and what its aggregations counted. */
void prometheus_run(struct prometheus_page *page, const char *id,
		    struct merge *total, const uint64_t *status);

/* Of a head: its hosts, and what it has merged. */
struct fleet;
void prometheus_fleet(struct prometheus_page *page, struct fleet *fleet,
		      struct merge *total);

/* For tests: the page as text. */
void prometheus_put(struct text *out,
		    void (*fill)(void *context, struct prometheus_page *page),
		    void *context);
