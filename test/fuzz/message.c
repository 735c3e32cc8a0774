/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a message of the fleet, merged and shown.  The
 * byte of the version is put in front, and the message is taken for one of the
 * host and instrumentation that it names, so that the rest is looked at.
 * Whatever comes, nothing is read that is not there, and memory is bounded.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fleet/merge.h"
#include "fleet/publish.h"

static void discard(void *context, const void *bytes, size_t n)
{
	struct message message;

	(void)context;
	if (!message_open(&message, bytes, n) || !message_check(&message))
		abort();
}

/* What was shown becomes a message again, which must be sound. */
static void show(struct merge *merge)
{
	struct publisher *publisher = publisher_new(&(struct publish_setup){
		.host = "head",
		.instrumentation = "x",
		.send = discard,
	});
	struct sink *sink = publisher_sink(publisher, merge_resolver(merge));
	struct merge_column columns[64];
	uint32_t n = merge_columns(merge, columns, 64);

	for (uint32_t i = 0; i < n; i++)
		merge_show(merge, columns[i].second, sink, true);
	publisher_flush(publisher, 0, 1);
	publisher_free(publisher);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct message message;
	char host[64], instrumentation[64];
	uint8_t *own = malloc(size + 1);

	if (!own)
		abort();
	own[0] = MESSAGE_VERSION;
	if (size)
		memcpy(own + 1, bytes, size);
	if (message_open(&message, own, size + 1) && message.host.n < 60 &&
	    message.instrumentation.n < 60) {
		snprintf(host, sizeof(host), "%.*s", (int)message.host.n,
			 message.host.p);
		snprintf(instrumentation, sizeof(instrumentation), "%.*s",
			 (int)message.instrumentation.n,
			 message.instrumentation.p);
		struct merge *merge = merge_new(&(struct merge_setup){
			.instrumentation = instrumentation,
			.most_host_rows = 1000,
			.most_rows = 10000,
			.most_hosts = 10,
			.most_bytes = 16 << 20,
		});

		merge_add(merge, host, own, size + 1, 0);
		show(merge);
		merge_free(merge);
	}
	free(own);
	return 0;
}
