/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quantity.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *word;
	bool value;
} booleans[] = {
	{ "yes", true },      { "no", false },	   { "enable", true },
	{ "disable", false }, { "enabled", true }, { "disabled", false },
	{ "true", true },     { "false", false },  { "on", true },
	{ "off", false },     { "set", true },	   { "unset", false },
};

static const struct {
	const char *suffix;
	int64_t nanoseconds; /* 0: hz */
} units[] = {
	{ "", 1 },
	{ "ns", 1 },
	{ "nsec", 1 },
	{ "us", 1000 },
	{ "usec", 1000 },
	{ "ms", 1000000 },
	{ "msec", 1000000 },
	{ "s", 1000000000 },
	{ "sec", 1000000000 },
	{ "m", 60 * 1000000000LL },
	{ "min", 60 * 1000000000LL },
	{ "h", 3600 * 1000000000LL },
	{ "hour", 3600 * 1000000000LL },
	{ "d", 86400 * 1000000000LL },
	{ "day", 86400 * 1000000000LL },
	{ "hz", 0 },
};

bool quantity_digits(const char *text, uint64_t *value, const char **end)
{
	if (!isdigit((unsigned char)*text))
		return false;
	char *stop;

	errno = 0;
	*value = strtoull(text, &stop, 0);
	*end = stop;
	return errno == 0;
}

bool quantity_switch(const char *text, int64_t *number)
{
	for (size_t i = 0; i < COUNT(booleans); i++) {
		if (!strcasecmp(text, booleans[i].word)) {
			*number = booleans[i].value;
			return true;
		}
	}
	return false;
}

bool quantity_size(const char *text, int64_t *number)
{
	static const char suffixes[] = "kmgt";
	uint64_t value;
	const char *end;

	if (!quantity_digits(text, &value, &end))
		return false;
	if (*end) {
		const char *at = strchr(suffixes, tolower((unsigned char)*end));

		if (!at || end[1])
			return false;
		unsigned shift = 10 * (unsigned)(at - suffixes + 1);

		if (value > (uint64_t)INT64_MAX >> shift)
			return false;
		value <<= shift;
	}
	*number = (int64_t)value;
	return value <= QUANTITY_SIZE_MOST;
}

bool quantity_rate(const char *text, int64_t *number)
{
	uint64_t value;
	const char *end;

	if (!quantity_digits(text, &value, &end) || value > INT64_MAX)
		return false;
	for (size_t i = 0; i < COUNT(units); i++) {
		if (strcasecmp(end, units[i].suffix))
			continue;
		if (!units[i].nanoseconds) {
			*number = value ? 1000000000 / (int64_t)value : 0;
			return value <= 1000000000;
		}
		return !__builtin_mul_overflow((int64_t)value,
					       units[i].nanoseconds, number) &&
		       *number <= QUANTITY_TIME_MOST;
	}
	return false;
}

bool quantity_time(const char *text, int64_t *number)
{
	size_t n = strlen(text);

	return (n < 2 || strcasecmp(text + n - 2, "hz")) &&
	       quantity_rate(text, number);
}
