/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of V8's heap: strings, functions, scripts, and what their tables say.
 *
 * They move and change while they are read.  So each is what its map says at
 * that moment, numbers are bounded, and a cached script is compared.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/memory.h"
#include "runtime/v8.h"

enum {
	WORD = 8, TAG = 1, TAG_MASK = 3,
	NAME_MOST = 256,	/* characters of a name */
	TEXT_MOST = 3 * NAME_MOST + 4,	/* the same in UTF-8 */
	BYTES_MOST = 1 << 22,
	DEPTH = 8,		/* of strings made of strings */
};

/* ----------------------------------------------------------------- objects */

uint64_t v8_field(struct runtime_process *process, uint64_t object,
		  int64_t offset)
{
	if ((object & TAG_MASK) != TAG)
		return 0;
	return runtime_read_word(process, object - TAG + (uint64_t)offset);
}

uint64_t v8_element(struct runtime_process *process, uint64_t array, uint64_t n)
{
	const struct v8 *v8 = process->own;
	int64_t length = v8_number(v8_field(process, array,
					    v8->meta[V8_LENGTH]));

	if (length < 0 || n >= (uint64_t)length)
		return 0;
	return v8_field(process, array,
			v8->meta[V8_ELEMENTS] + (int64_t)n * WORD);
}

int64_t v8_number(uint64_t word)
{
	return word & 0xffffffff ? -1 : (int64_t)word >> 32;
}

int v8_type(struct runtime_process *process, uint64_t object)
{
	const struct v8 *v8 = process->own;
	uint64_t map = v8_field(process, object, v8->meta[V8_MAP]);
	uint16_t type;

	if ((map & TAG_MASK) != TAG ||
	    !runtime_read(process, map - TAG + (uint64_t)v8->meta[V8_TYPE],
			  &type, sizeof(type)))
		return -1;
	return type;
}

uint8_t *v8_bytes(struct runtime_process *process, uint64_t array, size_t *size)
{
	const struct v8 *v8 = process->own;
	int64_t length;
	uint8_t *bytes;

	*size = 0;
	if (v8_type(process, array) != v8->meta[V8_IS_BYTES])
		return NULL;
	length = v8_number(v8_field(process, array, v8->meta[V8_LENGTH]));
	if (length <= 0 || length > BYTES_MOST)
		return NULL;
	bytes = must_alloc((size_t)length);
	if (!runtime_read(process,
			  array - TAG + (uint64_t)v8->meta[V8_ELEMENTS], bytes,
			  (size_t)length)) {
		free(bytes);
		return NULL;
	}
	*size = (size_t)length;
	return bytes;
}

uint64_t v8_unsigned(const uint8_t **at, const uint8_t *end)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (*at < end) {
		uint8_t byte = *(*at)++;

		if (shift < 64)
			value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
		if (!(byte & 128))
			break;
	}
	return value;
}

int64_t v8_signed(const uint8_t **at, const uint8_t *end)
{
	uint64_t value = v8_unsigned(at, end);

	return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* ----------------------------------------------------------------- strings */

/* The string that has the characters of another one. */
struct flat {
	uint64_t at; /* address of the characters */
	unsigned width;
	uint64_t length;
};

/* false: it is none, or made of several. */
static bool flatten(struct runtime_process *process, uint64_t string,
		    struct flat *flat)
{
	const struct v8 *v8 = process->own;
	const int32_t *meta = v8->meta;
	uint64_t skip = 0;
	int32_t length;

	if ((string & TAG_MASK) != TAG ||
	    !runtime_read(process,
			  string - TAG + (uint64_t)meta[V8_STRING_LENGTH],
			  &length, sizeof(length)) ||
	    length < 0)
		return false;
	flat->length = (uint64_t)length;
	for (unsigned depth = 0; depth < DEPTH; depth++) {
		int type = v8_type(process, string);
		int form = type & meta[V8_FORM_MASK];
		bool is_narrow = (type & meta[V8_WIDTH_MASK]) ==
				 meta[V8_IS_ONE_BYTE];

		if (type < 0 || type >= meta[V8_FIRST_NONSTRING])
			return false;
		flat->width = is_narrow ? 1 : 2;
		if (form == meta[V8_FORM_SEQUENTIAL]) {
			flat->at = string - TAG + skip * flat->width +
				   (uint64_t)meta[is_narrow ? V8_ONE_BYTE
							    : V8_TWO_BYTE];
			return true;
		}
		if (form == meta[V8_FORM_EXTERNAL]) {
			/* the characters' address is behind the resource's */
			flat->at = v8_field(process, string,
					    meta[V8_RESOURCE] + WORD) +
				   skip * flat->width;
			return flat->at != 0;
		}
		if (form == meta[V8_FORM_THIN]) {
			string = v8_field(process, string, meta[V8_ACTUAL]);
		} else if (form == meta[V8_FORM_SLICED]) {
			int64_t slice = v8_number(v8_field(process, string,
							   meta[V8_SLICE]));

			if (slice < 0)
				return false;
			skip += (uint64_t)slice;
			string = v8_field(process, string, meta[V8_PARENT]);
		} else if (form == meta[V8_FORM_CONS] && !skip) {
			/* One that was flattened has all in its first part. */
			uint64_t first = v8_field(process, string,
						  meta[V8_FIRST]);
			int32_t part;

			if (!runtime_read(
				    process,
				    first - TAG +
					    (uint64_t)meta[V8_STRING_LENGTH],
				    &part, sizeof(part)) ||
			    part != length)
				return false;
			string = first;
		} else {
			return false;
		}
	}
	return false;
}

/* UTF-8 of what is UTF-16, or Latin-1. */
static size_t put_character(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 63));
		to[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 63));
	to[2] = (char)(0x80 | (c >> 6 & 63));
	to[3] = (char)(0x80 | (c & 63));
	return 4;
}

static size_t put_characters(char *to, const uint8_t *from, size_t count,
			     unsigned width)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t c = from[i * width], low;

		if (width == 2)
			c |= (uint32_t)from[2 * i + 1] << 8;
		if (width == 2 && c >> 10 == 0xd800 >> 10 && i + 1 < count) {
			low = from[2 * i + 2] | (uint32_t)from[2 * i + 3] << 8;
			if (low >> 10 == 0xdc00 >> 10) {
				c = 0x10000 + ((c & 0x3ff) << 10) +
				    (low & 0x3ff);
				i++;
			}
		}
		if (c)
			n += put_character(to + n, c);
	}
	return n;
}

/* Adds a string to a text of `n` bytes, up to NAME_MOST characters of each. */
static bool add_string(struct runtime_process *process, uint64_t string,
		       char *text, size_t *n, unsigned depth)
{
	const struct v8 *v8 = process->own;
	uint8_t characters[2 * NAME_MOST];
	struct flat flat;

	if (flatten(process, string, &flat)) {
		size_t room = (TEXT_MOST - 1 - *n) / 3;
		size_t count = flat.length < NAME_MOST ? flat.length
						       : NAME_MOST;

		if (count > room)
			count = room;
		if (!runtime_read(process, flat.at, characters,
				  count * flat.width))
			return false;
		*n += put_characters(text + *n, characters, count, flat.width);
		return true;
	}
	int type = v8_type(process, string);

	if (!depth || type < 0 || type >= v8->meta[V8_FIRST_NONSTRING] ||
	    (type & v8->meta[V8_FORM_MASK]) != v8->meta[V8_FORM_CONS])
		return false;
	return add_string(process,
			  v8_field(process, string, v8->meta[V8_FIRST]), text,
			  n, depth - 1) &&
	       add_string(process,
			  v8_field(process, string, v8->meta[V8_SECOND]), text,
			  n, depth - 1);
}

static bool read_string(struct runtime_process *process, uint64_t string,
			char text[TEXT_MOST])
{
	size_t n = 0;
	bool is_read = add_string(process, string, text, &n, DEPTH);

	text[n] = '\0';
	return is_read;
}

/* ----------------------------------------------------------------- scripts */

enum { LINES_MOST = 1 << 20 }; /* of a script */

static void drop_lines(struct runtime_process *process,
		       struct v8_script *script)
{
	runtime_memory_release(process->memory,
			       script->room * sizeof(*script->ends));
	free(script->ends);
	script->ends = NULL;
	script->count = script->room = 0;
}

static bool make_room(struct runtime_process *process, struct v8_script *script,
		      size_t room)
{
	size_t size = sizeof(*script->ends);

	if (room > LINES_MOST ||
	    !runtime_memory_hold(process->memory, (room - script->room) * size))
		return false;
	script->ends = must_realloc(script->ends, room * size);
	script->room = room;
	return true;
}

/* Lines of a text that V8 has not counted itself. */
static bool count_lines(struct runtime_process *process,
			struct v8_script *script)
{
	enum { CHUNK = 8192, MOST = 1 << 24 };
	uint8_t chunk[CHUNK];
	struct flat flat;
	bool is_return = false;

	if (!flatten(process, script->source, &flat) || flat.length > MOST)
		return false;
	for (uint64_t at = 0; at < flat.length;) {
		uint64_t count = CHUNK / flat.width;

		if (count > flat.length - at)
			count = flat.length - at;
		if (!runtime_read(process, flat.at + at * flat.width, chunk,
				  count * flat.width))
			return false;
		for (uint64_t i = 0; i < count; i++, at++) {
			uint32_t c = chunk[i * flat.width];

			if (flat.width == 2)
				c |= (uint32_t)chunk[2 * i + 1] << 8;
			/* "\r\n" is one end: that of its last character */
			if (c == '\n' && is_return)
				script->ends[script->count - 1] = (uint32_t)at;
			bool is_end = (c == '\n' && !is_return) || c == '\r' ||
				      c == 0x2028 || c == 0x2029;

			is_return = c == '\r';
			if (!is_end)
				continue;
			if (script->count == script->room &&
			    !make_room(process, script,
				       script->room ? 2 * script->room : 256))
				return false;
			script->ends[script->count++] = (uint32_t)at;
		}
	}
	return true;
}

/* What V8 has counted. */
static bool take_lines(struct runtime_process *process,
		       struct v8_script *script, uint64_t array)
{
	const struct v8 *v8 = process->own;
	int64_t length = v8_number(v8_field(process, array,
					    v8->meta[V8_LENGTH]));

	if (length <= 0 || length > LINES_MOST ||
	    !make_room(process, script, (size_t)length))
		return false;
	uint64_t *words = must_alloc((size_t)length * WORD);
	bool is_good = runtime_read(process,
				    array - TAG +
					    (uint64_t)v8->meta[V8_ELEMENTS],
				    words, (size_t)length * WORD);

	for (int64_t i = 0; is_good && i < length; i++) {
		int64_t end = v8_number(words[i]);

		is_good = end >= 0 && (!i || end >= script->ends[i - 1]);
		script->ends[i] = (uint32_t)end;
	}
	free(words);
	script->count = is_good ? (size_t)length : 0;
	return is_good;
}

static void read_lines(struct runtime_process *process,
		       struct v8_script *script)
{
	const struct v8 *v8 = process->own;
	/* after the name */
	int64_t first = v8_number(v8_field(process, script->script,
					   v8->meta[V8_SCRIPT_NAME] + WORD));

	drop_lines(process, script);
	script->first = first > 0 ? (uint64_t)first : 0;
	script->has_lines = take_lines(process, script,
				       v8_field(process, script->script,
						v8->meta[V8_LINE_ENDS]));
	if (script->has_lines)
		return;
	drop_lines(process, script);
	script->has_lines = count_lines(process, script);
	if (!script->has_lines)
		drop_lines(process, script);
}

static struct v8_script *find_script(struct runtime_process *process,
				     uint64_t object)
{
	struct v8 *v8 = process->own;
	struct v8_script *script = &v8->scripts[object / 16 % V8_SCRIPTS];
	uint64_t source = v8_field(process, object, v8->meta[V8_SOURCE]);
	uint64_t name = v8_field(process, object, v8->meta[V8_SCRIPT_NAME]);
	char text[TEXT_MOST];

	if (script->name && script->script == object &&
	    script->source == source && script->name_at == name)
		return script;
	if (v8_type(process, object) != v8->meta[V8_IS_SCRIPT])
		return NULL;
	script->script = object;
	script->source = source;
	script->name_at = name;
	script->name = read_string(process, name, text)
			       ? runtime_text(process, text)
			       : "";
	read_lines(process, script);
	return script;
}

/* From 1; 0: not known. */
static uint64_t line_of(const struct v8_script *script, int64_t position)
{
	size_t low = 0, high = script->count;

	if (!script->has_lines || position < 0)
		return 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (script->ends[middle] < (uint64_t)position)
			low = middle + 1;
		else
			high = middle;
	}
	return script->first + low + 1;
}

/* --------------------------------------------------------------- functions */

uint64_t v8_bytecode(struct runtime_process *process, uint64_t shared)
{
	enum { BYTECODE_OF_DATA = 8, STEPS = 3 };
	const struct v8 *v8 = process->own;
	uint64_t data = v8_field(process, shared, v8->meta[V8_DATA]);

	for (unsigned i = 0; i < STEPS; i++) {
		int type = v8_type(process, data);

		if (type == v8->meta[V8_IS_BYTECODE])
			return data;
		if (type == v8->meta[V8_IS_CODE] && v8->code)
			data = v8_field(process, data, v8->code->data);
		else if (type == v8->meta[V8_IS_INTERPRETER_DATA])
			data = v8_field(process, data, BYTECODE_OF_DATA);
		else
			return 0;
	}
	return 0;
}

/* Of an instruction in the source text; -1: V8 has no table (yet). */
static int64_t position_of(struct runtime_process *process, uint64_t shared,
			   int64_t offset)
{
	const struct v8 *v8 = process->own;
	/* constants, handlers, positions */
	int64_t table_at = v8->meta[V8_LENGTH] + 3 * WORD;
	/* They wrap around, if the table is damaged. */
	uint64_t code = (uint64_t)-1, value = 0; /* -1: its entry */
	int64_t position = -1;
	size_t size;
	uint8_t *bytes = v8_bytes(process,
				  v8_field(process,
					   v8_bytecode(process, shared),
					   table_at),
				  &size);
	const uint8_t *at = bytes, *end = bytes ? bytes + size : NULL;

	while (at < end) {
		int64_t step = v8_signed(&at, end);

		/* the sign says whether a statement begins */
		code += (uint64_t)(step >= 0 ? step : -(step + 1));
		value += (uint64_t)v8_signed(&at, end);
		if ((int64_t)code > offset)
			break;
		position = (int64_t)(value >> 1 & 0x3fffffff) - 1;
	}
	free(bytes);
	return position;
}

/* What a ScopeInfo has besides variables. */
struct scope {
	uint64_t name, inferred;
	int64_t start; /* position of the function */
};

static struct scope read_scope(struct runtime_process *process, uint64_t info)
{
	/* bits of its flags */
	enum {
		TYPE_MASK = 15,
		MODULE = 3,
		CLASS_VARIABLE = 10,
		FUNCTION_NAME = 12,
		INFERRED_NAME = 14
	};
	/* words of it; locals that are in it */
	enum { FLAGS = 1, LOCALS = 3, FIRST = 4, INLINE_MOST = 75 };
	int64_t flags = v8_number(v8_field(process, info, FLAGS * WORD));
	int64_t locals = v8_number(v8_field(process, info, LOCALS * WORD));
	struct scope scope = { 0, 0, -1 };
	int64_t at = FIRST;

	if (flags < 0 || locals < 0 || locals > 1 << 20)
		return scope;
	at += locals + (locals < INLINE_MOST ? locals : 1);
	at += (flags & TYPE_MASK) == MODULE;
	at += flags >> CLASS_VARIABLE & 1;
	if (flags >> FUNCTION_NAME & 3) {
		scope.name = v8_field(process, info, at * WORD);
		at += 2;
	}
	if (flags >> INFERRED_NAME & 1)
		scope.inferred = v8_field(process, info, at++ * WORD);
	scope.start = v8_number(v8_field(process, info, at * WORD));
	return scope;
}

void v8_function(struct runtime_process *process, uint64_t shared,
		 int64_t offset, struct runtime_frame *frame)
{
	const struct v8 *v8 = process->own;
	uint64_t name = v8_field(process, shared, v8->meta[V8_NAME]);
	struct scope scope = { 0, 0, -1 };
	char text[TEXT_MOST];
	int64_t position = -1;

	if (v8_type(process, name) == v8->meta[V8_IS_SCOPE]) {
		scope = read_scope(process, name);
		name = scope.name;
	}
	if ((!read_string(process, name, text) || !*text) &&
	    (!read_string(process, scope.inferred, text) || !*text))
		strcpy(text, "(anonymous)");
	frame->function = runtime_text(process, text);
	frame->file = "";
	frame->line = 0;
	struct v8_script *script = find_script(process,
					       v8_field(process, shared,
							v8->meta[V8_SCRIPT]));

	if (!script)
		return;
	if (offset >= 0)
		position = position_of(process, shared, offset);
	if (position < 0)
		position = scope.start;
	frame->file = script->name;
	if (*script->name)
		frame->line = line_of(script, position);
}
