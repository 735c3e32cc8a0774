/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside usdt/: from sites.c to patch.c and to tests. */

#include "usdt/relocatable.h"

struct examination {
	struct relocatable object;
	struct types *types;
	struct program *const *programs;
	uint32_t nprograms;
	const char *path;
	struct usdt_sites *sites;
	struct text *error;
};

/* patch.c: calls of probe functions become sites; 0 or a negative errno. */
int patch_calls(struct examination *examination);
