/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of pprof: a message Profile of protocol buffers, written by hand
 * and without compression, which its readers accept.
 *
 * The numbers of fields below are those of profile.proto.  Every frame is
 * a function and a location with the same number, from 1.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/visible.h"
#include "view/write.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

enum { /* Profile */
       SAMPLE_TYPE = 1,
       SAMPLE = 2,
       LOCATION = 4,
       FUNCTION = 5,
       STRING_TABLE = 6,
       PERIOD_TYPE = 11,
       PERIOD = 12,
       COMMENT = 13,
};
enum { TYPE_NAME = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4, LINE_FUNCTION = 1 };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4
};

struct strings {
	struct table table; /* to number + 1 */
	struct str *items;
	size_t count, capacity;
};

static uint64_t string_number(struct strings *strings, struct str text)
{
	uintptr_t known = (uintptr_t)table_get(&strings->table, text);

	if (known)
		return known - 1;
	if (strings->count == strings->capacity) {
		strings->capacity = strings->capacity ? strings->capacity * 2
						      : 256;
		strings->items = must_realloc(strings->items,
					      checked_mul(strings->capacity,
							  sizeof(struct str)));
	}
	strings->items[strings->count++] = text;
	table_put(&strings->table, text, (void *)strings->count);
	return strings->count - 1;
}

static void put_varint(struct text *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		text_putc(out, (char)(number | 0x80));
	text_putc(out, (char)number);
}

static void put_number(struct text *out, unsigned field, uint64_t number)
{
	put_varint(out, field << 3 | WIRE_VARINT);
	put_varint(out, number);
}

static void put_bytes(struct text *out, unsigned field, const char *bytes,
		      size_t count)
{
	put_varint(out, field << 3 | WIRE_BYTES);
	put_varint(out, count);
	text_add(out, bytes, count);
}

/* A message in a message; `inner` is emptied. */
static void put_message(struct text *out, unsigned field, struct text *inner)
{
	put_bytes(out, field, text_str(inner), inner->n);
	text_clear(inner);
}

static void put_type(struct text *out, struct strings *strings, unsigned field,
		     const char *name, const char *unit)
{
	struct text type = { 0 };

	put_number(&type, TYPE_NAME, string_number(strings, str_of(name)));
	put_number(&type, TYPE_UNIT, string_number(strings, str_of(unit)));
	put_message(out, field, &type);
	text_free(&type);
}

static void put_functions(struct text *out, const struct profile *profile,
			  struct strings *strings)
{
	struct text inner = { 0 }, line = { 0 };

	for (uint32_t i = 0; i < profile->nframes; i++) {
		const struct profile_frame *frame = &profile->frames[i];
		uint64_t name = string_number(strings,
					      (struct str){ frame->name,
							    frame->length });

		put_number(&inner, FUNCTION_ID, i + 1);
		put_number(&inner, FUNCTION_NAME, name);
		put_number(&inner, FUNCTION_SYSTEM_NAME, name);
		if (frame->object_length)
			put_number(
				&inner, FUNCTION_FILE,
				string_number(strings,
					      (struct str){
						      frame->object,
						      frame->object_length }));
		put_message(out, FUNCTION, &inner);
		put_number(&line, LINE_FUNCTION, i + 1);
		put_number(&inner, LOCATION_ID, i + 1);
		put_message(&inner, LOCATION_LINE, &line);
		put_message(out, LOCATION, &inner);
	}
	text_free(&inner);
	text_free(&line);
}

static void put_samples(FILE *file, struct text *out,
			const struct profile *profile)
{
	struct profile_walk walk = { .profile = profile };
	struct text sample = { 0 }, packed = { 0 };

	while (profile_next(&walk)) {
		const struct profile_node *node = &profile->nodes[walk.node];

		if (!node->self)
			continue;
		for (uint32_t at = walk.node; at;
		     at = profile->nodes[at].parent)
			put_varint(&packed, profile->nodes[at].frame + 1);
		put_message(&sample, SAMPLE_LOCATION, &packed);
		put_varint(&packed, (uint64_t)node->self);
		put_message(&sample, SAMPLE_VALUE, &packed);
		put_message(out, SAMPLE, &sample);
		fwrite(out->p, 1, out->n, file);
		text_clear(out);
	}
	text_free(&sample);
	text_free(&packed);
}

bool write_pprof(FILE *file, const struct profile *profile,
		 const struct picture_options *options)
{
	const char *unit = profile_unit(profile);
	bool is_count = !strcmp(unit, "samples");
	const char *name = is_count		    ? "samples"
			   : !strcmp(unit, "bytes") ? "space"
						    : "time";
	struct strings strings = { 0 };
	struct text out = { 0 };

	unit = is_count ? "count" : !strcmp(unit, "ns") ? "nanoseconds" : unit;
	string_number(&strings, STR("")); /* number 0 */
	put_type(&out, &strings, SAMPLE_TYPE, name, unit);
	put_samples(file, &out, profile);
	put_functions(&out, profile, &strings);
	put_type(&out, &strings, PERIOD_TYPE, name, unit);
	put_number(&out, PERIOD, 1);
	put_number(&out, COMMENT,
		   string_number(&strings,
				 str_of(picture_title(profile, options))));
	for (size_t i = 0; i < strings.count; i++) {
		struct text shown = { 0 }; /* must be UTF-8 */

		text_add_visible(&shown, strings.items[i].p, strings.items[i].n,
				 VISIBLE_LINE);
		put_message(&out, STRING_TABLE, &shown);
		text_free(&shown);
	}
	fwrite(out.p, 1, out.n, file);
	text_free(&out);
	table_free(&strings.table);
	free(strings.items);
	return !ferror(file);
}
