/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and stacks become text (d-language.md §14.4). */
#include "sink/render.h"

#include <string.h>

enum { WORD = sizeof(uint64_t) };
enum detail { DETAIL_OFFSET, DETAIL_NAME, DETAIL_MODULE };

/*
 * A frame is a line, for those who read files, too: a name with several is no
 * more frames.
 */
static void put_name(const struct renderer *renderer, const char *name,
		     struct text *out)
{
	if (strchr(name, '\n'))
		text_add_visible(out, name, strlen(name), VISIBLE_LINE);
	else
		render_name(renderer, name, out);
}

/*
 * Where a frame of a language is: the last part of the file's path, and the line.
 * What node has itself is no path: node:internal/timers.
 */
static void put_place(const struct renderer *renderer,
		      const struct fact_frame *frame, struct text *out)
{
	const char *slash = strncmp(frame->object, "node:", 5) != 0
				    ? strrchr(frame->object, '/')
				    : NULL;

	text_putc(out, '(');
	put_name(renderer, slash && slash[1] ? slash + 1 : frame->object, out);
	text_printf(out, ":%llu)", (unsigned long long)fact_line(frame));
}

static void put_frame(const struct renderer *renderer,
		      const struct fact_frame *frame, enum detail detail,
		      struct text *out)
{
	if (!frame->object) {
		text_printf(out, "0x%llx", (unsigned long long)frame->address);
		return;
	}
	if (frame->kind == FRAME_SCRIPT && detail != DETAIL_MODULE) {
		put_name(renderer, frame->function, out);
		if (fact_line(frame))
			put_place(renderer, frame, out);
		return;
	}
	put_name(renderer, frame->object, out);
	if (detail == DETAIL_MODULE)
		return;
	text_putc(out, '`');
	if (!frame->function) {
		text_printf(out, "0x%llx", (unsigned long long)frame->address);
		return;
	}
	put_name(renderer, frame->function, out);
	if (detail != DETAIL_NAME && frame->offset)
		text_printf(out, "+0x%llx", (unsigned long long)frame->offset);
}

void render_address(const struct renderer *renderer, bool is_user, uint32_t pid,
		    uint64_t address, struct text *out)
{
	const struct resolver *resolver = renderer->resolver;
	struct fact_frame frame;

	resolver->address(resolver->context, is_user, pid, address, &frame);
	put_frame(renderer, &frame, DETAIL_OFFSET, out);
}

void render_symbol(const struct renderer *renderer,
		   const struct fact_value *value, struct text *out)
{
	enum detail detail = DETAIL_NAME;
	struct fact_frame frame;

	fact_symbol(renderer->resolver, value, &frame);
	if (value->symbol == SYMBOL_MOD || value->symbol == SYMBOL_UMOD)
		detail = DETAIL_MODULE;
	else if (value->symbol == SYMBOL_UADDR ||
		 (!value->symbol && value->size > WORD))
		detail = DETAIL_OFFSET;
	put_frame(renderer, &frame, detail, out);
}

struct lines {
	const struct renderer *renderer;
	int indent;
	struct text *out;
};

static void put_line(void *data, const struct fact_frame *frame)
{
	const struct lines *lines = data;

	text_printf(lines->out, "%*s", lines->indent, "");
	put_frame(lines->renderer, frame, DETAIL_OFFSET, lines->out);
	text_putc(lines->out, '\n');
}

void render_stack(const struct renderer *renderer,
		  const struct fact_value *value, int indent, struct text *out)
{
	const struct resolver *resolver = renderer->resolver;
	struct lines lines = { renderer, indent, out };

	text_putc(out, '\n');
	const char *cut = resolver->stack(resolver->context, value, put_line,
					  &lines);

	if (cut)
		text_printf(out, "%*s  [ cut: %s ]\n", indent, "", cut);
}
