/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Facts for two sinks: the first sees each before the second. */

#include "facts/sink.h"

/* Both are borrowed. */
struct sink *tee_open(struct sink *first, struct sink *second);
