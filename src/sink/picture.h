/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Pictures: files that a run leaves beside what it prints (-x flame=FILE).
 *
 * A kind of picture is a `struct picture` in a file of its own and a line in
 * base/pictures.def, which makes its option, too.  Its sink sees all facts and
 * keeps what it needs; when the last fact is known it draws.  The same facts
 * come from a recording.
 *
 * 1. The file appears when it is complete, in place of an older one (draft.h).
 *    A run that fails leaves none.
 * 2. That it can be written is known before anything is enabled.
 * 3. Nothing that the run prints depends on pictures.
 */

#include "facts/sink.h"
#include "sink/draft.h"

struct picture {
	const struct sink_class *class;
	/* What the file's name may end in: "svg html"; NULL: anything. */
	const char *suffixes;
	/*
	 * It is made of snapshots.  There is one at least, at the end, in which
	 * everything is that was not in others.
	 */
	bool takes_snapshots;
	/* How often, if -x interval does not say; 0: only at the end. */
	int64_t interval;
	/* Why such a program gives no picture, or NULL; may be left out. */
	const char *(*refuses)(const struct schema *schema);
	/*
	 * After the last fact; nothing of facts or schema exists any more.
	 * Errors of the stream are found by others.
	 */
	bool (*draw)(struct sink *sink, struct draft *draft);
};

#define PICTURE(id, name, meaning) extern const struct picture picture_##name;
#include "base/pictures.def"
#undef PICTURE

/* All pictures of a run. */
struct pictures;

/*
 * Those that the options name, with their files open; NULL: none, or a
 * problem (a sentence) that forbids the run.
 */
struct pictures *pictures_open(const struct options *options,
			       struct text *problem);
/* Makes the sinks; returns the one that feeds them all. */
struct sink *pictures_start(struct pictures *pictures,
			    const struct sink_setup *setup);
uint32_t pictures_count(const struct pictures *pictures);
bool pictures_take_snapshots(const struct pictures *pictures);
/* The shortest interval that one of them asks for; 0: none does. */
int64_t pictures_interval(const struct pictures *pictures);
/* Why a program gives no picture, in a sentence; false: it does. */
bool pictures_refuse(const struct pictures *pictures,
		     const struct schema *schema, struct text *problem);
/* Draws, and puts the files into their places; false: a problem. */
bool pictures_draw(struct pictures *pictures, struct text *problem);
void pictures_close(struct pictures *pictures);
