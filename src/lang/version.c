/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -x version: names that came after a version of D.
 *
 * A script that asks for version 1.0 may call a variable `index`, because
 * the function of that name came with 1.1.  The versions are those of the
 * classic systems; names that are not here were there from the beginning, or
 * on systems that never counted so, and are always known.
 */
#include "lang/check.h"

static const struct {
	const char *name;
	uint8_t minor;		/* of version 1 */
} names[] = {
	{ "index", 1 },	     { "rindex", 1 },	   { "strchr", 1 },
	{ "strrchr", 1 },    { "strstr", 1 },	   { "strtok", 1 },
	{ "substr", 1 },     { "func", 2 },	   { "mod", 2 },
	{ "setopt", 2 },     { "sym", 2 },	   { "uaddr", 2 },
	{ "ucaller", 2 },    { "ufunc", 2 },	   { "umod", 2 },
	{ "ustackdepth", 2 }, { "usym", 2 },	   { "htonl", 3 },
	{ "htonll", 3 },     { "htons", 3 },	   { "ntohl", 3 },
	{ "ntohll", 3 },     { "ntohs", 3 },	   { "inet_ntoa", 5 },
	{ "inet_ntoa6", 5 }, { "inet_ntop", 5 },   { "stddev", 6 },
	{ "llquantize", 7 }, { "vmregs", 7 },	   { "tolower", 8 },
	{ "toupper", 8 },    { "print", 9 },	   { "getf", 10 },
	{ "json", 11 },	     { "strtoll", 11 },	   { "threadname", 13 },
};

bool version_hides(const struct language *language, const char *name)
{
	const struct option_value *asked =
		&language->config.options->values[OPTION_VERSION];

	if (!asked->is_set || language->in_library)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			return asked->number <
			       (1 << 24 | names[i].minor << 12);
	return false;
}
