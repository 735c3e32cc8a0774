/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a class file whose methods get probes.  Nothing is
 * read that is not there; and what comes out is understood by who made it, with all
 * the methods that were changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "java/class_pool.h"
#include "java/classfile.h"

enum { MOST_METHODS = 24, TEXT = 64 };

struct wishes {
	struct classfile_method methods[MOST_METHODS];
	char texts[MOST_METHODS][2][TEXT];
	size_t count;
};

/* A text of the pool, or "". */
static void text_of(const struct pool *pool, uint32_t index, char *to)
{
	const uint8_t *at = pool_at(pool, index, POOL_UTF8);
	uint32_t length = at ? bytes_half(at + 1) : 0;

	if (length >= TEXT)
		length = 0;
	if (length)
		memcpy(to, at + 3, length);
	to[length] = '\0';
}

static void skip_attributes(struct in *in)
{
	for (uint32_t n = in_get(in, 2); n && !in->is_bad; n--) {
		in_skip(in, 2);
		in_skip(in, in_get(in, 4));
	}
}

/* Its first methods, as the virtual machine would name them. */
static void wish(const uint8_t *bytes, size_t size, struct wishes *wishes)
{
	struct in in = { bytes, size, 8, size < 8 };
	struct pool pool = { 0 };

	if (pool_read(&in, &pool)) {
		in_skip(&in, 6);
		in_skip(&in, 2 * (size_t)in_get(&in, 2));
		for (uint32_t n = in_get(&in, 2); n && !in.is_bad; n--) {
			in_skip(&in, 6);
			skip_attributes(&in);
		}
		for (uint32_t n = in_get(&in, 2);
		     n && !in.is_bad && wishes->count < MOST_METHODS; n--) {
			size_t i = wishes->count++;

			in_skip(&in, 2);
			text_of(&pool, in_get(&in, 2), wishes->texts[i][0]);
			text_of(&pool, in_get(&in, 2), wishes->texts[i][1]);
			wishes->methods[i] = (struct classfile_method){
				.name = wishes->texts[i][0],
				.descriptor = wishes->texts[i][1],
				.number = (uint32_t)(i * 0x5000),
				.entry = i % 3 != 1,
				.leave = i % 3 != 2,
				.entry_wants = i & 1 ? ~0u : 0x405,
				.leave_wants = i & 1 ? ~0u : 0,
			};
			skip_attributes(&in);
		}
	}
	pool_free(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct wishes wishes = { 0 }, again = { 0 };
	size_t new_size = 0, last_size;
	const char *problem;

	wish(bytes, size, &wishes);
	uint8_t *fresh = classfile_rewrite(bytes, size, "java/dtrace/Site",
					   wishes.methods, wishes.count,
					   &new_size, &problem);

	if (!fresh)
		return 0;
	wish(fresh, new_size, &again);
	if (new_size <= size || again.count != wishes.count)
		abort();
	uint8_t *last = classfile_rewrite(fresh, new_size, "java/dtrace/Other",
					  again.methods, again.count,
					  &last_size, &problem);

	/* it may have become too long, but not something else */
	for (size_t i = 0; i < wishes.count; i++)
		if (wishes.methods[i].is_done && !again.methods[i].is_done &&
		    again.methods[i].problem &&
		    !strcmp(again.methods[i].problem,
			    "its bytecode is not understood"))
			abort();
	free(fresh);
	free(last);
	return 0;
}
