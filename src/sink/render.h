/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Facts become text: what dtrace(8) prints, as a function of the facts and the
 * options alone.  The text sink (text.c) puts it into lines; structured sinks
 * include it with the values.
 *
 *	text_value.c	values without a format: trace(), keys
 *	text_symbol.c	addresses and stacks
 *	text_format.c	printf()
 *	text_object.c	print()
 *	text_action.c	an action, by its rule
 *	text_table.c	aggregations; text_drawn.c: -x agghist, -x aggpack
 */

#include "base/option.h"
#include "base/text.h"
#include "base/visible.h"
#include "facts/fact.h"

struct renderer {
	const struct options *options;
	const struct resolver *resolver;
	uint32_t target; /* process of -p or -c, for %A */
	bool is_quiet;	 /* values without surrounding blanks */
	/*
	 * A line of output has two sources.  The program chose formats and
	 * literals, and may clear the screen or use colours.  The traced system
	 * chose the values; a terminal must not obey those, so their control
	 * characters are made visible (base/visible.h).
	 */
	bool is_visible;
};

/* Adds data to the text: names, and bytes of a value. */
void render_data(const struct renderer *renderer, const char *bytes,
		 size_t count, enum visible how, struct text *out);
void render_name(const struct renderer *renderer, const char *name,
		 struct text *out);
void render_bytes(const struct renderer *renderer,
		  const struct fact_value *value, const char *bytes,
		  size_t count, struct text *out);

/* trace()'s default forms (d-language.md §14.3), key forms (§12). */
void render_default(const struct renderer *renderer,
		    const struct fact_value *value, struct text *out);
void render_key(const struct renderer *renderer, const struct fact_value *value,
		struct text *out);
/*
 * A key for a picture, `most` bytes of it: its bytes as they are; who shows them
 * makes them harmless.
 */
void render_word(const struct renderer *renderer,
		 const struct fact_value *value, size_t most, struct text *out);
void render_hexdump(const uint8_t *bytes, uint32_t size, struct text *out);

/*
 * render_symbol: without surrounding blanks; render_stack: newline, then a line
 * per frame.
 */
void render_symbol(const struct renderer *renderer,
		   const struct fact_value *value, struct text *out);
void render_stack(const struct renderer *renderer,
		  const struct fact_value *value, int indent, struct text *out);
/* "module`name+0xoff" */
void render_address(const struct renderer *renderer, bool is_user, uint32_t pid,
		    uint64_t address, struct text *out);

/* What a pointer points to, of which `size` bytes are available. */
void render_pointed(const struct schema_object *type, const uint8_t *bytes,
		    uint64_t size, struct text *out);
/* A value, preceded by its type. */
void render_typed(const struct schema_object *type, const uint8_t *bytes,
		  uint64_t size, struct text *out);

/* `table` and `row` for %@, or NULL. */
struct format;
void render_format(const struct renderer *renderer, const struct format *format,
		   const struct fact_value *values, uint32_t nvalues,
		   const struct fact_table *table, const struct fact_row *row,
		   struct text *out);

/* What the action prints. */
void render_action(const struct renderer *renderer,
		   const struct fact_action *action, struct text *out);
/* A table as printa() prints it; by the format, if there is one. */
void render_table(const struct renderer *renderer,
		  const struct fact_table *table, const struct format *format,
		  struct text *out);
/* -x agghist, -x aggpack; false: not set, or not for such a table. */
bool render_drawn(const struct renderer *renderer,
		  const struct fact_table *table, struct text *out);
