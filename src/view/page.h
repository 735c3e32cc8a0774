/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A page: one HTML file that shows a picture in a browser, offline, with its
 * data inside.
 *
 * The scripts and styles are made of page/ when dtrace is built, and embedded.
 * The file says by their hashes that nothing else may run (CSP), so that no
 * name of a traced program can become a script, even if one of us forgets to
 * escape it.  The data are JSON in an element that browsers do not execute.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

/* What tools/bundle.sh makes of page/NAME.ts and page/NAME.css. */
struct page_bundle {
	const char *name;
	const char *script, *script_hash; /* SHA-256, in base64 */
	const char *style, *style_hash;	  /* "" without a style */
};

/* NULL: there is none with this name. */
const struct page_bundle *page_bundle(const char *name);

/* Writes the data: one JSON value, its strings with page_string(). */
typedef void page_data(FILE *out, const void *context);

/* False: no such bundle, or the file has an error. */
bool page_write(FILE *out, const char *bundle, const char *title,
		page_data *write_data, const void *context);

/*
 * A string of JSON, with quotes.  Bytes that are not UTF-8 and controls become
 * visible (base/visible.h); nothing in it can end the element that it is in.
 */
void page_string(FILE *out, const char *bytes, size_t n);
/* Bytes, for page/common/varint.ts. */
void page_base64(FILE *out, const struct text *bytes);
