/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stability attributes as text and in order.  Both enumerations rise from
 * "rely on nothing" to "rely on it everywhere", so the least of two is the
 * smaller number, part by part.
 */
#include "lang/attr.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const stabilities[] = {
	[STABILITY_INTERNAL] = "Internal", [STABILITY_PRIVATE] = "Private",
	[STABILITY_OBSOLETE] = "Obsolete", [STABILITY_EXTERNAL] = "External",
	[STABILITY_UNSTABLE] = "Unstable", [STABILITY_EVOLVING] = "Evolving",
	[STABILITY_STABLE] = "Stable", [STABILITY_STANDARD] = "Standard",
};

static const char *const dependencies[] = {
	[CLASS_UNKNOWN] = "Unknown", [CLASS_CPU] = "CPU",
	[CLASS_PLATFORM] = "Platform", [CLASS_GROUP] = "Group",
	[CLASS_ISA] = "ISA", [CLASS_COMMON] = "Common",
};

enum {
	NSTABILITIES = sizeof(stabilities) / sizeof(*stabilities),
	NDEPENDENCIES = sizeof(dependencies) / sizeof(*dependencies),
};

static uint8_t least(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

struct attr attr_min(struct attr a, struct attr b)
{
	return (struct attr){
		.name = least(a.name, b.name),
		.data = least(a.data, b.data),
		.class = least(a.class, b.class),
	};
}

bool attr_below(struct attr a, struct attr b)
{
	return a.name < b.name || a.data < b.data || a.class < b.class;
}

/*
 * One part up to '/' or the end.  `*text` is left after the part and its slash,
 * or NULL after the last part.
 */
static bool parse_part(const char **text, const char *const *names,
		       size_t count, uint8_t *value)
{
	size_t length = strcspn(*text, "/");

	for (size_t i = 0; i < count; i++) {
		if (strlen(names[i]) != length ||
		    strncasecmp(names[i], *text, length))
			continue;
		*value = (uint8_t)i;
		*text = (*text)[length] ? *text + length + 1 : NULL;
		return true;
	}
	return false;
}

bool attr_parse(const char *text, struct attr *attr)
{
	struct attr parsed = ATTR_MAX;

	if (!parse_part(&text, stabilities, NSTABILITIES, &parsed.name))
		return false;
	if (text && !parse_part(&text, stabilities, NSTABILITIES, &parsed.data))
		return false;
	if (text &&
	    !parse_part(&text, dependencies, NDEPENDENCIES, &parsed.class))
		return false;
	if (text)
		return false;
	*attr = parsed;
	return true;
}

const char *stability_name(unsigned stability)
{
	return stability < NSTABILITIES ? stabilities[stability] : "Unknown";
}

const char *dependency_name(unsigned class)
{
	return class < NDEPENDENCIES ? dependencies[class] : "Unknown";
}

void attr_print(struct attr attr, struct text *out)
{
	text_printf(out, "%s/%s/%s", stability_name(attr.name),
		    stability_name(attr.data), dependency_name(attr.class));
}
