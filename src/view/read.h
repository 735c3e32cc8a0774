/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Readers: texts of tracers and profilers into a profile.
 *
 * One file each, named read_..., and a line in readers.def.  A reader gets the
 * whole text in memory, takes the stacks that it knows, and skips other lines,
 * which are counted: real outputs have headings and messages in between.  The
 * text may be hostile; nothing in it is copied more than once, and the time is
 * linear in its size.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "view/profile.h"

/* Frames of the stack that is being read. */
struct reader_list {
	uint32_t *frames;
	uint32_t count, capacity;
};

struct reader {
	struct profile *profile;
	const char *at, *end; /* what is left of the text */
	size_t line;	      /* number of the line that was read last */
	uint64_t nstacks;
	size_t nskipped, first_skipped; /* lines that make no sense */
	/* the stack: keys from the lowest; innermost frame first */
	struct reader_list keys, user, kernel;
	struct reader_list whole; /* outermost first */
	struct reader_names *names;
};

struct reader_class {
	const char *name;  /* as stackvis(1) has it */
	const char *about; /* what makes such a text */
	void (*read)(struct reader *reader);
};

/* NULL: no reader has that name. */
const struct reader_class *reader_find(const char *name);
/* The reader with this number; NULL after the last. */
const struct reader_class *reader_at(unsigned number);

/* How much of a text was read. */
struct read_result {
	uint64_t nstacks;
	size_t nskipped, first_skipped; /* lines */
};
struct read_result profile_read(struct profile *profile,
				const struct reader_class *class,
				const char *text, size_t size);

/* ------------------------------------------------------------- for readers */

/* The next line, without its end; false: there is none. */
bool reader_line(struct reader *reader, struct str *line);
/* The current line is none that the format has. */
void reader_skip(struct reader *reader);

/*
 * The number of a frame that is written object`function+0xoffset, as D does; the
 * offset is dropped.  Suffixes of folded text (_[k]) and the kernel's object
 * change the kind.
 */
uint32_t reader_frame(struct reader *reader, struct str text,
		      enum profile_kind kind);
/* The same for a function whose object is known; "" or NULL: it is not. */
uint32_t reader_function(struct reader *reader, struct str function,
			 struct str object, enum profile_kind kind);
bool reader_is_kernel(const struct reader *reader, uint32_t frame);

void reader_push(struct reader_list *list, uint32_t frame);
void reader_key(struct reader *reader, struct str text);
/* Adds the stack of the lists, kernel on user on keys, and empties them. */
void reader_add(struct reader *reader, int64_t weight);
void reader_forget(struct reader *reader);

/* A number that is not negative, and nothing else; fractions are rounded. */
bool str_weight(struct str text, int64_t *weight);
struct str str_trim(struct str text);
/* What is before the first `c`; the rest is what is after it. */
struct str str_cut(struct str *rest, char c);
bool str_starts(struct str text, const char *prefix);
/* The name of a file without its directories. */
struct str str_basename(struct str path);
/* Without +0x12 at the end, or +12 if `is_decimal`. */
struct str str_without_offset(struct str text, bool is_decimal);
