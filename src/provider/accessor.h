/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* getter(f, x): what the accessor f of a program would return for x. */

struct arena;
struct image;

/*
 * D text in which each getter() is replaced by an expression that reads what
 * the function returns; text without any is returned as it is.  NULL: *problem
 * says why, as the end of a sentence about the object.  Without an image, for
 * code that never runs, the value is the argument.
 */
const char *accessor_expand(struct arena *arena, struct image *image,
			    const char *text, const char **problem);
