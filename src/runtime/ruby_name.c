/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Ruby's frames: Class#method, Class.method for those of the class
 * itself, and what Ruby calls blocks, bodies and files.
 *
 * Whatever is read may be anything: objects are checked by their kind, lengths
 * are bounded, and there are no loops over what is found, but one over the names
 * of a class, which ends after a few.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/ruby.h"

enum {
	NAME_MOST = 512, WORD = 8,
	/* RString, RArray: longer ones are elsewhere */
	IS_ELSEWHERE = 1 << 13, IS_INSIDE = 1 << 13,
	INSIDE_SHIFT = 14, INSIDE_MOST = 31, OBJECT_HEAD = 16,
};

static uint64_t word(struct runtime_process *process, uint64_t address)
{
	return address ? runtime_read_word(process, address) : 0;
}

/* Is there an object of that kind? */
static bool is_kind(struct runtime_process *process, uint64_t object,
		    uint64_t kind)
{
	return object && !(object & 7) &&
	       (word(process, object) & RUBY_KIND) == kind;
}

/* A String, cut where it is too long; false: it is none. */
static bool read_text(struct runtime_process *process, uint64_t object,
		      char text[NAME_MOST])
{
	uint64_t flags, length, at = object + OBJECT_HEAD;

	if (!is_kind(process, object, RUBY_STRING))
		return false;
	flags = word(process, object);
	length = flags >> INSIDE_SHIFT & INSIDE_MOST;
	if (flags & IS_ELSEWHERE) {
		length = word(process, at);
		at = word(process, at + WORD);
	}
	if (length >= NAME_MOST)
		length = NAME_MOST - 1;
	text[length] = '\0';
	return !length || runtime_read(process, at, text, length);
}

/* An element of an Array; 0: there is none. */
static uint64_t element(struct runtime_process *process, uint64_t array,
			uint64_t n)
{
	enum { LENGTH_SHIFT = 15, LENGTH_MOST = 3, ELEMENTS = 32 };
	uint64_t flags, length, at = array + OBJECT_HEAD;

	if (!is_kind(process, array, RUBY_ARRAY))
		return 0;
	flags = word(process, array);
	length = flags >> LENGTH_SHIFT & LENGTH_MOST;
	if (!(flags & IS_INSIDE)) {
		length = word(process, at);
		at = word(process, array + ELEMENTS);
	}
	return n < length ? word(process, at + n * WORD) : 0;
}

/* ------------------------------------------------------------------- names */

/* The text that a number of a name stands for. */
static bool read_symbol(struct runtime_process *process, uint64_t id,
			char text[NAME_MOST])
{
	/* operators are their own number, others have bits of scope */
	enum { OPERATORS = 0xa9, SCOPE_SHIFT = 4, IN_ONE = 512, EACH = 2 };
	const struct ruby *ruby = process->own;
	uint64_t n = (uint32_t)(id > OPERATORS ? id >> SCOPE_SHIFT : id);

	for (unsigned i = 0; i < RUBY_TABLES; i++) {
		uint64_t table = word(process, ruby->symbols[i]);
		uint64_t part = element(process, table, n / IN_ONE);

		if (read_text(process,
			      element(process, part, n % IN_ONE * EACH), text))
			return true;
	}
	return false;
}

/*
 * A value among the variables of a class: that of a name, or (0) the first that
 * is a class or module; 0: there is none.
 */
static uint64_t variable(struct runtime_process *process, uint64_t class,
			 uint64_t name)
{
	/* struct st_table and its entries {hash, name, value} */
	enum { START = 32, BOUND = 40, ENTRIES = 48, ENTRY = 24, MOST = 64 };
	const struct ruby *ruby = process->own;
	uint64_t more = word(process, class + ruby->class_more);
	uint64_t table = more ? word(process, more + ruby->class_variables) : 0;

	if (!table || !ruby->class_more || !ruby->class_variables)
		return 0;
	uint64_t n = word(process, table + START);
	uint64_t bound = word(process, table + BOUND);
	uint64_t entries = word(process, table + ENTRIES);

	for (unsigned turn = 0; turn < MOST && n < bound; turn++, n++) {
		uint64_t entry[3];

		if (!runtime_read(process, entries + n * ENTRY, entry,
				  sizeof(entry)))
			return 0;
		if (name ? entry[1] == name
			 : is_kind(process, entry[2], RUBY_CLASS) ||
				    is_kind(process, entry[2], RUBY_MODULE))
			return entry[2];
	}
	return 0;
}

/* Class or module, and what Ruby writes behind it; false: it has no name. */
static bool read_class(struct runtime_process *process, uint64_t class,
		       char text[NAME_MOST], char *separator)
{
	enum { IS_SINGLETON = 1 << 12 };
	const struct ruby *ruby = process->own;
	uint64_t name = word(process, ruby->class_name);

	*separator = '#';
	if (is_kind(process, class, RUBY_CLASS) &&
	    word(process, class) & IS_SINGLETON) {
		/* the class that it belongs to */
		*separator = '.';
		class = variable(process, class, 0);
	}
	return name &&
	       (is_kind(process, class, RUBY_CLASS) ||
		is_kind(process, class, RUBY_MODULE)) &&
	       read_text(process, variable(process, class, name), text);
}

/* ------------------------------------------------------------------- lines */

/*
 * Which line an instruction has: that of the last entry at or before it.  A set
 * of bits says where entries begin; how many there are up to some place is
 * written in between (54 numbers of 7 bits, then blocks of 512 bits).
 */
static uint64_t entry_of(struct runtime_process *process, uint64_t index,
			 uint64_t at)
{
	enum {
		SMALL = 54,
		IN_WORD = 9,
		SMALL_BITS = 7,
		BLOCK_BITS = 512,
		WORD_BITS = 64,
		RANK_BITS = 9,
	};
	struct {
		uint64_t rank, ranks, bits[BLOCK_BITS / WORD_BITS];
	} block;

	if (at < SMALL)
		return word(process, index + at / IN_WORD * WORD) >>
			       at % IN_WORD * SMALL_BITS &
		       ((1 << SMALL_BITS) - 1);
	at -= SMALL;
	index += SMALL / IN_WORD * WORD + at / BLOCK_BITS * sizeof(block);
	if (!runtime_read(process, index, &block, sizeof(block)))
		return 0;
	at %= BLOCK_BITS;

	uint64_t part = at / WORD_BITS, count = (uint32_t)block.rank;
	uint64_t bits = block.bits[part] << (WORD_BITS - 1 - at % WORD_BITS);

	if (part)
		count += block.ranks >> (part - 1) * RANK_BITS &
			 ((1 << RANK_BITS) - 1);
	return count + (uint64_t)__builtin_popcountll(bits);
}

/* 0: it is not known. */
static uint64_t line_of(struct runtime_process *process, uint64_t body,
			uint64_t next)
{
	enum { COUNT_AT = 16, INDEX_AT = 24, ENTRY = 12, MOST = 1 << 24 };
	const struct ruby *ruby = process->own;
	uint64_t table = body + ruby->lines;
	uint64_t entries = word(process, table), n = 1;
	uint32_t count = (uint32_t)word(process, table + COUNT_AT);
	int32_t line;

	if (!entries || !count || count > MOST || next == RUNTIME_DETAIL_MOST)
		return 0;
	/* It is at the one before, unless it has not begun. */
	if (count > 1)
		n = entry_of(process, word(process, table + INDEX_AT),
			     next - (next != 0));
	if (!n || n > count ||
	    !runtime_read(process, entries + (n - 1) * ENTRY, &line,
			  sizeof(line)))
		return 0;
	return line > 0 ? (uint64_t)line : 0;
}

/* ------------------------------------------------------------------ frames */

/* The file of a sequence: a String, or an Array with its full path, too. */
static const char *file_of(struct runtime_process *process, uint64_t body)
{
	const struct ruby *ruby = process->own;
	uint64_t path = word(process, body + ruby->path);
	char text[NAME_MOST];

	if (is_kind(process, path, RUBY_ARRAY))
		path = element(process, path, 0);
	return read_text(process, path, text) ? runtime_text(process, text)
					      : "";
}

static unsigned name_sequence(struct runtime_process *process,
			      uint64_t sequence, uint32_t next, uint64_t owner,
			      struct runtime_frame *frame, const char **why)
{
	const struct ruby *ruby = process->own;
	uint64_t body = word(process, sequence + RUBY_SEQUENCE_BODY);
	char name[2 * NAME_MOST + 1], text[NAME_MOST], class[NAME_MOST];
	char separator;

	*why = "the name of the code cannot be read";
	if (!body ||
	    !read_text(process, word(process, body + ruby->label), text))
		return 0;
	if (owner && read_class(process, owner, class, &separator))
		snprintf(name, sizeof(name), "%s%c%s", class, separator, text);
	else
		strcpy(name, text);
	frame->function = runtime_text(process, name);
	frame->file = file_of(process, body);
	frame->line = line_of(process, body, next);
	return 1;
}

/* A function of C that is a method. */
static unsigned name_function(struct runtime_process *process,
			      uint64_t definition, uint64_t owner,
			      struct runtime_frame *frame, const char **why)
{
	char name[2 * NAME_MOST + 1], text[NAME_MOST], class[NAME_MOST];
	char separator;

	*why = "the name of the method cannot be read";
	if (!read_symbol(process,
			 word(process, definition + RUBY_DEFINITION_NAME),
			 text))
		return 0;
	if (read_class(process, owner, class, &separator))
		snprintf(name, sizeof(name), "%s%c%s", class, separator, text);
	else
		strcpy(name, text);
	frame->function = runtime_text(process, name);
	frame->file = "";
	return 1;
}

unsigned ruby_name_frame(struct runtime_process *process, uint64_t pointer,
			 uint32_t detail, struct runtime_frame *frames,
			 const char **why)
{
	enum { KINDS = 15, OF_RUBY = 0, OF_C = 1 };
	uint64_t flags = word(process, pointer);
	uint64_t what = flags >> RUBY_INTERNAL_SHIFT & RUBY_INTERNAL_MOST;

	*why = "what is executed cannot be read (any more)";
	if (!flags)
		return 0;
	*why = "what the frame points to is no code";
	if ((flags & RUBY_KIND) != RUBY_INTERNAL)
		return 0;
	if (what == RUBY_SEQUENCE)
		return name_sequence(process, pointer, detail, 0, frames, why);
	if (what != RUBY_ENTRY)
		return 0;
	uint64_t owner = word(process, pointer + RUBY_ENTRY_OWNER);
	uint64_t definition = word(process, pointer + RUBY_ENTRY_DEFINITION);
	uint64_t kind = word(process, definition);

	if ((kind & KINDS) == OF_RUBY)
		return name_sequence(
			process,
			word(process, definition + RUBY_DEFINITION_SEQUENCE),
			detail, owner, frames, why);
	if ((kind & KINDS) == OF_C)
		return name_function(process, definition, owner, frames, why);
	return 0;
}
