/* SPDX-License-Identifier: Apache-2.0 */
/* Values of every kind, the rules of time and place, the environment. */
#include "base/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	const char *name, *value;
	enum option_error error;
	int64_t number;
	const char *text;
} settings[] = {
	{ "bufsize", "512", OPTION_OK, 512, NULL },
	{ "bufsize", "4k", OPTION_OK, 4096, NULL },
	{ "bufsize", "4K", OPTION_OK, 4096, NULL },
	{ "bufsize", "2m", OPTION_OK, 2 << 20, NULL },
	{ "bufsize", "1g", OPTION_OK, 1 << 30, NULL },
	{ "bufsize", "1t", OPTION_OK, 1LL << 40, NULL },
	{ "bufsize", "0x10k", OPTION_OK, 16384, NULL },
	{ "bufsize", "010", OPTION_OK, 8, NULL },
	{ "bufsize", "9999999t", OPTION_BAD_VALUE, 0, NULL },
	{ "bufsize", "99999999999999999999", OPTION_BAD_VALUE, 0, NULL },
	{ "bufsize", "4kb", OPTION_BAD_VALUE, 0, NULL },
	{ "bufsize", "-4k", OPTION_BAD_VALUE, 0, NULL },
	{ "bufsize", "k", OPTION_BAD_VALUE, 0, NULL },
	{ "bufsize", "", OPTION_BAD_VALUE, 0, NULL },
	{ "bufsize", NULL, OPTION_BAD_VALUE, 0, NULL },

	{ "switchrate", "100", OPTION_OK, 100, NULL },
	{ "switchrate", "100ns", OPTION_OK, 100, NULL },
	{ "switchrate", "7nsec", OPTION_OK, 7, NULL },
	{ "switchrate", "3us", OPTION_OK, 3000, NULL },
	{ "switchrate", "3usec", OPTION_OK, 3000, NULL },
	{ "switchrate", "250ms", OPTION_OK, 250000000, NULL },
	{ "switchrate", "250MSEC", OPTION_OK, 250000000, NULL },
	{ "switchrate", "2s", OPTION_OK, 2000000000, NULL },
	{ "switchrate", "2sec", OPTION_OK, 2000000000, NULL },
	{ "switchrate", "1m", OPTION_OK, 60000000000, NULL },
	{ "switchrate", "1min", OPTION_OK, 60000000000, NULL },
	{ "switchrate", "1h", OPTION_OK, 3600000000000, NULL },
	{ "switchrate", "1hour", OPTION_OK, 3600000000000, NULL },
	{ "switchrate", "1d", OPTION_OK, 86400000000000, NULL },
	{ "switchrate", "1day", OPTION_OK, 86400000000000, NULL },
	{ "switchrate", "10hz", OPTION_OK, 100000000, NULL },
	{ "switchrate", "10Hz", OPTION_OK, 100000000, NULL },
	{ "switchrate", "0hz", OPTION_OK, 0, NULL },
	{ "switchrate", "10x", OPTION_BAD_VALUE, 0, NULL },
	{ "switchrate", "fast", OPTION_BAD_VALUE, 0, NULL },
	{ "switchrate", "999999999day", OPTION_BAD_VALUE, 0, NULL },
	{ "statusrate", "1min", OPTION_OK, 60000000000, NULL },
	{ "cleanrate", "1ns", OPTION_OK, 1, NULL },

	{ "quiet", NULL, OPTION_OK, 1, NULL },
	{ "quiet", "yes", OPTION_OK, 1, NULL },
	{ "quiet", "YES", OPTION_OK, 1, NULL },
	{ "quiet", "enable", OPTION_OK, 1, NULL },
	{ "quiet", "enabled", OPTION_OK, 1, NULL },
	{ "quiet", "true", OPTION_OK, 1, NULL },
	{ "quiet", "on", OPTION_OK, 1, NULL },
	{ "quiet", "set", OPTION_OK, 1, NULL },
	{ "quiet", "no", OPTION_OK, 0, NULL },
	{ "quiet", "disable", OPTION_OK, 0, NULL },
	{ "quiet", "disabled", OPTION_OK, 0, NULL },
	{ "quiet", "false", OPTION_OK, 0, NULL },
	{ "quiet", "off", OPTION_OK, 0, NULL },
	{ "quiet", "unset", OPTION_OK, 0, NULL },
	{ "quiet", "1", OPTION_BAD_VALUE, 0, NULL },
	{ "quiet", "maybe", OPTION_BAD_VALUE, 0, NULL },

	{ "bufpolicy", "switch", OPTION_OK, 0, "switch" },
	{ "bufpolicy", "ring", OPTION_OK, 2, "ring" },
	{ "bufpolicy", "rin", OPTION_BAD_VALUE, 0, NULL },
	{ "bufpolicy", "round", OPTION_BAD_VALUE, 0, NULL },
	{ "bufpolicy", NULL, OPTION_BAD_VALUE, 0, NULL },

	{ "dump", "tree", OPTION_OK, 1, "tree" },
	{ "dump", "bpf,tree", OPTION_OK, 5, "bpf,tree" },
	{ "dump", "tree,", OPTION_BAD_VALUE, 0, NULL },
	{ "dump", "leaf", OPTION_BAD_VALUE, 0, NULL },

	{ "nspec", "5", OPTION_OK, 5, NULL },
	{ "nspec", "five", OPTION_BAD_VALUE, 0, NULL },
	{ "nspec", "-1", OPTION_BAD_VALUE, 0, NULL },
	{ "cpu", "-1", OPTION_OK, -1, NULL },
	{ "cpu", "1", OPTION_OK, 1, NULL },
	{ "printsize", "100", OPTION_OK, 104, NULL },
	{ "printsize", "0", OPTION_OK, 8192, NULL },
	{ "printsize", "65537", OPTION_OK, 8192, NULL },

	{ "version", "1.2", OPTION_OK, 0x01002000, "1.2" },
	{ "version", "1.6.3", OPTION_OK, 0x01006003, "1.6.3" },
	{ "version", "2.0", OPTION_OK, 0x02000000, "2.0" },
	{ "version", "1.2.9", OPTION_BAD_VERSION, 0, NULL },
	{ "version", "9.9", OPTION_BAD_VERSION, 0, NULL },
	{ "version", "1", OPTION_VERSION_FORMAT, 0, NULL },
	{ "version", "1.", OPTION_VERSION_FORMAT, 0, NULL },
	{ "version", "1.2.3.4", OPTION_VERSION_FORMAT, 0, NULL },
	{ "version", "1.9999", OPTION_VERSION_FORMAT, 0, NULL },
	{ "version", "one", OPTION_VERSION_FORMAT, 0, NULL },

	{ "amin", "Evolving/Evolving/Common", OPTION_OK, 1,
	  "Evolving/Evolving/Common" },
	{ "amin", "stable", OPTION_OK, 1, "stable" },
	{ "amin", "stable/stable/isa/x", OPTION_BAD_VALUE, 0, NULL },
	{ "amin", "evol/evol/common", OPTION_BAD_VALUE, 0, NULL },

	{ "syslibdir", "/x", OPTION_OK, 1, "/x" },
	{ "syslibdir", NULL, OPTION_BAD_VALUE, 0, NULL },
	{ "setenv", "A=b=c", OPTION_OK, 1, "A=b=c" },
	{ "setenv", "A", OPTION_BAD_VALUE, 0, NULL },
	{ "nosuch", "1", OPTION_UNKNOWN, 0, NULL },
	{ "Quiet", NULL, OPTION_UNKNOWN, 0, NULL },
};

static void values_of_every_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct options options;

		options_init(&options);
		enum option_error error = option_set(&options, settings[i].name,
						     settings[i].value,
						     ORIGIN_COMMAND);

		if (error != settings[i].error)
			fail_msg("%s=%s: %s", settings[i].name,
				 settings[i].value, option_strerror(error));
		if (error == OPTION_OK) {
			enum option_id id = option_find(settings[i].name);

			assert_true(options.values[id].is_set);
			assert_int_equal(option_number(&options, id),
					 settings[i].number);
			if (settings[i].text)
				assert_string_equal(option_text(&options, id),
						    settings[i].text);
		}
		options_free(&options);
	}
}

static const struct {
	const char *name, *value;
	bool is_active;
	enum option_origin origin;
	enum option_error error;
} rules[] = {
	{ "errtags", NULL, false, ORIGIN_PRAGMA, OPTION_OK },
	{ "define", "X", false, ORIGIN_PRAGMA, OPTION_NOT_IN_PROGRAM },
	{ "cpppath", "/x", false, ORIGIN_PRAGMA, OPTION_NOT_IN_PROGRAM },
	{ "bufsize", "1m", false, ORIGIN_PRAGMA, OPTION_OK },
	{ "bufsize", "1m", true, ORIGIN_COMMAND, OPTION_ACTIVE },
	{ "errtags", NULL, true, ORIGIN_COMMAND, OPTION_ACTIVE },
	{ "bufsize", "1m", true, ORIGIN_SETOPT, OPTION_ACTIVE },
	{ "quiet", NULL, true, ORIGIN_SETOPT, OPTION_OK },
	{ "aggsortkey", NULL, true, ORIGIN_COMMAND, OPTION_OK },
	{ "nosuch", NULL, true, ORIGIN_SETOPT, OPTION_UNKNOWN },
};

static void time_and_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rules); i++) {
		struct options options;

		options_init(&options);
		options.is_active = rules[i].is_active;
		assert_int_equal(option_set(&options, rules[i].name,
					    rules[i].value, rules[i].origin),
				 rules[i].error);
		options_free(&options);
	}
}

static void a_refused_value_changes_nothing(void **state)
{
	struct options options;

	(void)state;
	options_init(&options);
	option_set(&options, "strsize", "1k", ORIGIN_COMMAND);
	option_set(&options, "strsize", "many", ORIGIN_COMMAND);
	assert_int_equal(option_number(&options, OPTION_STRSIZE), 1024);
	assert_int_equal(option_set(&options, "version", "1.6", ORIGIN_PRAGMA),
			 OPTION_OK);
	assert_int_equal(option_set(&options, "version", "1.4", ORIGIN_PRAGMA),
			 OPTION_VERSION_REDUCED);
	assert_string_equal(option_text(&options, OPTION_VERSION), "1.6");
	options_free(&options);
}

static void lists_keep_their_order(void **state)
{
	struct options options;

	(void)state;
	options_init(&options);
	option_set(&options, "define", "A=1", ORIGIN_COMMAND);
	option_set(&options, "undef", "B", ORIGIN_COMMAND);
	option_set(&options, "incdir", "/inc", ORIGIN_COMMAND);
	option_set(&options, "libdir", "/one", ORIGIN_COMMAND);
	option_set(&options, "libdir", "/two", ORIGIN_COMMAND);
	assert_int_equal(options.ncpp_args, 3);
	assert_string_equal(options.cpp_args[0], "-DA=1");
	assert_string_equal(options.cpp_args[1], "-UB");
	assert_string_equal(options.cpp_args[2], "-I/inc");
	assert_int_equal(options.nlib_dirs, 2);
	assert_string_equal(options.lib_dirs[1], "/two");
	options_free(&options);
}

static void environment_gives_defaults(void **state)
{
	struct options options;

	(void)state;
	setenv("DTRACE_OPT_STRSIZE", "512", 1);
	setenv("DTRACE_OPT_QUIET", "", 1);
	setenv("DTRACE_OPT_BUFSIZE", "lots", 1);
	options_init(&options);
	unsetenv("DTRACE_OPT_STRSIZE");
	unsetenv("DTRACE_OPT_QUIET");
	unsetenv("DTRACE_OPT_BUFSIZE");
	assert_int_equal(option_number(&options, OPTION_STRSIZE), 512);
	assert_true(option_on(&options, OPTION_QUIET));
	assert_int_equal(option_number(&options, OPTION_BUFSIZE), 4 << 20);
	assert_int_equal(options.ncomplaints, 1);
	assert_non_null(strstr(options.complaints[0], "BUFSIZE=lots"));
	options_free(&options);
}

static void defaults_and_reports(void **state)
{
	struct options options;
	struct text out = { 0 };

	(void)state;
	options_init(&options);
	assert_string_equal(option_text(&options, OPTION_BUFPOLICY), "switch");
	assert_string_equal(option_text(&options, OPTION_EVALTIME), "postinit");
	options_report(&options, &out);
	assert_int_equal(out.n, 0);
	option_set(&options, "quiet", NULL, ORIGIN_COMMAND);
	option_set(&options, "ctfpath", "/x", ORIGIN_COMMAND);
	options_report(&options, &out);
	assert_non_null(strstr(text_str(&out), "option ctfpath "));
	assert_null(strstr(text_str(&out), "quiet"));
	text_free(&out);
	options_free(&options);

	assert_string_equal(option_nearest("bufsiz"), "bufsize");
	assert_string_equal(option_nearest("strszie"), "strsize");
	assert_null(option_nearest("banana"));
}

static void rates_have_limits(void **state)
{
	static const struct {
		const char *name, *value;
		int64_t number;
	} rows[] = {
		{ "cleanrate", "1ns", 200000 },
		{ "cleanrate", "101hz", 9900990 },
		{ "cleanrate", "1day", 60000000000 },
		{ "statusrate", "5s", 5000000000 },
		{ "statusrate", "1min", 10000000000 },
		{ "switchrate", "1hour", 3600000000000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct options options;

		options_init(&options);
		option_set(&options, rows[i].name, rows[i].value,
			   ORIGIN_COMMAND);
		options_limit(&options);
		assert_int_equal(option_number(&options,
					       option_find(rows[i].name)),
				 rows[i].number);
		options_free(&options);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_every_kind),
		cmocka_unit_test(rates_have_limits),
		cmocka_unit_test(time_and_place),
		cmocka_unit_test(a_refused_value_changes_nothing),
		cmocka_unit_test(lists_keep_their_order),
		cmocka_unit_test(environment_gives_defaults),
		cmocka_unit_test(defaults_and_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
