/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A world for the compiler without a kernel: every description matches BEGIN,
 * or ERROR if it says so, no probe has arguments, and every provider and module
 * exists.  The test defines which symbols there are.
 */

#include <string.h>

#include "lang/lang.h"

static int match(void *context, const struct probe_desc *desc,
		 bool (*visit)(void *data, const struct probe_info *probe),
		 void *data, struct probe_error *error)
{
	bool is_error = desc->name && !strcmp(desc->name, "ERROR");
	struct probe_info info = {
		.id = is_error ? 3 : 1, .provider = "dtrace", .module = "",
		.function = "", .name = is_error ? "ERROR" : "BEGIN",
		.attr = { STABILITY_STABLE, STABILITY_STABLE, CLASS_COMMON },
	};

	(void)context, (void)error;
	visit(data, &info);
	return 1;
}

static int no_argument(void *context, const struct probe_info *probe,
		       uint32_t n, struct type **native,
		       struct type **translated, uint32_t *mapping)
{
	(void)context, (void)probe, (void)n, (void)native, (void)translated;
	(void)mapping;
	return 0;
}

static bool has_name(void *context, const char *name)
{
	(void)context, (void)name;
	return true;
}

#define TEST_ORACLE(symbol_function) { \
	.match = match, .argument = no_argument, .has_provider = has_name, \
	.has_module = has_name, .symbol = symbol_function, \
}
