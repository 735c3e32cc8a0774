/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The aggregating functions: one file each, and a line in functions.def. */

#include "lang/function.h"

#define AGGREGATE(id) extern const struct function agg_##id;
#include "agg/functions.def"
#undef AGGREGATE
