/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perf script: a heading for each sample, a line for each frame, an empty line.
 *
 *	bash  1234 [001]  53.120: 250000 cpu-clock:pppH:
 *		ffffffff811 vfs_read+0xbb ([kernel.kallsyms])
 *		      7f2e1 __read+0x10 (/usr/lib/libc.so.6)
 *
 * Every sample counts 1.  The name of the process is the lowest frame.
 */
#include "view/read.h"

#include <ctype.h>
#include <string.h>

static bool is_hex(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!isxdigit((unsigned char)text.p[i]))
			return false;
	return text.n > 0;
}

/* Where the "(object)" at the end begins; objects may have blanks. */
static const char *object_start(struct str text)
{
	const char *at = text.p + text.n - 1;

	if (text.n < 2 || *at != ')')
		return NULL;
	for (int depth = 0; at >= text.p; at--) {
		depth += (*at == ')') - (*at == '(');
		if (!depth)
			return at > text.p && at[-1] == ' ' ? at : NULL;
	}
	return NULL;
}

/* "ffffffff811 vfs_read+0xbb ([kernel.kallsyms])" */
static bool read_frame(struct reader *reader, struct str line)
{
	struct str rest = str_trim(line), object = STR("");
	struct str address = str_cut(&rest, ' ');
	enum profile_kind kind = PROFILE_USER;
	const char *start;

	if (!is_hex(address))
		return false;
	rest = str_trim(rest);
	start = object_start(rest);
	if (start) {
		object = (struct str){ start + 1,
				       (size_t)(rest.p + rest.n - start - 2) };
		rest.n = (size_t)(start - rest.p);
		rest = str_trim(rest);
	}
	if (str_is(object, "inlined")) {
		kind = PROFILE_INLINED;
		object.n = 0;
	} else if (str_starts(object, "[kernel") ||
		   str_starts(object, "[guest.kernel")) {
		kind = PROFILE_KERNEL;
		object = STR("vmlinux");
	} else if (str_starts(object, "[unknown")) {
		object.n = 0;
	} else if (object.n > 2 && *object.p == '[' && object.p[1] != 'v') {
		/* a module of the kernel; [vdso] and [vsyscall] are not */
		kind = PROFILE_KERNEL;
		object = (struct str){ object.p + 1, object.n - 2 };
	} else if (memmem(object.p, object.n, "/perf-", 6) &&
		   memmem(object.p, object.n, ".map", 4)) {
		kind = PROFILE_SCRIPT; /* a compiler at run time named it */
	}
	object = str_basename(object);
	reader_push(kind == PROFILE_KERNEL ? &reader->kernel : &reader->user,
		    reader_function(reader, str_without_offset(rest, false),
				    object, kind));
	return true;
}

/* The end of the process's name in a heading: blanks, then its number. */
static size_t name_length(struct str line)
{
	for (size_t i = 1; i + 1 < line.n; i++) {
		size_t digit = i;

		if (line.p[i] != ' ' || line.p[i - 1] == ' ')
			continue;
		while (digit < line.n && line.p[digit] == ' ')
			digit++;

		size_t end = digit;

		while (end < line.n && (isdigit((unsigned char)line.p[end]) ||
					(line.p[end] == '/' && end > digit)))
			end++;
		if (end > digit && end < line.n && line.p[end] == ' ')
			return i;
	}
	return 0;
}

/* Without -g the only frame is on the line of the heading. */
static void read_heading(struct reader *reader, struct str line, bool *is_open)
{
	size_t n = name_length(line);
	struct str rest = line;

	*is_open = n > 0;
	if (!n) {
		reader_skip(reader);
		return;
	}
	reader_key(reader, (struct str){ line.p, n });
	for (const char *colon; (colon = memmem(rest.p, rest.n, ": ", 2));)
		rest = (struct str){ colon + 1,
				     rest.n - (size_t)(colon + 1 - rest.p) };
	if (rest.n && object_start(str_trim(rest)))
		read_frame(reader, rest);
}

void read_perf(struct reader *reader)
{
	bool is_open = false; /* in a sample */
	struct str line;

	while (reader_line(reader, &line)) {
		if (line.n && *line.p == '#')
			continue;
		if (!str_trim(line).n) {
			if (is_open)
				reader_add(reader, 1);
			is_open = false;
		} else if (*line.p == ' ' || *line.p == '\t') {
			if (is_open && read_frame(reader, line))
				continue;
			/* a heading may be indented, too */
			if (!is_open)
				read_heading(reader, str_trim(line), &is_open);
			else
				reader_skip(reader);
		} else {
			if (is_open)
				reader_add(reader, 1);
			read_heading(reader, line, &is_open);
		}
	}
	if (is_open)
		reader_add(reader, 1);
}
