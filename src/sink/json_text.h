/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* JSON text: strings, names, values. */

#include "sink/render.h"

/* Quoted; bytes that are not UTF-8 become U+DC80 .. U+DCFF. */
void json_put_string(struct text *out, const char *bytes, size_t n);
void json_word(struct text *out, const char *word); /* NULL: null */
/* "name": preceded by a comma unless it is the first in its object. */
void json_name(struct text *out, const char *name);
/* A value: number, string, array of frames; other bytes as { "hex": ... }. */
void json_value(const struct renderer *renderer, const struct fact_value *value,
		struct text *out);
