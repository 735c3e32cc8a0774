/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Globs of probe descriptions: * ? [a-z] [!a-z] and backslash.
 *
 * A pattern is anchored at both ends and compares bytes.  The empty pattern
 * matches everything: it is how a description says "any".  A bracket that is
 * never closed stands for itself.
 *
 * Only the last star needs to be remembered: when the text after it does not
 * fit, that star takes one more byte and the rest is tried again.  Earlier
 * stars have already found their leftmost fit and can do no better.
 */
#include "probe/probe.h"

#include <stddef.h>
#include <string.h>

bool glob_is_plain(const char *pattern)
{
	return !pattern[strcspn(pattern, "*?[\\")];
}

/* Does "[...]" at *at match c?  -1: it is not closed.  Moves *at past it. */
static int match_set(const char **at, char c)
{
	const char *p = *at + 1;
	bool is_negated = *p == '!', is_in = false;

	if (is_negated)
		p++;
	for (bool first = true; first || *p != ']'; first = false) {
		if (*p == '\\' && p[1])
			p++;
		if (!*p)
			return -1;
		unsigned char low = (unsigned char)*p++, high = low;

		if (*p == '-' && p[1] && p[1] != ']') {
			p++;
			if (*p == '\\' && p[1])
				p++;
			high = (unsigned char)*p++;
		}
		if (low <= (unsigned char)c && (unsigned char)c <= high)
			is_in = true;
	}
	*at = p + 1;
	return is_in != is_negated;
}

/* One pattern element against one byte; moves *at past the element. */
static bool match_one(const char **at, char c)
{
	const char *p = *at;

	if (*p == '[') {
		int is_match = match_set(at, c);

		if (is_match >= 0)
			return is_match;
	}
	if (*p == '\\' && p[1])
		p++;
	else if (*p == '?') {
		*at = p + 1;
		return true;
	}
	*at = p + 1;
	return *p == c;
}

bool glob_match(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	if (!*pattern)
		return true;
	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
			continue;
		}
		const char *next = pattern;

		if (*pattern && match_one(&next, *text)) {
			pattern = next;
			text++;
			continue;
		}
		if (!star)
			return false;
		pattern = star;
		text = ++retry;
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
