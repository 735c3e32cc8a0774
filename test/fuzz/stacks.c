/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a text of stacks.  The first byte says in which
 * format, the second what it is written as.  Whatever comes, nothing is read
 * that is not there, the sum of all stacks is that of the tree, and what is
 * written as folded text is read again as the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/read.h"
#include "view/write.h"

static void check(bool claim, const char *what)
{
	if (claim)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static char *folded(struct profile *profile, size_t *size)
{
	static const struct picture_options options;
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	check(out && profile_write(profile, writer_find("collapsed"), out,
				   &options),
	      "cannot write");
	fclose(out);
	return text;
}

static void check_tree(const struct profile *profile)
{
	const struct profile_node *nodes = profile->nodes;

	for (uint32_t i = 0; i < profile->nnodes; i++) {
		int64_t total = nodes[i].self;

		for (uint32_t at = nodes[i].first_child; at; at = nodes[at].next)
			total += nodes[at].total;
		check(total == nodes[i].total, "a total is wrong");
	}
}

/* Names that are not changed by writing come back as they were. */
static void check_again(struct profile *profile)
{
	struct profile *again = profile_new();
	size_t size, size_again;
	char *text = folded(profile, &size);

	profile_read(again, reader_find("collapsed"), text, size);

	char *text_again = folded(again, &size_again);

	check(again->nodes[0].total == profile->nodes[0].total,
	      "folded text has another sum");
	free(text);
	free(text_again);
	profile_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	unsigned nreaders = 0, nwriters = 0;

	if (size < 2)
		return 0;
	while (reader_at(nreaders))
		nreaders++;
	while (writer_at(nwriters))
		nwriters++;

	/* of its own, so that reading past its end is seen */
	char *text = malloc(size - 2 ? size - 2 : 1);
	FILE *sunk = fopen("/dev/null", "we");
	struct profile *profile = profile_new(), *before = profile_new();
	struct picture_options options = { .is_icicle = bytes[1] & 0x40 };

	check(text && sunk, "no memory");
	memcpy(text, bytes + 2, size - 2);

	const struct reader_class *reader = reader_at(bytes[0] % nreaders);

	profile_read(profile, reader, text, size - 2);
	profile_settle(profile);
	check_tree(profile);
	if (bytes[1] & 0x80) {
		profile_read(before, reader, text, (size - 2) / 2);
		profile_settle(before);
		profile_compare(profile, before, bytes[1] & 0x20 ? 0.5 : 1);
	} else {
		check_again(profile);
	}
	check(profile_write(profile, writer_at(bytes[1] % 16 % nwriters), sunk,
			    &options),
	      "cannot write");
	profile_free(before);
	profile_free(profile);
	fclose(sunk);
	free(text);
	return 0;
}
