/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How D texts are changed: by words and statements, not only by bytes.
 *
 * A text with a byte changed is rarely a program, and what the checker refuses
 * never reaches the back half.  So most changes keep what D programs are made
 * of: a word becomes another one of its kind, a statement is copied, removed,
 * put into a loop, a block or a function, or taken from another text.  The rest
 * is done by libFuzzer, with its dictionary.
 *
 * The first byte (enum how) is not text and stays as it is here.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STATEMENT_MOST = 512 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
				 const uint8_t *data2, size_t size2,
				 uint8_t *out, size_t max_out, unsigned seed);

/* A piece of a text. */
struct span {
	size_t at, length;
};

static unsigned chance(unsigned *state, size_t n)
{
	*state = *state * 1664525u + 1013904223u;
	return n ? (*state >> 8) % (unsigned)n : 0;
}

#define PICK(state, table) \
	((table)[chance((state), sizeof(table) / sizeof(*(table)))])

/* Replaces a span by a text; the new size, or the old one: no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size,
		      struct span span, const void *text, size_t length)
{
	if (size - span.length + length > max_size)
		return size;
	memmove(data + span.at + length, data + span.at + span.length,
		size - span.at - span.length);
	memcpy(data + span.at, text, length);
	return size - span.length + length;
}

/* ------------------------------------------------------------------ words */

static bool is_word(uint8_t c)
{
	return isalnum(c) || c == '_';
}

static bool is_operator(uint8_t c)
{
	return c && strchr("+-*/%<>=!&|^~?", c);
}

/* A random run of such characters, near a random place; length 0: none. */
static struct span find_run(const uint8_t *data, size_t size,
			    bool (*is_part)(uint8_t), unsigned *state)
{
	size_t at = 1 + chance(state, size - 1), end;

	while (at < size && !is_part(data[at]))
		at++;
	while (at > 1 && at < size && is_part(data[at - 1]))
		at--;
	for (end = at; end < size && is_part(data[end]); end++)
		;
	return (struct span){ at, end - at };
}

static size_t change_word(uint8_t *data, size_t size, size_t max_size,
			  unsigned *state)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "2", "7", "8", "63", "64", "255", "0x10000",
		"0x10040", "2147483647", "-2147483648", "4294967296",
		"9223372036854775807", "-9223372036854775807", "1000000",
	};
	static const char *const types[] = {
		"int", "char", "uint8_t", "int64_t", "unsigned", "string",
		"short", "char *", "userland char *", "void *", "psinfo_t *",
		"struct task_struct *", "void",
	};
	struct span word = find_run(data, size, is_word, state);
	const char *text;

	if (!word.length)
		return size;
	if (isdigit(data[word.at])) {
		text = PICK(state, numbers);
		return replace(data, size, max_size, word, text, strlen(text));
	}
	if (!chance(state, 6)) {
		text = PICK(state, types);
		return replace(data, size, max_size, word, text, strlen(text));
	}
	/* another name of the text */
	struct span other = find_run(data, size, is_word, state);
	char copy[64];

	if (other.length > sizeof(copy))
		return size;
	memcpy(copy, data + other.at, other.length);
	return replace(data, size, max_size, word, copy, other.length);
}

static size_t change_operator(uint8_t *data, size_t size, size_t max_size,
			      unsigned *state)
{
	static const char *const operators[] = {
		"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&",
		"|", "^", "&&", "||", "^^", "<<", ">>", "=", "+=", "-=", "*=",
		"/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--", "->",
	};
	const char *text = PICK(state, operators);
	struct span span = find_run(data, size, is_operator, state);

	return span.length
		       ? replace(data, size, max_size, span, text, strlen(text))
		       : size;
}

/* ------------------------------------------------------------- statements */

static bool is_boundary(uint8_t c)
{
	return c == ';' || c == '{' || c == '}';
}

/* A random place between statements. */
static size_t find_boundary(const uint8_t *data, size_t size, unsigned *state)
{
	size_t at = 1 + chance(state, size - 1);

	while (at < size && !is_boundary(data[at]))
		at++;
	return at < size ? at + 1 : size;
}

/* From such a place to the end of a statement, of a block, or of a clause. */
static struct span find_statement(const uint8_t *data, size_t size,
				  unsigned *state)
{
	size_t at = find_boundary(data, size, state), end = at;
	unsigned depth = 0;

	for (; end < size && end - at < STATEMENT_MOST; end++) {
		uint8_t c = data[end];

		if (c == '{' || c == '(') {
			depth++;
		} else if (c == '}' || c == ')') {
			if (!depth)
				break;
			depth--;
		}
		if (!depth && (c == ';' || c == '}')) {
			end++;
			break;
		}
	}
	return (struct span){ at, end - at };
}

static size_t copy_statement(uint8_t *data, size_t size, size_t max_size,
			     const uint8_t *from, size_t from_size,
			     unsigned *state)
{
	struct span span = find_statement(from, from_size, state);
	uint8_t copy[STATEMENT_MOST];
	size_t at = find_boundary(data, size, state);

	if (span.length > sizeof(copy))
		return size;
	memcpy(copy, from + span.at, span.length);
	return replace(data, size, max_size, (struct span){ at, 0 }, copy,
		       span.length);
}

static size_t add_statement(uint8_t *data, size_t size, size_t max_size,
			    unsigned *state)
{
	static const char *const statements[] = {
		" break;", " continue;", " return;", " return 1;",
		" trace(i);", " printf(\"%d\", i);", " i++;", " x += i;",
		" int i = 3;", " string s = execname;", " @[i] = count();",
		" self->a[i] = i;", " this->x = 1 / i;", " exit(i);",
		" speculate(self->s);", " commit(self->s);", " stack(2);",
		" f(i);", " x = f(f(i));", " if (i == 1) ", " else ",
		" this->p = alloca(i);", " s = strjoin(s, \"a\");",
	};
	const char *text = PICK(state, statements);
	size_t at = find_boundary(data, size, state);

	return replace(data, size, max_size, (struct span){ at, 0 }, text,
		       strlen(text));
}

static size_t wrap_statement(uint8_t *data, size_t size, size_t max_size,
			     unsigned *state)
{
	static const struct { const char *before, *after; } wraps[] = {
		{ " { ", " }" },
		{ " if (pid & 1) { ", " }" },
		{ " if (x) { trace(x); } else { ", " }" },
		{ " for (int i = 0; i < 3; i++) { ", " }" },
		{ " for (;;) { ", " break; }" },
		{ " while (i < 4) { i++; ", " }" },
		{ " do { ", " } while (x--);" },
		{ "} int f(int i) { ", " return i; } BEGIN { f(2);" },
		{ "} void f(int i) { ", " } BEGIN { f(f(1)); f(3);" },
		{ "} BEGIN { ", " } BEGIN {" },
		{ "} syscall::read:entry /arg2/ { ", " } ERROR {" },
	};
	unsigned n = chance(state, sizeof(wraps) / sizeof(*wraps));
	struct span span = find_statement(data, size, state);
	struct span end = { span.at + span.length, 0 };

	span.length = 0;
	size = replace(data, size, max_size, end, wraps[n].after,
		       strlen(wraps[n].after));
	return replace(data, size, max_size, span, wraps[n].before,
		       strlen(wraps[n].before));
}

/* ---------------------------------------------------- libFuzzer's interface */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed)
{
	unsigned state = seed;

	if (size < 2)
		return LLVMFuzzerMutate(data, size, max_size);
	for (unsigned n = 1 + chance(&state, 3); n > 0; n--)
		switch (chance(&state, 9)) {
		case 0:
		case 1:
			size = change_word(data, size, max_size, &state);
			break;
		case 2:
			size = change_operator(data, size, max_size, &state);
			break;
		case 3:
			size = copy_statement(data, size, max_size, data, size,
					      &state);
			break;
		case 4:
			size = replace(data, size, max_size,
				       find_statement(data, size, &state), "",
				       0);
			break;
		case 5:
			size = add_statement(data, size, max_size, &state);
			break;
		case 6:
			size = wrap_statement(data, size, max_size, &state);
			break;
		default:
			size = LLVMFuzzerMutate(data, size, max_size);
			return size;
		}
	return size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
				 const uint8_t *data2, size_t size2,
				 uint8_t *out, size_t max_out, unsigned seed)
{
	unsigned state = seed;
	size_t size = size1 < max_out ? size1 : max_out;

	memcpy(out, data1, size);
	if (size < 2 || size2 < 2)
		return size;
	for (unsigned n = 1 + chance(&state, 3); n > 0; n--)
		size = copy_statement(out, size, max_out, data2, size2, &state);
	return size;
}
