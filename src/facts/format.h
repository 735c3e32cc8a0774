/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A format of printf(), printa(), system() or freopen(), parsed: text,
 * conversion, text, conversion ...  It is read once, by the compiler, which
 * checks it against the arguments (builtin/format.c), or from a recording.  The
 * text sink applies it (sink/text_format.c).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* What a conversion accepts. */
enum accepts {
	ACCEPTS_INTEGER,	/* of any size */
	ACCEPTS_CHAR,		/* up to 4 bytes */
	ACCEPTS_EXACT,		/* size and sign given by the table */
	ACCEPTS_EXACT_SIZE,	/* size given by the table, any sign */
	ACCEPTS_FLOAT,
	ACCEPTS_EXACT_FLOAT,
	ACCEPTS_ADDRESS,	/* pointer, integer, symaddr */
	ACCEPTS_USER_ADDRESS,
	ACCEPTS_STACK,
	ACCEPTS_STRING,
	ACCEPTS_WIDE_STRING,
	ACCEPTS_TIME,
	ACCEPTS_NOTHING,	/* %% */
};

/* How it prints: one function each in sink/text_format.c. */
enum prints {
	PRINTS_BY_TYPE,		/* signed or unsigned, by argument type */
	PRINTS_SIGNED,
	PRINTS_UNSIGNED,
	PRINTS_FLOAT,
	PRINTS_CHAR,
	PRINTS_ESCAPED_CHAR,
	PRINTS_STRING,
	PRINTS_ESCAPED_STRING,
	PRINTS_WIDE_CHAR,
	PRINTS_WIDE_STRING,
	PRINTS_ADDRESS,
	PRINTS_STACK,
	PRINTS_DATE,		/* %Y */
	PRINTS_MAIL_DATE,	/* %T */
	PRINTS_HOST,
	PRINTS_SERVICE,
	PRINTS_PERCENT,
	PRINTS_COUNT
};

struct conversion_kind {
	const char *name;      /* "d", "lld": as written in the format */
	char letter;	       /* what libc's printf is given */
	const char *prototype; /* what it wants, for messages */
	enum accepts accepts;
	enum prints prints;
	uint8_t size; /* ACCEPTS_EXACT* */
	bool is_signed;
};

enum conversion_flags {
	FLAG_ALTERNATE = 1 << 0,	/* # */
	FLAG_ZERO = 1 << 1,
	FLAG_LEFT = 1 << 2,		/* - */
	FLAG_PLUS = 1 << 3,
	FLAG_GROUP = 1 << 4,		/* ' */
	FLAG_SPACE = 1 << 5,
	FLAG_AGGREGATION = 1 << 6,	/* @ */
};

struct conversion {
	/* the text before it; the rest if kind is NULL */
	const char *text;
	size_t text_length;
	const struct conversion_kind *kind;
	uint32_t number; /* 1-based, as in messages */
	unsigned flags;
	int width, precision;		   /* 0 = none */
	bool takes_width, takes_precision; /* from an argument: * and .* */
	struct conversion *next;
};

struct format {
	struct conversion *conversions;
	const char *text;
	size_t length;
};

/* Reads a format; NULL with `*problem` if the text is malformed. */
struct format *format_read(struct arena *arena, const char *text, size_t length,
			   const char **problem);
