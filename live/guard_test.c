/* SPDX-License-Identifier: Apache-2.0 */
#include "live/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void secrets(void **state)
{
	static const struct {
		const char *given;
		bool is_same;
	} cases[] = {
		{ "0123456789abcdef", true },  { "0123456789abcdeF", false },
		{ "", false },		       { "0", false },
		{ "0123456789abcde", false },  { "0123456789abcdef0", false },
		{ "1123456789abcdef", false },
		{ "0123456789abcdef0123456789abcdef", false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(guard_is_same(cases[i].given,
					       "0123456789abcdef"),
				 cases[i].is_same);
}

static void hosts(void **state)
{
	static const struct {
		const char *host;
		bool is_local, is_elsewhere; /* allowed there? */
	} cases[] = {
		{ "127.0.0.1:8042", true, true },
		{ "localhost:8042", true, true },
		{ "LOCALHOST:8042", true, true },
		{ "[::1]:8042", true, true },
		{ "work:8042", true, true },
		{ "work", false, false },
		{ "127.0.0.1", false, false },
		{ "127.0.0.1:80", false, false },
		{ "127.0.0.1:80420", false, false },
		{ "127.0.0.1.evil.example:8042", false, false },
		{ "evil.example:8042", false, false },
		{ "localhost.evil:8042", false, false },
		{ "10.0.0.7:8042", false, true },
		{ "[fe80::1]:8042", false, true },
		{ "[fe80::1:8042", false, false },
		{ "10.0.0.7", false, false },
		{ "", false, false },
		{ ":8042", false, false },
		{ NULL, false, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct settings settings = {
			.bound_port = 8042, .names = { "work" }, .nnames = 1,
			.is_loopback = true,
		};

		assert_int_equal(guard_host(&settings, cases[i].host),
				 cases[i].is_local);
		settings.is_loopback = false;
		assert_int_equal(guard_host(&settings, cases[i].host),
				 cases[i].is_elsewhere);
	}
}

static void sites(void **state)
{
	static const struct {
		const char *origin, *site;
		bool may_read, may_change;
	} cases[] = {
		{ NULL, NULL, true, true },
		{ "http://h:1", NULL, true, true },
		{ "http://h:1", "same-origin", true, true },
		{ NULL, "none", true, false },
		{ NULL, "cross-site", false, false },
		{ NULL, "same-site", false, false },
		{ "http://h:1", "cross-site", false, false },
		{ "https://h:1", NULL, false, false },
		{ "http://h:2", NULL, false, false },
		{ "http://h:1.evil", NULL, false, false },
		{ "null", NULL, false, false },
		{ "", NULL, false, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(guard_site("h:1", cases[i].origin,
					    cases[i].site, false, true),
				 cases[i].may_read);
		assert_int_equal(guard_site("h:1", cases[i].origin,
					    cases[i].site, false, false),
				 cases[i].may_change);
	}
}

static void authorizations(void **state)
{
	static const struct {
		const char *header;
		bool is_right, is_right_with_password;
	} cases[] = {
		{ "Bearer 0123456789abcdef", true, true },
		{ "bearer 0123456789abcdef", true, true },
		{ "Bearer 0123456789abcde", false, false },
		{ "0123456789abcdef", false, false },
		{ "Basic dXNlcjpzZWNyZXQgd29yZA==", false, true },
		{ "Basic OnNlY3JldCB3b3Jk", false, true },
		{ "Basic c2VjcmV0IHdvcmQ=", false, false },
		{ "Basic ", false, false },
		{ "Basic !!!!", false, false },
		{ "", false, false },
		{ NULL, false, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct settings settings = { .token = "0123456789abcdef" };

		assert_int_equal(guard_authorization(&settings,
						     cases[i].header),
				 cases[i].is_right);
		settings.password = "secret word";
		assert_int_equal(guard_authorization(&settings,
						     cases[i].header),
				 cases[i].is_right_with_password);
	}
}

static void types(void **state)
{
	(void)state;
	assert_true(guard_is_json("application/json"));
	assert_true(guard_is_json("Application/JSON; charset=utf-8"));
	assert_false(guard_is_json("application/jsonp"));
	assert_false(guard_is_json("text/plain"));
	assert_false(guard_is_json(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets),	  cmocka_unit_test(hosts),
		cmocka_unit_test(sites),	  cmocka_unit_test(types),
		cmocka_unit_test(authorizations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
