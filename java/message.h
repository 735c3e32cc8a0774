/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the tracer and its agent in a Java virtual machine tell each other, over a
 * socket: messages with a head, words and texts.  A text is a word with its length,
 * then its bytes.  Both sides are the same machine and the same build.
 *
 * The agent finds methods and puts calls into those that have probes.  A method is
 * (class, method), numbers that the agent gave.  A probe that fires calls a site,
 * one of many equal functions in the agent's file, where the tracer has a program:
 *
 *	site(number, words)	number: which of the program's probes
 *				words: JAVA_WORDS of 64 bits
 *
 * Words that no program wants are not filled in.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	JAVA_VERSION = 1,
	JAVA_ARGUMENTS = 10,
	JAVA_THIS = JAVA_ARGUMENTS, /* the word after them */
	/* words of objects have another: the address of a struct java_object */
	JAVA_OBJECTS,
	JAVA_WORDS = 2 * JAVA_OBJECTS,
	JAVA_SITES = 1024,
	JAVA_SITE_BYTES = 16,
	JAVA_MESSAGE_MOST = 1 << 18, /* bytes after the head */
};

struct java_head {
	uint32_t kind, size;
};

enum java_message {
	/* to the agent */
	JAVA_SEARCH = 1, /* watch?, class, method: JAVA_METHODs, JAVA_DONE */
	JAVA_PROBE,	 /* class, method, leaves?, site, number, wants */
	JAVA_APPLY,	 /* bytes of strings: JAVA_REFUSEDs, JAVA_DONE */
	JAVA_GO,	 /* number: classes that wait, up to it, may be used */
	JAVA_LOAD,	 /* class: of the application, not to be initialized */
	JAVA_STOP,	 /* take everything back: JAVA_DONE, the end */
	/* from it */
	JAVA_HELLO,   /* version */
	JAVA_METHOD,  /* class, method, modifiers, names, descriptor */
	JAVA_REFUSED, /* class, method, why */
	JAVA_HOLD,    /* number: a class waits until JAVA_GO */
	JAVA_DONE,
};

/* Modifiers of methods, as in class files, and more. */
enum {
	JAVA_STATIC = 0x0008,
	JAVA_NATIVE = 0x0100,
	JAVA_ABSTRACT = 0x0400,
	JAVA_UNMODIFIABLE = 0x10000, /* the class may not be changed */
};

/*
 * Words of a return: 0 or 1 if an exception left, the result, the exception's class,
 * whose object is the exception.
 */
enum { JAVA_THROWN, JAVA_RESULT, JAVA_EXCEPTION };

/* What there is to see of an object; dlib/java.d has the same. */
enum { JAVA_CLASS_BYTES = 96, JAVA_FIELDS = 24, JAVA_FIELD_BYTES = 64 };

struct java_object {
	char class[JAVA_CLASS_BYTES];
	uint64_t address;
	char fields[JAVA_FIELDS][JAVA_FIELD_BYTES]; /* name = value */
};

/* What has come, from its first byte that is not read; bad: it ends too early. */
struct java_reader {
	const uint8_t *at, *end;
	bool is_bad;
};

static inline uint32_t java_read_word(struct java_reader *reader)
{
	uint32_t word = 0;

	if ((size_t)(reader->end - reader->at) < sizeof(word)) {
		reader->is_bad = true;
		return 0;
	}
	memcpy(&word, reader->at, sizeof(word));
	reader->at += sizeof(word);
	return word;
}
