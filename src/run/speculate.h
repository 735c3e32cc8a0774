/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The consumer's part of speculations (ir/abi.h): emptying the rings of ids
 * that were committed or discarded, and freeing the ids.
 */

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"

struct spec_record {
	const struct abi_record *record;
	uint32_t cpu;
};

/* What was committed, in the order in which it will be printed. */
struct spec_content {
	uint64_t id, word;
	struct spec_record *records;
	uint32_t nrecords, capacity;
	uint8_t *bytes; /* the records */
	uint64_t size;
	struct spec_content *next;
};

struct specs {
	struct bpf_maps *maps; /* NULL: nothing speculates */
	bool is_temporal;
	struct spec_content *waiting,
		**last; /* for their place in the stream */
	uint64_t waiting_size;
	uint64_t lost; /* contents dropped for lack of memory */
};

void specs_init(struct specs *specs, struct bpf_maps *maps, bool is_temporal);
void specs_free(struct specs *specs);
/*
 * Every cleanrate: empties and frees what is committed or discarded.  Committed
 * content waits in our memory until its place is reached.
 */
void specs_clean(struct specs *specs);
/* Time of the oldest record that may still be printed; none: UINT64_MAX. */
uint64_t specs_oldest(const struct specs *specs);
/* Records of contents that were dropped since the last call. */
uint64_t specs_lost(struct specs *specs);
/* The content of a commit record, or NULL; release with spec_content_free(). */
struct spec_content *specs_take(struct specs *specs,
				const struct abi_commit *commit);
void spec_content_free(struct spec_content *content);
