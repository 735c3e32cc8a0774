/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Output: records become text.
 *
 * A `struct printer` is the consumer's view while one record is printed.
 * Actions print themselves (struct function.print) with the services below;
 * what they may not do is know the kernel.  Output goes to a FILE; a write
 * error is noticed at flush and ends the run (broken pipe, full disk).
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "agg/agg.h"
#include "base/option.h"
#include "base/text.h"
#include "base/visible.h"
#include "bpf/abi.h"
#include "ir/lower.h"

struct agg_store;	/* run/aggregate.h: merged aggregations */
struct structured;	/* out/structured.h: JSON and its kin */
struct symbols;		/* proc/symbols.h: names of addresses */
struct unwind;		/* proc/unwind.h: users' stacks */


/*
 * Whoever wants to see records himself.  `record` is asked before a record
 * is printed, `action` before each of its actions; after the last one `done`
 * is called.  What controls the run (FUNCTION_CONTROLS) happens in any case.
 */
enum printer_choice { PRINT_IT, PRINT_NOT, PRINT_NO_MORE };
struct printer;
struct printer_hooks {
	void *context;
	enum printer_choice (*record)(void *context, struct printer *printer);
	enum printer_choice (*action)(void *context, struct printer *printer,
				      const struct record_action *action);
	enum printer_choice (*done)(void *context, struct printer *printer);
};

struct printer {
	FILE *file;			/* printer_set_file() */
	bool is_terminal;		/* it is one: terminal.c */
	struct options *options;
	struct types *types;
	struct agg_store *aggs;
	struct symbols *symbols;	/* NULL: addresses stay numbers */
	struct unwind *unwind;	/* NULL: no program walks them */
	struct structured *structured;	/* NULL: text (out/structured.h) */
	uint32_t target;		/* process of -p or -c, for %A */
	/* the record at hand */
	const struct record_layout *layout;
	const struct abi_record *record;
	const struct lower_probe *probe;
	uint32_t cpu;
	bool quiet;
	const struct printer_hooks *hooks;	/* or NULL */
	bool is_aborted;		/* a hook wants no more */
	/* what actions asked the consumer to do */
	bool exit_requested;
	int exit_status;
	bool header_printed;
	/* -F: the records before and after this one on the same CPU */
	int flow_depth;
	const struct record_layout *last, *next;	/* or NULL */
	uint32_t last_probe, next_probe;
	/* a line that a later piece of this clause may go on with, or NULL */
	const struct record_layout *open_line;
	uint32_t open_cpu;
	/* freopen(): descriptor of the output before it; 0 = not redirected */
	int saved_fd;
	bool testing;		/* _DTRACE_TESTING: no CPU and ID columns */
	/* name of a probe by id, for keys that are probe names */
	const struct lower_probe *(*find_probe)(void *context, uint32_t id);
	void *context;
	/* stderr messages: "dtrace: ..." */
	void (*warn)(void *context, const char *message);
	bool has_warned_hidden;	/* that kernel addresses have no names */
	struct text scratch;
};

/* A value ready to print: where its bytes are and what they mean. */
struct print_value {
	struct type *type;
	const uint8_t *bytes;
	uint32_t size;
	const struct function *function;	/* stack(), sym() ... or NULL */
	bool is_unsigned_override;
	bool is_text;		/* a name or literal: no type needed */
	bool is_literal;	/* the program's own words */
	bool is_name;		/* of one line */
};

/* Field n of an action in the record at hand (probe names filled in). */
struct print_value printer_field(struct printer *printer,
				 const struct record_action *action,
				 uint32_t n, const uint8_t *record);
/* The same for a key of an aggregation. */
struct print_value printer_key(struct printer *printer,
			       const struct record_field *key,
			       const uint8_t *bytes);
/* An integer of 1..8 bytes, extended as its type says. */
int64_t print_value_integer(struct types *types, const struct print_value *value);

/* What kind of thing a value is, for those who print it their own way. */
enum print_shape { SHAPE_INTEGER, SHAPE_STRING, SHAPE_BYTES, SHAPE_ADDRESS,
		   SHAPE_STACK };
enum print_shape print_value_shape(struct printer *printer,
				   const struct print_value *value);

/*
 * Data on its way to the output (terminal.c): names, and bytes of a value.  On
 * a terminal control characters in them are made visible.
 */
void printer_set_file(struct printer *printer, FILE *file);
bool printer_escapes(const struct printer *printer);
void print_data(const struct printer *printer, const char *bytes, size_t count,
		enum visible how, struct text *out);
void print_name(const struct printer *printer, const char *name,
		struct text *out);
void print_bytes_of(const struct printer *printer,
		    const struct print_value *value, const char *bytes,
		    size_t count, struct text *out);

/* One whole record: header line if due, every action, newline. */
bool printer_record(struct printer *printer);
/* Write out what is buffered: 0 or the negative errno of any write so far. */
int printer_flush(struct printer *printer);
/*
 * -F: the text between CPU and the actions' output, indentation included
 * (flow.c).  Moves flow_depth.
 */
void flow_print(struct printer *printer, struct text *out);

/* trace()'s default forms (d-language.md §14.3), key forms (§12). */
void print_default(struct printer *printer, const struct print_value *value,
		   struct text *out);
void print_key(struct printer *printer, const struct print_value *value,
	       struct text *out);
void print_hexdump(const uint8_t *bytes, uint32_t size, struct text *out);

/*
 * Addresses (symbol.c).  A value that stack(), sym() ... left says by its
 * function what it is.  print_symbol: without blanks around; print_stack:
 * newline, then a line per frame.
 */
void print_symbol(struct printer *printer, const struct print_value *value,
		  struct text *out);
void print_stack(struct printer *printer, const struct print_value *value,
		 int indent, struct text *out);
/* "module`name+0xoff" of a kernel address, or of one in a process. */
void print_kernel_address(struct printer *printer, uint64_t address,
			  struct text *out);
void print_user_address(struct printer *printer, uint32_t pid,
			uint64_t address, struct text *out);
/*
 * A key that is an address or a stack, as it is known to the store: what
 * prints the same becomes the same bytes.  Looks at processes while they are
 * there.
 */
void symbol_key(struct printer *printer, const struct record_field *key,
		uint8_t *bytes);
/* A value whose walk was put off gets its addresses. */
void print_complete(struct printer *printer, struct print_value *value);
/*
 * Frames that stack() has room for beside those the user asked for: machinery
 * in front of them, and one that tells whether there are more.
 */
enum { STACK_HIDDEN = 4, STACK_EXTRA = STACK_HIDDEN + 1 };
