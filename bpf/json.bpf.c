/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json: the value at a path of a document.
 *
 * One walk over the document finds where the value starts, another where it
 * ends.  The path is read as it is followed: when the value of one element is
 * reached, the next element says whether an object or an array must begin there
 * and which part of it is wanted.
 *
 * Values that are not wanted are skipped by counting brackets.  This is not a
 * validator: it rejects only what it cannot follow.
 */
#include "library.h"

enum { PLAIN, STRING, ESCAPED }; /* what the last byte was in */
enum {
	FOLLOW,		/* the next byte starts the value we want */
	KEY,		/* the next string is a key */
	COLON,		/* the key was the wanted one */
	OTHER,
};

struct json {
	const char *doc, *path;
	uint64_t caps;
	uint64_t inside, phase, depth;
	uint64_t key;		  /* where the key in the document starts */
	uint64_t element, length; /* of the path: current piece */
	uint64_t next;		  /* of the path: the piece after it */
	uint64_t wanted, count;	  /* arrays: which element; seen so far */
	uint64_t is_array;
	uint64_t result;
	uint64_t zero; /* unknown(0) */
};

/*
 * Our state is hidden from the verifier: it would follow each combination of
 * states separately.
 */
#define HIDDEN(j, value) ((j)->zero + (value))

static bool is_blank(uint64_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* -------------------------------------------------------------------- paths */

static long path_turn(uint32_t turn, void *context)
{
	struct json *j = context;
	uint64_t byte = byte_at(j->path, j->element + turn,
				CAP_SOURCE(j->caps));

	j->length = turn;
	if (!fresh(j->is_array))
		return !byte || byte == '.' || byte == '[';
	if (byte < '0' || byte > '9')
		return 1;
	j->wanted = j->wanted * 10 + byte - '0';
	return 0;
}

/* Reads the next element of the path; false: it is malformed. */
static NOINLINE uint64_t read_element(struct json *j)
{
	uint64_t cap = CAP_SOURCE(j->caps);
	uint64_t byte = byte_at(j->path, j->next, cap);

	if (byte == '.' && fresh(j->next))
		j->next++;
	else if (byte != '[' && fresh(j->next))
		return 0;
	j->is_array = HIDDEN(j, byte_at(j->path, j->next, cap) == '[');
	j->element = j->next + j->is_array;
	j->wanted = HIDDEN(j, 0);
	j->length = HIDDEN(j, 0);
	repeat(cap, path_turn, j);
	if (!j->length)
		return 0;
	j->next = j->element + j->length;
	if (!fresh(j->is_array))
		return 1;
	if (byte_at(j->path, j->next, cap) != ']')
		return 0;
	j->next++;
	return 1;
}

struct equality {
	const struct json *j;
	uint64_t differs;
};

static long equality_turn(uint32_t turn, void *context)
{
	struct equality *e = context;
	const struct json *j = e->j;
	uint64_t done = (uint64_t)turn * 8;

	if (done >= j->length)
		return 1;
	uint64_t x = piece_at(j->doc, j->key + done, CAP_MEM(j->caps));
	uint64_t y = piece_at(j->path, j->element + done, CAP_SOURCE(j->caps));

	if (!low_bytes(x ^ y, j->length - done))
		return 0;
	e->differs = 1;
	return 1;
}

static NOINLINE uint64_t is_wanted_key(struct json *j, uint64_t end)
{
	struct equality e = { j, 0 };

	if (end - j->key != j->length)
		return 0;
	repeat(CAP_SOURCE(j->caps), equality_turn, &e);
	return !e.differs;
}

/* ----------------------------------------------------------------- documents */

/* The value we wanted starts here; 1: stop. */
static NOINLINE uint64_t follow(struct json *j, uint64_t at, uint64_t byte)
{
	if (!byte_at(j->path, j->next, CAP_SOURCE(j->caps))) {
		j->result = at;
		return 1;
	}
	if (!read_element(j) || byte != (fresh(j->is_array) ? '[' : '{'))
		return 1;
	j->depth = HIDDEN(j, 1);
	j->count = HIDDEN(j, 0);
	j->phase = HIDDEN(j, !fresh(j->is_array) ? KEY
			     : fresh(j->wanted)	 ? OTHER
						 : FOLLOW);
	return 0;
}

/* A byte of the container we are in, outside of strings; 1: stop. */
static uint64_t structure(struct json *j, uint64_t at, uint64_t byte)
{
	if (byte == '"') {
		j->inside = HIDDEN(j, STRING);
		j->key = at + 1;
	} else if (byte == '{' || byte == '[') {
		j->depth++;
	} else if (byte == '}' || byte == ']') {
		j->depth--;
		return !fresh(j->depth);
	} else if (fresh(j->depth) == 1 && byte == ':' &&
		   fresh(j->phase) == COLON) {
		j->phase = HIDDEN(j, FOLLOW);
	} else if (fresh(j->depth) == 1 && byte == ',') {
		j->count++;
		if (!fresh(j->is_array))
			j->phase = HIDDEN(j, KEY);
		else if (fresh(j->count) == fresh(j->wanted))
			j->phase = HIDDEN(j, FOLLOW);
	}
	return !byte;
}

static long start_turn(uint32_t turn, void *context)
{
	struct json *j = context;
	uint64_t byte = byte_at(j->doc, turn, CAP_MEM(j->caps));

	if (fresh(j->inside) == ESCAPED) {
		j->inside = HIDDEN(j, STRING);
		return !byte;
	}
	if (fresh(j->inside) == STRING) {
		if (byte == '\\')
			j->inside = HIDDEN(j, ESCAPED);
		if (byte != '"')
			return !byte;
		j->inside = HIDDEN(j, PLAIN);
		if (fresh(j->depth) == 1 && fresh(j->phase) == KEY)
			j->phase = HIDDEN(j, is_wanted_key(j, turn) ? COLON
								    : OTHER);
		return 0;
	}
	if (is_blank(byte))
		return 0;
	if (fresh(j->phase) == FOLLOW)
		return (long)follow(j, turn, byte);
	return (long)structure(j, turn, byte);
}

/* `key` is the first byte of the value, `wanted` the byte itself. */
static long end_turn(uint32_t turn, void *context)
{
	struct json *j = context;
	uint64_t at = j->key + turn;
	uint64_t byte = byte_at(j->doc, at, CAP_MEM(j->caps));
	uint64_t is_container = fresh(j->wanted) == '{' ||
				fresh(j->wanted) == '[';

	if (!byte)
		return 1;
	if (fresh(j->inside) == ESCAPED) {
		j->inside = HIDDEN(j, STRING);
	} else if (fresh(j->inside) == STRING) {
		if (byte == '\\')
			j->inside = HIDDEN(j, ESCAPED);
		if (byte != '"')
			return 0;
		j->inside = HIDDEN(j, PLAIN);
		if (is_container)
			return 0;
		j->result = at;
		return 1;
	} else if (byte == '"') {
		j->inside = HIDDEN(j, STRING);
	} else if (byte == '{' || byte == '[') {
		j->depth++;
	} else if (is_container) {
		if (byte == '}' || byte == ']')
			j->depth--;
		if (fresh(j->depth))
			return 0;
		j->result = at + 1;
		return 1;
	} else if (byte == ',' || byte == '}' || byte == ']' ||
		   is_blank(byte)) {
		j->result = at;
		return 1;
	}
	return 0;
}

/* Where in document mem the value at path source is: SPAN or SPAN_NONE. */
LIBRARY(json)
{
	struct json j = {
		.doc = mem, .path = source, .caps = caps,
		.inside = unknown(PLAIN), .phase = unknown(FOLLOW),
		.depth = unknown(0), .key = unknown(0), .next = unknown(0),
		.element = unknown(0), .length = unknown(0),
		.wanted = unknown(0), .count = unknown(0),
		.is_array = unknown(0), .result = NOWHERE,
		.zero = unknown(0),
	};

	if (!byte_at(source, 0, CAP_SOURCE(caps)))
		return SPAN_NONE;
	repeat(CAP_MEM(caps), start_turn, &j);

	uint64_t start = j.result;
	uint64_t first = byte_at(mem, start, CAP_MEM(caps));
	uint64_t is_string = first == '"';

	if (!first || first == ',' || first == ':' || first == ']' ||
	    first == '}')
		return SPAN_NONE;
	j.key = unknown(start);
	j.wanted = unknown(first);
	j.inside = unknown(PLAIN);
	j.depth = unknown(0);
	j.result = NOWHERE;
	repeat(CAP_MEM(caps), end_turn, &j);
	if (j.result == NOWHERE)
		return SPAN_NONE;
	start += is_string;
	return SPAN(start, j.result - start);
}
