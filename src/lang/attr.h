/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Stability attributes: how much a name, its data and its dependency class
 * may be relied upon.  Every probe and identifier has one; a program's is the
 * minimum over what it uses (dtrace -v, -x amin).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum stability {
	STABILITY_INTERNAL, STABILITY_PRIVATE, STABILITY_OBSOLETE,
	STABILITY_EXTERNAL, STABILITY_UNSTABLE, STABILITY_EVOLVING,
	STABILITY_STABLE, STABILITY_STANDARD,
};

enum dependency {
	CLASS_UNKNOWN, CLASS_CPU, CLASS_PLATFORM, CLASS_GROUP, CLASS_ISA,
	CLASS_COMMON,
};

struct attr {
	uint8_t name, data, class;
};

#define ATTR_MAX \
	((struct attr){ STABILITY_STANDARD, STABILITY_STANDARD, CLASS_COMMON })
#define ATTR_STABLE \
	((struct attr){ STABILITY_STABLE, STABILITY_STABLE, CLASS_COMMON })
#define ATTR_EVOLVING \
	((struct attr){ STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_COMMON })
#define ATTR_PRIVATE \
	((struct attr){ STABILITY_PRIVATE, STABILITY_PRIVATE, CLASS_UNKNOWN })

struct attr attr_min(struct attr a, struct attr b);
/* Is any part of `a` below the same part of `b`? */
bool attr_below(struct attr a, struct attr b);
/* "Evolving/Evolving/Common"; trailing parts may be left out; case ignored. */
bool attr_parse(const char *text, struct attr *attr);
const char *stability_name(unsigned stability);	     /* "Evolving" */
const char *dependency_name(unsigned class);	     /* "Common" */
void attr_print(struct attr attr, struct text *out); /* "Evolving/..." */
