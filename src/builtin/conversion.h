/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A format, taken apart: text, conversion, text, conversion ...  Between
 * format.c, which reads and checks it, and format_print.c, which carries it
 * out; nobody else looks inside.
 */

#include "builtin/format.h"

/* What a conversion accepts. */
enum accepts {
	ACCEPTS_INTEGER,	/* of any size */
	ACCEPTS_CHAR,		/* up to 4 bytes */
	ACCEPTS_EXACT,		/* size and sign as the table says */
	ACCEPTS_EXACT_SIZE,	/* size as the table says, any sign */
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

/* How it prints: one function each in format_print.c. */
enum prints {
	PRINTS_BY_TYPE,		/* signed or unsigned as the argument's type */
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
	const char *name;	/* "d", "lld": what stands in the format */
	char letter;		/* what libc's printf is given */
	const char *prototype;	/* as messages name what it wants */
	enum accepts accepts;
	enum prints prints;
	uint8_t size;		/* ACCEPTS_EXACT* */
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
	/* what stands before it; all there is when kind is NULL */
	const char *text;
	size_t text_length;
	const struct conversion_kind *kind;
	uint32_t number;	/* 1-based, as messages count */
	unsigned flags;
	int width, precision;	/* 0 = none */
	bool takes_width, takes_precision;	/* from an argument: * and .* */
	struct conversion *next;
};

struct format {
	struct conversion *conversions;
	const char *text;
	size_t length;
};
