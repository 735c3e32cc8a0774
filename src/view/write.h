/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Writers: a profile as text, data or picture.
 *
 * One file each, named write_..., and a line in writers.def, which has the name
 * and the suffix of files by which options and stackvis(1) find it.
 */

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "view/profile.h"

struct picture_options {
	const char *title;  /* NULL: the profile's, or the writer's */
	unsigned width;	    /* of an SVG, in pixels; 0: 1200 */
	double least_width; /* narrower boxes are left out; 0: 0.1 pixels */
	bool is_icicle;	    /* the root is at the top */
	bool is_by_total;   /* a difference: colours by total, not by self */
};

typedef bool write_profile(FILE *out, const struct profile *profile,
			   const struct picture_options *options);

struct writer_class {
	const char *name;   /* "flamegraph-svg" */
	const char *suffix; /* ".svg"; what several have is the first one's */
	const char *about;
	write_profile *write;
};

/* NULL: no writer has that name. */
const struct writer_class *writer_find(const char *name);
/* By the suffix of a file's name. */
const struct writer_class *writer_of_file(const char *file);
/* The writer with this number; NULL after the last. */
const struct writer_class *writer_at(unsigned number);
/* Settles the profile and writes it; false: the file has an error. */
bool profile_write(struct profile *profile, const struct writer_class *class,
		   FILE *out, const struct picture_options *options);

/* ------------------------------------------------------------- for writers */

const char *picture_title(const struct profile *profile,
			  const struct picture_options *options);
const char *profile_unit(const struct profile *profile);
/*
 * The members "strings", "frames" and "nodes" of an object of JSON, with a comma
 * before the first; page/flame/data.ts reads them.  Nodes are in the order of a
 * walk (profile_next).
 */
void write_flame_tree(FILE *out, const struct profile *profile);
/* "object`name", as bytes. */
void frame_text(struct text *out, const struct profile_frame *frame);
/* Is it called by its place, with the object in its name: "libz.so.1+0x2460"? */
bool frame_is_place(const struct profile_frame *frame);
/* The same, visible, as text of XML (also in attributes). */
void xml_add(struct text *out, const char *bytes, size_t count);
/* The share of a whole, in percent. */
double percent_of(int64_t part, int64_t whole);
