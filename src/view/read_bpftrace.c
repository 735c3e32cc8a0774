/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bpftrace: maps with stacks in their keys.
 *
 *	@samples[bash,
 *	    vfs_read+187
 *	    ksys_read+102
 *	,
 *	    main+16
 *	, 1234]: 17
 *
 * What is in brackets and no stack is a key.  Names have no object, and the text
 * does not say whose stack it is; the functions through which the kernel is
 * entered do.
 */
#include "view/read.h"

#include <string.h>

static bool is_kernel_entry(struct str name)
{
	static const char *const prefixes[] = {
		"entry_SYSCALL", "asm_",  "ret_from_fork", "secondary_startup",
		"do_syscall_64", "el0t_", "x64_sys_call",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (str_starts(name, prefixes[i]))
			return true;
	return false;
}

/* "main+16", "main+16 (/usr/bin/prog)", "55d0c1 main+16 (/usr/bin/prog)" */
static struct str take_frame(struct str line, struct str *object)
{
	struct str text = str_trim(line);
	const char *open = text.n && text.p[text.n - 1] == ')'
				   ? memmem(text.p, text.n, " (", 2)
				   : NULL;

	*object = STR("");
	if (open) {
		*object = str_basename((struct str){
			open + 2, (size_t)(text.p + text.n - open - 3) });
		if (str_is(*object, "[unknown]") || str_is(*object, "unknown"))
			object->n = 0;
		text.n = (size_t)(open - text.p);
	}

	struct str rest = text, first = str_cut(&rest, ' ');
	bool is_address = first.n >= 6 && rest.n;

	for (size_t i = 0; i < first.n; i++)
		if (!strchr("0123456789abcdef", first.p[i]))
			is_address = false;
	return str_without_offset(is_address ? str_trim(rest) : text, true);
}

/* Lines from `start` to `end` are a stack. */
static void take_stack(struct reader *reader, const char *start,
		       const char *end)
{
	struct str lines = { start, (size_t)(end - start) }, object, name;
	bool is_kernel = false;

	while (lines.n) {
		name = take_frame(str_cut(&lines, '\n'), &object);
		is_kernel |= !object.n && is_kernel_entry(name);
	}
	lines = (struct str){ start, (size_t)(end - start) };
	while (lines.n) {
		name = take_frame(str_cut(&lines, '\n'), &object);
		if (name.n)
			reader_push(is_kernel ? &reader->kernel : &reader->user,
				    reader_function(reader, name, object,
						    is_kernel ? PROFILE_KERNEL
							      : PROFILE_USER));
	}
}

/* "bash, 1234, " */
static void take_keys(struct reader *reader, struct str text)
{
	while (text.n)
		reader_key(reader, str_cut(&text, ','));
}

/* "..., 1234]: 17": the value, and keys before it. */
static bool take_end(struct reader *reader, struct str line, int64_t *weight)
{
	for (size_t i = line.n; i > 1; i--) {
		if (line.p[i - 2] != ']' || line.p[i - 1] != ':')
			continue;
		take_keys(reader, (struct str){ line.p, i - 2 });
		return str_weight(str_trim((struct str){ line.p + i,
							 line.n - i }),
				  weight);
	}
	return false;
}

/* The lines of one entry after the first. */
static void read_entry(struct reader *reader)
{
	const char *start = NULL;
	struct str line;

	for (;;) {
		const char *before = reader->at;
		int64_t weight;

		if (!reader_line(reader, &line))
			break;
		if (line.n && (*line.p == ' ' || *line.p == '\t')) {
			start = start ? start : line.p;
			continue;
		}
		if (start)
			take_stack(reader, start, before);
		start = NULL;
		if (line.n && *line.p == '@') { /* the entry has no end */
			reader->at = before;
			reader->line--;
			break;
		}
		if (memmem(line.p, line.n, "]:", 2)) {
			if (take_end(reader, line, &weight))
				reader_add(reader, weight);
			break;
		}
		take_keys(reader, line);
	}
	reader_forget(reader);
}

void read_bpftrace(struct reader *reader)
{
	struct str line;

	while (reader_line(reader, &line)) {
		const char *open = line.n && *line.p == '@'
					   ? memchr(line.p, '[', line.n)
					   : NULL;

		if (!open || memmem(line.p, line.n, "]:", 2))
			continue; /* a map without stacks, or no map */
		take_keys(reader,
			  (struct str){ open + 1,
					(size_t)(line.p + line.n - open - 1) });
		read_entry(reader);
	}
}
