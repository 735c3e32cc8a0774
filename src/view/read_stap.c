/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SystemTap: what print_backtrace() and print_ubacktrace() print, or a script
 * that goes over an array of backtraces; after each stack a line with a number.
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0x401136 : main+0x20/0x40 [/usr/bin/prog]
 *		2404
 *
 * Other lines of a stack (the name of a process) are keys.
 */
#include "view/read.h"

#include <string.h>

/* "main+0x20/0x40 [/usr/bin/prog]" and "(inexact)" after it */
static void read_symbol(struct reader *reader, struct str text)
{
	struct str rest = text, name = str_cut(&rest, '+');
	struct str object = STR("");
	enum profile_kind kind = PROFILE_USER;
	const char *open = memchr(text.p, '[', text.n);
	const char *close = open ? memchr(open, ']',
					  text.n - (size_t)(open - text.p))
				 : NULL;

	if (close) {
		object = (struct str){ open + 1, (size_t)(close - open - 1) };
		if (name.n > (size_t)(open - text.p))
			name.n = (size_t)(open - text.p);
		/* of a process it is a path, of the kernel a module */
		if (!memchr(object.p, '/', object.n))
			kind = PROFILE_KERNEL;
		if (str_is(object, "kernel"))
			object = STR("vmlinux");
		object = str_basename(object);
	}
	name = str_trim(name);
	reader_push(kind == PROFILE_KERNEL ? &reader->kernel : &reader->user,
		    reader_function(reader, name, object, kind));
}

void read_stap(struct reader *reader)
{
	bool has_stack = false;
	struct str line;

	while (reader_line(reader, &line)) {
		struct str text = str_trim(line), rest = text;
		int64_t weight;

		if (!text.n)
			continue;
		if (str_weight(text, &weight)) {
			if (has_stack)
				reader_add(reader, weight);
			else
				reader_forget(reader);
			has_stack = false;
		} else if (str_starts(text, "0x")) {
			struct str address = str_cut(&rest, ' ');

			rest = str_trim(rest);
			if (str_starts(rest, ":"))
				rest = str_trim((struct str){ rest.p + 1,
							      rest.n - 1 });
			read_symbol(reader, rest.n ? rest : address);
			has_stack = true;
		} else {
			reader_key(reader, text);
		}
	}
}
