/* SPDX-License-Identifier: Apache-2.0 */
#include "live/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* What the server asks for, and what a worker is told; NULL: refused. */
static const struct {
	const char *asked, *request, *told;
} cases[] = {
	{ "{\"program\":\"BEGIN {}\"}", "{}",
	  "{\"program\":\"BEGIN {}\",\"file\":null,\"args\":[\"dtlive\"],\"options\":{},\"destructive\":false,\"interval_ms\":1000}" },
	{ "{\"program\":\"x\",\"pid\":7,\"options\":{\"strsize\":\"1k\"}}", "{}",
	  "{\"program\":\"x\",\"file\":null,\"args\":[\"dtlive\"],\"options\":{\"strsize\":\"1k\"},\"pid\":7,\"destructive\":false,\"interval_ms\":1000}" },
	/* a server that was taken over asks for more */
	{ "{\"program\":\"x\",\"file\":\"/etc/shadow\",\"command\":\"id\",\"destructive\":true,\"args\":[\"a\"]}", "{}",
	  "{\"program\":\"x\",\"file\":null,\"args\":[\"dtlive\"],\"options\":{},\"destructive\":false,\"interval_ms\":1000}" },
	{ "{\"program\":\"x\",\"options\":{\"record\":\"/etc/passwd\"}}", "{}", NULL },
	{ "{\"program\":\"x\",\"options\":{\"destructive\":\"on\"}}", "{}", NULL },
	{ "{\"program\":\"x\",\"options\":{\"cpp\":\"on\"}}", "{}", NULL },
	{ "{\"program\":\"x\",\"options\":{\"libdir\":\"/tmp\"}}", "{}", NULL },
	{ "{\"program\":\"x\",\"options\":{\"strsize\":7}}", "{}", NULL },
	{ "{\"file\":\"/etc/shadow\"}", "{}", NULL },
	{ "{\"program\":\"x\",\"pid\":-1}", "{}", NULL },
	{ "{\"program\":\"x\",\"pid\":\"7\"}", "{}", NULL },
	{ "{}", "{}", NULL },
	/* the command line's own, whatever the server says of it */
	{ "{\"program\":\"y\",\"command\":\"id\"}", "{\"begin\":0}",
	  "{\"file\":\"a.d\",\"command\":\"ls\",\"destructive\":false,\"interval_ms\":1000}" },
	{ "{\"program\":\"y\"}", "{\"begin\":1}", NULL },
	{ "{\"program\":\"y\"}", "{\"begin\":-1}", NULL },
};

static void make(void **state)
{
	struct settings settings = {
		.interval = 1000,
		.begin = json_pack("[{s:{s:s, s:s}}]", "spec", "file", "a.d",
				   "command", "ls"),
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		json_t *asked = json_loads(cases[i].asked, 0, NULL);
		json_t *request = json_loads(cases[i].request, 0, NULL);
		const char *why = NULL;
		json_t *told = spec_make(&settings, asked, request, &why);
		json_t *expected = cases[i].told ? json_loads(cases[i].told, 0, NULL)
						 : NULL;

		assert_int_equal(!told, !expected);
		if (told)
			assert_true(json_equal(told, expected));
		else
			assert_non_null(why);
		json_decref(asked);
		json_decref(request);
		json_decref(told);
		json_decref(expected);
	}
	json_decref(settings.begin);
}

/* The same of a fleet, for heads: NATS is the command line's, hosts the page's. */
static const struct {
	const char *request, *told; /* NULL: refused */
} fleet_cases[] = {
	{ "{\"hosts\":\"role=db\",\"aggby\":[\"host\"]}",
	  "{\"program\":\"x\",\"nats\":{\"url\":\"u\"},\"hosts\":\"role=db\",\"aggby\":[\"host\"]}" },
	{ "{\"nats\":{\"url\":\"other\"},\"prometheus\":\"0.0.0.0:1\",\"id\":\"7\"}",
	  "{\"program\":\"x\",\"nats\":{\"url\":\"u\"}}" },
	/* hosts make the program of a metric themselves */
	{ "{\"metric\":\"cpu.idle\",\"by\":[\"cpu\"],\"title\":\"t\"}",
	  "{\"metric\":\"cpu.idle\",\"request\":{\"by\":[\"cpu\"]},\"nats\":{\"url\":\"u\"}}" },
	{ "{\"hosts\":7}", NULL },
	{ "{\"aggby\":\"host\"}", NULL },
	{ "{\"aggby\":[\"a\",\"b\",\"c\",\"d\",\"e\"]}", NULL },
	{ "{\"aggby\":[7]}", NULL },
};

static void make_fleet(void **state)
{
	struct settings settings = {
		.interval = 1000,
		.begin = json_array(),
		.nats = json_pack("{s:s}", "url", "u"),
	};
	json_t *asked = json_pack("{s:s}", "program", "x");

	(void)state;
	for (unsigned i = 0; i < sizeof(fleet_cases) / sizeof(*fleet_cases);
	     i++) {
		json_t *request = json_loads(fleet_cases[i].request, 0, NULL);
		const char *why = NULL;
		json_t *told = spec_make(&settings, asked, request, &why);
		json_t *expected = fleet_cases[i].told
					   ? json_loads(fleet_cases[i].told, 0,
							NULL)
					   : NULL;

		assert_int_equal(!told, !expected);
		/* what is the same for all */
		for (const char *const *name =
			     (const char *const[]){ "file", "args", "options",
						    "destructive",
						    "interval_ms", NULL };
		     told && *name; name++)
			json_object_del(told, *name);
		if (told)
			assert_true(json_equal(told, expected));
		else
			assert_non_null(why);
		json_decref(request);
		json_decref(told);
		json_decref(expected);
	}
	json_decref(asked);
	json_decref(settings.nats);
	json_decref(settings.begin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(make),
		cmocka_unit_test(make_fleet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
