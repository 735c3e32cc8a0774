/* SPDX-License-Identifier: Apache-2.0 */
#include "view/write.h"

#include <string.h>

#include "base/visible.h"

#define WRITER(function, name, suffix, about) write_profile write_##function;
#include "view/writers.def"
#undef WRITER

static const struct writer_class classes[] = {
#define WRITER(function, name, suffix, about) \
	{ name, suffix, about, write_##function },
#include "view/writers.def"
#undef WRITER
};

enum { NCLASSES = sizeof(classes) / sizeof(classes[0]) };

const struct writer_class *writer_at(unsigned number)
{
	return number < NCLASSES ? &classes[number] : NULL;
}

const struct writer_class *writer_find(const char *name)
{
	for (unsigned i = 0; i < NCLASSES; i++)
		if (!strcmp(classes[i].name, name))
			return &classes[i];
	return NULL;
}

const struct writer_class *writer_of_file(const char *file)
{
	size_t length = strlen(file);

	for (unsigned i = 0; i < NCLASSES; i++) {
		size_t n = strlen(classes[i].suffix);

		if (length > n && !strcmp(file + length - n, classes[i].suffix))
			return &classes[i];
	}
	return NULL;
}

bool profile_write(struct profile *profile, const struct writer_class *class,
		   FILE *out, const struct picture_options *options)
{
	profile_settle(profile);
	return class->write(out, profile, options) && !fflush(out) &&
	       !ferror(out);
}

const char *picture_title(const struct profile *profile,
			  const struct picture_options *options)
{
	if (options->title)
		return options->title;
	if (profile->title)
		return profile->title;
	return profile->before ? "Difference of two flame graphs"
			       : "Flame graph";
}

const char *profile_unit(const struct profile *profile)
{
	return profile->unit ? profile->unit : "samples";
}

double percent_of(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

bool frame_is_place(const struct profile_frame *frame)
{
	size_t n = frame->object_length;

	return frame->length > n && frame->name[n] == '+' &&
	       !memcmp(frame->name, frame->object, n);
}

void frame_text(struct text *out, const struct profile_frame *frame)
{
	if (frame->object_length && !frame_is_place(frame)) {
		text_add(out, frame->object, frame->object_length);
		text_putc(out, '`');
	}
	text_add(out, frame->name, frame->length);
}

void xml_add(struct text *out, const char *bytes, size_t count)
{
	struct text shown = { 0 };

	if (!is_visible(bytes, count, VISIBLE_LINE)) {
		text_add_visible(&shown, bytes, count, VISIBLE_LINE);
		bytes = text_str(&shown);
		count = shown.n;
	}
	for (size_t i = 0, start = 0; i <= count; i++) {
		if (i < count && !strchr("<>&\"'", bytes[i]))
			continue;
		text_add(out, bytes + start, i - start);
		start = i + 1;
		if (i < count)
			text_printf(out, "&#%d;", bytes[i]);
	}
	text_free(&shown);
}
