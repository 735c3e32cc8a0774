/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What an agent lets others do on its host: a file that the host's own
 * administrator writes.
 *
 *	# who        may enable what
 *	allow alice  any                   any D program
 *	allow *      metrics cpu.* disk.*  metrics of these names
 *	deny  bob                          whatever is allowed above
 *	destructive  no                    even for those who may run any D
 *	limit instrumentations 16          at a time
 *	limit keys   20000                 of all aggregations, in a second
 *	limit lines  1000                  printed, in a second
 *	limit memory 512m                  of a worker and its kernel tables
 *	limit cpu    20%                   of one CPU, worker and programs
 *
 * Users are words of subjects, for which the NATS server vouches (fleet/bus.h).
 * The last line about a user decides; without a file everybody may enable any D
 * that is not destructive.
 */

#include <stdbool.h>
#include <stdint.h>

struct policy {
	struct policy_rule *rules;
	uint32_t nrules;
	bool is_destructive;
	uint64_t instrumentations, keys, lines, memory;
	double cpu; /* share of one CPU */
};

void policy_init(struct policy *policy);
/* NULL, or what is wrong with the file; the caller frees it. */
char *policy_read(struct policy *policy, const char *file);
void policy_free(struct policy *policy);
/*
 * May the user enable that metric (NULL: a D program of his own)?  NULL: yes;
 * otherwise why not.
 */
const char *policy_refuses(const struct policy *policy, const char *user,
			   const char *metric, bool is_destructive);
