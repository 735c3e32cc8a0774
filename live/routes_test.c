/* SPDX-License-Identifier: Apache-2.0 */
#include "live/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *method, *path;
	const char *route; /* NULL: none */
	uint32_t number;
	const char *allowed;
} cases[] = {
	{ "GET", "/", "/", 0, "" },
	{ "HEAD", "/", "/", 0, "" },
	{ "GET", "/api/1/status", "/api/1/status", 0, "" },
	{ "GET", "/api/1/status/", NULL, 0, "" },
	{ "GET", "/api/1/statu", NULL, 0, "" },
	{ "GET", "/api/1//status", NULL, 0, "" },
	{ "GET", "", NULL, 0, "" },
	{ "POST", "/api/1/status", NULL, 0, "GET" },
	{ "GET", "/api/1/instrumentations/7", "/api/1/instrumentations/#", 7,
	  "" },
	{ "GET", "/api/1/instrumentations/999999999",
	  "/api/1/instrumentations/#", 999999999, "" },
	{ "GET", "/api/1/instrumentations/9999999999", NULL, 0, "" },
	{ "GET", "/api/1/instrumentations/07", NULL, 0, "" },
	{ "GET", "/api/1/instrumentations/+7", NULL, 0, "" },
	{ "GET", "/api/1/instrumentations/ 7", NULL, 0, "" },
	{ "GET", "/api/1/instrumentations/0", NULL, 0, "" },
	{ "GET", "/api/1/instrumentations/", NULL, 0, "" },
	{ "GET", "/api/1/instrumentations/7/values",
	  "/api/1/instrumentations/#/values", 7, "" },
	{ "GET", "/api/1/instrumentations/7values", NULL, 0, "" },
	{ "PUT", "/api/1/instrumentations/7", NULL, 0, "GET, PATCH, DELETE" },
	{ "get", "/", NULL, 0, "GET" },
};

static void find(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char allowed[64];
		uint32_t number = 0;
		const struct route *route = route_find(
			cases[i].method, cases[i].path, &number, allowed);

		assert_int_equal(!route, !cases[i].route);
		assert_string_equal(route ? "" : allowed, cases[i].allowed);
		if (!route)
			continue;
		assert_string_equal(route->path, cases[i].route);
		assert_int_equal(number, cases[i].number);
	}
}

/* What changes something needs a body of JSON, or is a DELETE. */
static void forms(void **state)
{
	(void)state;
	for (const struct route *route = routes; route->method; route++) {
		bool is_get = !strcmp(route->method, "GET");

		assert_int_equal(is_get, route->form == ROUTE_PLAIN ||
						 route->form == ROUTE_DATA ||
						 route->form == ROUTE_PAGE);
		assert_int_equal(!strcmp(route->method, "DELETE"),
				 route->form == ROUTE_CHANGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find),
		cmocka_unit_test(forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
