/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of one run: their files, their sinks, in the order of the table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sink/picture.h"
#include "sink/tee.h"

static const struct kind {
	enum option_id option;
	const struct picture *picture; /* NULL: the end of the table */
} kinds[] = {
#define PICTURE(id, name, meaning) { OPTION_##id, &picture_##name },
#include "base/pictures.def"
#undef PICTURE
	{ OPTION_COUNT, NULL },
};

#define NKINDS (sizeof(kinds) / sizeof(*kinds))

struct pictures {
	struct {
		const struct picture *picture;
		const char *option;
		struct draft *draft;
		struct sink *sink, *tee; /* tee: with all before it */
	} of[NKINDS];
	uint32_t count;
};

/* Is a word in "svg html"? */
static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; n && (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

static void put_suffixes(const char *words, struct text *out)
{
	const char *separator = "";

	while (*words) {
		size_t n = strcspn(words, " ");

		text_printf(out, "%s.%.*s", separator, (int)n, words);
		separator = " or ";
		words += n + (words[n] == ' ');
	}
}

static bool add(struct pictures *pictures, const struct picture *picture,
		const char *option, const char *path, struct text *problem)
{
	struct draft *draft = draft_open(path);

	if (!draft) {
		text_printf(problem, "cannot write %s: %s", path,
			    strerror(errno));
		return false;
	}
	pictures->of[pictures->count].picture = picture;
	pictures->of[pictures->count].option = option;
	pictures->of[pictures->count++].draft = draft;
	if (!picture->suffixes || has_word(picture->suffixes, draft->suffix))
		return true;
	text_printf(problem,
		    "cannot write %s: the name of a file for -x %s ends in ",
		    path, option);
	put_suffixes(picture->suffixes, problem);
	return false;
}

struct pictures *pictures_open(const struct options *options,
			       struct text *problem)
{
	struct pictures *pictures = NULL;

	for (const struct kind *kind = kinds; kind->picture; kind++) {
		const char *path = option_text(options, kind->option);

		if (!path)
			continue;
		if (!pictures)
			pictures = must_alloc(sizeof(*pictures));
		if (!add(pictures, kind->picture, option_name(kind->option),
			 path, problem)) {
			pictures_close(pictures);
			return NULL;
		}
	}
	return pictures;
}

struct sink *pictures_start(struct pictures *pictures,
			    const struct sink_setup *setup)
{
	struct sink *all = NULL;

	for (size_t i = 0; i < pictures->count; i++) {
		struct sink_setup own = *setup;

		own.file = pictures->of[i].draft->path;
		pictures->of[i].sink =
			pictures->of[i].picture->class->open(&own);
		if (all)
			pictures->of[i].tee = tee_open(all,
						       pictures->of[i].sink);
		all = all ? pictures->of[i].tee : pictures->of[i].sink;
	}
	return all;
}

uint32_t pictures_count(const struct pictures *pictures)
{
	return pictures->count;
}

bool pictures_take_snapshots(const struct pictures *pictures)
{
	for (size_t i = 0; i < pictures->count; i++)
		if (pictures->of[i].picture->takes_snapshots)
			return true;
	return false;
}

int64_t pictures_interval(const struct pictures *pictures)
{
	int64_t shortest = 0;

	for (size_t i = 0; i < pictures->count; i++) {
		int64_t own = pictures->of[i].picture->interval;

		if (own && (!shortest || own < shortest))
			shortest = own;
	}
	return shortest;
}

bool pictures_refuse(const struct pictures *pictures,
		     const struct schema *schema, struct text *problem)
{
	for (size_t i = 0; i < pictures->count; i++) {
		const struct picture *picture = pictures->of[i].picture;
		const char *reason = picture->refuses ? picture->refuses(schema)
						      : NULL;

		if (!reason)
			continue;
		text_printf(problem, "nothing to draw for -x %s: %s",
			    pictures->of[i].option, reason);
		return true;
	}
	return false;
}

/* 0, or a negative errno; the draft is gone then. */
static int draw(const struct picture *picture, struct sink *sink,
		struct draft *draft)
{
	errno = 0;
	if (picture->draw(sink, draft))
		return draft_finish(draft);
	int error = errno ? errno : EIO;

	draft_discard(draft);
	return -error;
}

bool pictures_draw(struct pictures *pictures, struct text *problem)
{
	for (size_t i = 0; i < pictures->count; i++) {
		struct draft *draft = pictures->of[i].draft;
		char *path = must_strdup(draft->path);
		int error = draw(pictures->of[i].picture, pictures->of[i].sink,
				 draft);

		pictures->of[i].draft = NULL;
		if (error && !problem->n)
			text_printf(problem, "cannot write %s: %s", path,
				    strerror(-error));
		free(path);
	}
	return !problem->n;
}

void pictures_close(struct pictures *pictures)
{
	if (!pictures)
		return;
	for (size_t i = pictures->count; i-- > 0;) {
		sink_close(pictures->of[i].tee);
		sink_close(pictures->of[i].sink);
		draft_discard(pictures->of[i].draft);
	}
	free(pictures);
}
