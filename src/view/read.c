/* SPDX-License-Identifier: Apache-2.0 */
#include "view/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "view/hash.h"

#define READER(name, about) void read_##name(struct reader *reader);
#include "view/readers.def"
#undef READER

static const struct reader_class classes[] = {
#define READER(name, about) { #name, about, read_##name },
#include "view/readers.def"
#undef READER
};

enum { NCLASSES = sizeof(classes) / sizeof(classes[0]) };

const struct reader_class *reader_at(unsigned number)
{
	return number < NCLASSES ? &classes[number] : NULL;
}

const struct reader_class *reader_find(const char *name)
{
	for (unsigned i = 0; i < NCLASSES; i++)
		if (!strcmp(classes[i].name, name))
			return &classes[i];
	return NULL;
}

/* ----------------------------------------------------------------- strings */

struct str str_trim(struct str text)
{
	while (text.n && strchr(" \t\r", *text.p))
		text.p++, text.n--;
	while (text.n && strchr(" \t\r", text.p[text.n - 1]))
		text.n--;
	return text;
}

bool str_starts(struct str text, const char *prefix)
{
	size_t n = strlen(prefix);

	return text.n >= n && !memcmp(text.p, prefix, n);
}

struct str str_cut(struct str *rest, char c)
{
	const char *at = rest->n ? memchr(rest->p, c, rest->n) : NULL;
	struct str part = *rest;

	if (!at) {
		rest->n = 0;
		return part;
	}
	part.n = (size_t)(at - rest->p);
	*rest = (struct str){ at + 1, rest->n - part.n - 1 };
	return part;
}

struct str str_basename(struct str path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	if (!slash || slash + 1 == path.p + path.n)
		return path;
	return (struct str){ slash + 1, (size_t)(path.p + path.n - slash - 1) };
}

bool str_weight(struct str text, int64_t *weight)
{
	size_t i = 0;
	int64_t value = 0;

	for (; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
		if (value <= PROFILE_MOST) /* what is larger stays so */
			value = value * 10 + (text.p[i] - '0');
	if (!i)
		return false;
	if (i < text.n && text.p[i] == '.') {
		if (++i < text.n && text.p[i] >= '5' && text.p[i] <= '9')
			value++;
		while (i < text.n && text.p[i] >= '0' && text.p[i] <= '9')
			i++;
	}
	*weight = value;
	return i == text.n;
}

static bool is_digit(char c, bool is_decimal)
{
	return (c >= '0' && c <= '9') ||
	       (!is_decimal &&
		((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

struct str str_without_offset(struct str text, bool is_decimal)
{
	size_t n = text.n;

	while (n && is_digit(text.p[n - 1], is_decimal))
		n--;
	if (n == text.n)
		return text;
	if (!is_decimal) {
		if (n < 2 || text.p[n - 1] != 'x' || text.p[n - 2] != '0')
			return text;
		n -= 2;
	}
	if (n > 1 && text.p[n - 1] == '+')
		text.n = n - 1;
	return text;
}

/* ------------------------------------------------------------------- lines */

bool reader_line(struct reader *reader, struct str *line)
{
	if (reader->at == reader->end)
		return false;

	size_t left = (size_t)(reader->end - reader->at);
	const char *end = memchr(reader->at, '\n', left);
	size_t n = end ? (size_t)(end - reader->at) : left;

	*line = (struct str){ reader->at, n };
	reader->at += end ? n + 1 : n;
	reader->line++;
	return true;
}

void reader_skip(struct reader *reader)
{
	if (!reader->nskipped++)
		reader->first_skipped = reader->line;
}

/* ------------------------------------------------------------------- names */

/* Texts of frames that were seen, so that each is taken apart only once. */
struct name {
	const char *text; /* NULL: free */
	uint32_t length, hash;
	uint32_t frame;
	enum profile_kind kind;
};

struct reader_names {
	struct arena *arena;
	struct name *names;
	uint32_t count, size; /* a power of two, at most half full */
	uint64_t seed;
};

static inline struct name *name_slot(const struct reader_names *names,
				     uint32_t hash, struct str text,
				     enum profile_kind kind)
{
	uint32_t i = hash & (names->size - 1);

	for (;; i = (i + 1) & (names->size - 1)) {
		struct name *name = &names->names[i];

		if (!name->text ||
		    (name->hash == hash && name->length == text.n &&
		     name->kind == kind &&
		     bytes_equal(name->text, text.p, text.n)))
			return name;
	}
}

static void names_grow(struct reader_names *names)
{
	struct reader_names grown = *names;

	grown.size = names->size ? names->size * 2 : 1024;
	grown.names = must_alloc(checked_mul(grown.size, sizeof(struct name)));
	for (uint32_t i = 0; i < names->size; i++) {
		const struct name *name = &names->names[i];

		if (name->text)
			*name_slot(&grown, name->hash,
				   (struct str){ name->text, name->length },
				   name->kind) = *name;
	}
	free(names->names);
	*names = grown;
}

static bool is_kernel_object(struct str object)
{
	static const char *const names[] = { "vmlinux", "kernel", "unix",
					     "genunix" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_is(object, names[i]))
			return true;
	return false;
}

uint32_t reader_function(struct reader *reader, struct str function,
			 struct str object, enum profile_kind kind)
{
	if (is_kernel_object(object))
		kind = PROFILE_KERNEL;
	if (!function.n)
		function = STR("[unknown]");
	return profile_frame(reader->profile, function.p, function.n, object.p,
			     object.n, kind);
}

/* The kinds that the suffixes of folded text stand for. */
static struct str take_suffix(struct str text, enum profile_kind *kind)
{
	static const struct {
		char letter;
		enum profile_kind kind;
	} suffixes[] = { { 'k', PROFILE_KERNEL },
			 { 'j', PROFILE_SCRIPT },
			 { 'i', PROFILE_INLINED } };

	if (text.n < 5 || memcmp(text.p + text.n - 4, "_[", 2) ||
	    text.p[text.n - 1] != ']')
		return text;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (text.p[text.n - 2] == suffixes[i].letter) {
			*kind = suffixes[i].kind;
			text.n -= 4;
		}
	return text;
}

static uint32_t frame_new(struct reader *reader, struct str text,
			  enum profile_kind kind)
{
	struct str object = STR(""), whole = str_trim(text);

	text = str_without_offset(whole, false);
	text = take_suffix(text, &kind);

	const char *mark = text.n ? memchr(text.p, '`', text.n) : NULL;

	if (mark && mark > text.p) {
		object = (struct str){ text.p, (size_t)(mark - text.p) };
		text = (struct str){ mark + 1, text.n - object.n - 1 };
	}
	/* "libz.so.1`+0x2460": a function that has only a place */
	if (object.n && !text.n && whole.n > object.n + 1) {
		struct text name = { 0 };

		text_add(&name, object.p, object.n);
		text_add(&name, mark + 1, whole.n - object.n - 1);
		uint32_t frame = reader_function(reader,
						 (struct str){ text_str(&name),
							       name.n },
						 object, kind);

		text_free(&name);
		return frame;
	}
	return reader_function(reader, text, object, kind);
}

uint32_t reader_frame(struct reader *reader, struct str text,
		      enum profile_kind kind)
{
	struct reader_names *names = reader->names;
	uint32_t hash = (uint32_t)hash_bytes(names->seed + kind, text.p,
					     text.n);
	struct name *name = name_slot(names, hash, text, kind);

	if (name->text)
		return name->frame;

	uint32_t frame = frame_new(reader, text, kind);

	*name = (struct name){
		.text = arena_strndup(names->arena, text.p, text.n),
		.length = (uint32_t)text.n,
		.hash = hash,
		.frame = frame,
		.kind = kind,
	};
	if (++names->count >= names->size / 2)
		names_grow(names);
	return frame;
}

bool reader_is_kernel(const struct reader *reader, uint32_t frame)
{
	return reader->profile->frames[frame].kind == PROFILE_KERNEL;
}

/* ------------------------------------------------------------------ stacks */

void reader_push(struct reader_list *list, uint32_t frame)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? list->capacity * 2 : 256;
		list->frames = must_realloc(list->frames,
					    checked_mul(list->capacity,
							sizeof(uint32_t)));
	}
	list->frames[list->count++] = frame;
}

void reader_key(struct reader *reader, struct str text)
{
	text = str_trim(text);
	if (text.n)
		reader_push(&reader->keys,
			    profile_frame(reader->profile, text.p, text.n, NULL,
					  0, PROFILE_KEY));
}

void reader_forget(struct reader *reader)
{
	reader->keys.count = reader->user.count = reader->kernel.count = 0;
	reader->whole.count = 0;
}

void reader_add(struct reader *reader, int64_t weight)
{
	struct reader_list *whole = &reader->whole;

	for (uint32_t i = 0; i < reader->keys.count; i++)
		reader_push(whole, reader->keys.frames[i]);
	for (uint32_t i = reader->user.count; i > 0; i--)
		reader_push(whole, reader->user.frames[i - 1]);
	for (uint32_t i = reader->kernel.count; i > 0; i--)
		reader_push(whole, reader->kernel.frames[i - 1]);
	if (!whole->count)
		reader_push(whole, reader_function(reader, STR("[empty]"),
						   STR(""), PROFILE_KEY));
	profile_add(reader->profile, whole->frames, whole->count, weight);
	reader->nstacks++;
	reader_forget(reader);
}

struct read_result profile_read(struct profile *profile,
				const struct reader_class *class,
				const char *text, size_t size)
{
	struct reader_names names = { .arena = arena_new() };
	struct reader reader = { .profile = profile,
				 .at = text,
				 .end = text + size,
				 .names = &names };

	names.seed = (uintptr_t)names.arena;
	names_grow(&names);
	class->read(&reader);
	free(names.names);
	arena_free(names.arena);
	free(reader.keys.frames);
	free(reader.user.frames);
	free(reader.kernel.frames);
	free(reader.whole.frames);
	return (struct read_result){ reader.nstacks, reader.nskipped,
				     reader.first_skipped };
}
