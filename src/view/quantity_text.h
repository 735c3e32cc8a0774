/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Numbers with their unit, short enough for an axis: 1.5 ms, 64 KiB. */

#include <stdint.h>

#include "base/text.h"

/* `unit` as -x unit has it; "" or NULL: a plain number. */
void quantity_put(struct text *out, int64_t value, const char *unit);
