/* SPDX-License-Identifier: Apache-2.0 */
#include "view/quantity_text.h"

struct prefix {
	double size;
	const char *name;
};

static const struct family {
	const char *unit;
	struct prefix prefixes[7]; /* the largest first; size 0: end */
} families[] = {
	{ "ns",
	  { { 3600e9, "h" },
	    { 60e9, "min" },
	    { 1e9, "s" },
	    { 1e6, "ms" },
	    { 1e3, "µs" },
	    { 1, "ns" } } },
	{ "us",
	  { { 3600e6, "h" },
	    { 60e6, "min" },
	    { 1e6, "s" },
	    { 1e3, "ms" },
	    { 1, "µs" } } },
	{ "bytes",
	  { { 0x1p40, "TiB" },
	    { 0x1p30, "GiB" },
	    { 0x1p20, "MiB" },
	    { 0x1p10, "KiB" },
	    { 1, "B" } } },
};

static const struct prefix *prefixes_of(const char *unit)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (!strcmp(families[i].unit, unit))
			return families[i].prefixes;
	return NULL;
}

void quantity_put(struct text *out, int64_t value, const char *unit)
{
	const struct prefix *prefix = unit ? prefixes_of(unit) : NULL;
	double size = value < 0 ? -(double)value : (double)value;

	if (!prefix) {
		text_printf(out, "%lld", (long long)value);
		if (unit && *unit)
			text_printf(out, " %s", unit);
		return;
	}
	while (size < prefix->size && prefix[1].size > 0)
		prefix++;
	text_printf(out, "%.4g %s", (double)value / prefix->size, prefix->name);
}
