/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flame graphs, and the files that other tools draw them from: -x flame, folded,
 * pprof, speedscope.
 *
 * All are the same profile in the hand of another writer.  With -x flameby there
 * is a file for each value of the key, too, called FILE-VALUE.SUFFIX; FILE
 * itself always has everything.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "sink/picture.h"
#include "sink/stacks.h"
#include "view/write.h"

enum { MOST_FILES = 256 };

/* As it is in names of files: a letter, a digit, or a harmless sign. */
static char plain(char c)
{
	return !c || isalnum((unsigned char)c) || strchr(".-+", c) ? c : '_';
}

static bool is_same_plain(const char *a, const char *b)
{
	while (*a && plain(*a) == plain(*b))
		a++, b++;
	return plain(*a) == plain(*b);
}

/* FILE-VALUE.SUFFIX; where others before it are called the same, numbered. */
static void put_path(const struct draft *draft,
		     const struct stacks_group *groups, uint32_t group,
		     struct text *out)
{
	size_t n = strlen(draft->path) - strlen(draft->suffix) -
		   (*draft->suffix ? 1 : 0);
	uint32_t number = 1;

	text_clear(out);
	text_add(out, draft->path, n);
	text_putc(out, '-');
	for (const char *at = groups[group].name; *at; at++)
		text_putc(out, plain(*at));
	for (uint32_t i = 0; i < group; i++)
		number += is_same_plain(groups[i].name, groups[group].name);
	if (number > 1)
		text_printf(out, "-%u", number);
	if (*draft->suffix)
		text_printf(out, ".%s", draft->suffix);
}

static bool draw_one(struct sink *sink, const struct stacks_group *group,
		     uint32_t left_out, FILE *out,
		     const struct writer_class *writer)
{
	struct profile *profile = stacks_profile(sink, group);

	if (left_out)
		profile_note(profile, "%u more keys have no file of their own",
			     left_out);
	bool is_written = profile_write(profile, writer, out,
					&(struct picture_options){ 0 });

	profile_free(profile);
	return is_written;
}

static bool draw_group(struct sink *sink, const struct stacks_group *group,
		       const char *path, const struct writer_class *writer)
{
	struct draft *draft = draft_open(path);

	if (!draft)
		return false;
	if (!draw_one(sink, group, 0, draft->stream, writer)) {
		draft_discard(draft);
		return false;
	}
	errno = -draft_finish(draft);
	return !errno;
}

static bool draw(struct sink *sink, struct draft *draft, const char *name)
{
	const struct writer_class *writer = writer_find(name);
	uint32_t ngroups;
	const struct stacks_group *groups = stacks_groups(sink, &ngroups);
	uint32_t nfiles = ngroups < MOST_FILES ? ngroups : MOST_FILES;
	struct text path = { 0 };

	if (!writer) {
		errno = ENOSYS;
		return false;
	}
	bool is_drawn = draw_one(sink, NULL, ngroups - nfiles, draft->stream,
				 writer);

	for (uint32_t i = 0; is_drawn && i < nfiles; i++) {
		put_path(draft, groups, i, &path);
		is_drawn = draw_group(sink, &groups[i], text_str(&path),
				      writer);
	}
	text_free(&path);
	return is_drawn;
}

static bool draw_flame(struct sink *sink, struct draft *draft)
{
	return draw(sink, draft,
		    strcmp(draft->suffix, "svg") ? "flamegraph-html"
						 : "flamegraph-svg");
}

static bool draw_folded(struct sink *sink, struct draft *draft)
{
	return draw(sink, draft, "collapsed");
}

static bool draw_pprof(struct sink *sink, struct draft *draft)
{
	return draw(sink, draft, "pprof");
}

static bool draw_speedscope(struct sink *sink, struct draft *draft)
{
	return draw(sink, draft, "speedscope");
}

#define STACKS_PICTURE(name, endings)           \
	const struct picture picture_##name = { \
		.class = &stacks_class,         \
		.suffixes = (endings),          \
		.takes_snapshots = true,        \
		.refuses = stacks_refuse,       \
		.draw = draw_##name,            \
	}

STACKS_PICTURE(flame, "svg html");
STACKS_PICTURE(folded, NULL);
STACKS_PICTURE(pprof, NULL);
STACKS_PICTURE(speedscope, NULL);
