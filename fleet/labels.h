/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Labels say what a host is: role=db,site=ulm.  An expression chooses hosts:
 *
 *	role=db,site!=ulm	both must hold
 *	role=db|cache		either value
 *	host=web*		names and values are patterns of a shell
 *	canary  !canary		it has such a label, or has none
 *	* or nothing		every host
 *
 * Each host has the labels "host" and "kernel" by itself.
 */

#include <jansson.h>
#include <stdbool.h>

/* "role=db,site=ulm" as an object; NULL: `problem` says what is wrong. */
json_t *labels_read(const char *text, const char **problem);
/* NULL: it makes sense; otherwise what is wrong with it. */
const char *labels_check(const char *expression);
bool labels_match(const char *expression, json_t *labels);
