/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What a worker is told, made of what the server asks for.
 *
 * The server may have been taken over.  So a spec is made anew: of a program's
 * text, options that concern nothing but tracing, and the number of a process.
 * Files and commands come from the command line only; whether destructive
 * programs are allowed is for the command line to say, too.
 *
 * Of a fleet it is the spec of a head (fleet/head.h): the same, and hosts, labels
 * that keep them apart, and how to reach them, which the server does not know.
 */

#include <jansson.h>

#include "live/settings.h"

/* May a page set this option of dtrace(8)? */
bool spec_allows(const char *option);
/* Hosts of a request, and labels that keep them apart; both may be NULL. */
bool spec_check_hosts(json_t *hosts, json_t *by, const char **why);
/* NULL: it is refused, and *why says the reason. */
json_t *spec_make(const struct settings *settings, json_t *asked,
		  json_t *request, const char **why);
