/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates: what they become, what is refused, and strings that stay strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "live/predicate.h"

static struct metric_field fields[] = {
	{ .name = "execname", .type = METRIC_STRING, .at = METRIC_AT_ANY },
	{ .name = "file", .type = METRIC_STRING, .at = METRIC_AT_START },
	{ .name = "latency", .type = METRIC_NUMBER, .at = METRIC_AT_MEASURE },
	{ .name = "pid", .type = METRIC_INTEGER, .at = METRIC_AT_ANY },
	{ .name = "ustack", .type = METRIC_STACK },
};
static const struct metric metric = { .name = "a.b",
				      .fields = fields,
				      .nfields = 5 };

static const struct {
	const char *where, *terms;
} good[] = {
	{ "{}", "" },
	{ "{\"and\":[{},{}]}", "" },
	{ "{\"or\":[{\"eq\":[\"pid\",1]},{}]}", "" },
	{ "{\"eq\":[\"execname\",\"sh\"]}", "early execname == \"sh\"\n" },
	{ "{\"ne\":[\"file\",\"/a b\"]}", "early file != \"/a b\"\n" },
	{ "{\"ge\":[\"latency\",-5]}", "late latency >= -5\n" },
	{ "{\"le\":[\"latency\",\"9223372036854775807\"]}",
	  "late latency <= 9223372036854775807\n" },
	{ "{\"and\":[{\"eq\":[\"pid\",\"7\"]},{\"and\":[{\"lt\":[\"latency\",1]},{\"gt\":[\"pid\",2]}]}]}",
	  "early pid == 7\nlate latency < 1\nearly pid > 2\n" },
	{ "{\"or\":[{\"eq\":[\"pid\",1]},{\"eq\":[\"file\",\"x\"]}]}",
	  "early (pid == 1 || file == \"x\")\n" },
	{ "{\"or\":[{\"eq\":[\"pid\",1]},{\"eq\":[\"latency\",2]}]}",
	  "late (pid == 1 || latency == 2)\n" },
	{ "{\"or\":[{\"and\":[{\"eq\":[\"pid\",1]},{\"eq\":[\"pid\",2]}]},{\"eq\":[\"pid\",3]}]}",
	  "early ((pid == 1 && pid == 2) || pid == 3)\n" },
	{ "{\"or\":[{\"or\":[{\"eq\":[\"pid\",1]}]}]}", "early pid == 1\n" },
};

static const struct {
	const char *where, *code;
} bad[] = {
	{ "[]", "bad_predicate" },
	{ "{\"eq\":[]}", "bad_predicate" },
	{ "{\"eq\":[\"pid\",1,2]}", "bad_predicate" },
	{ "{\"eq\":[[\"pid\"],1]}", "bad_predicate" },
	{ "{\"eq\":{\"pid\":1}}", "bad_predicate" },
	{ "{\"or\":[]}", "bad_predicate" },
	{ "{\"and\":[{\"or\":[null]}]}", "bad_predicate" },
	{ "{\"not\":[{\"eq\":[\"pid\",1]}]}", "bad_predicate" },
	{ "{\"eq\":[\"Pid\",1]}", "no_such_field" },
	{ "{\"eq\":[\"pid\",true]}", "not_a_number" },
	{ "{\"eq\":[\"pid\",\"1 || 1\"]}", "not_a_number" },
	{ "{\"eq\":[\"pid\",\"--1\"]}", "not_a_number" },
	{ "{\"eq\":[\"pid\",\"0x1\"]}", "not_a_number" },
	{ "{\"eq\":[\"file\",7]}", "not_a_string" },
	{ "{\"gt\":[\"file\",\"a\"]}", "not_comparable" },
	{ "{\"eq\":[\"ustack\",1]}", "not_comparable" },
};

/* Strings, and the literals that they become. */
static const struct {
	const char *bytes, *literal;
} strings[] = {
	{ "", "\"\"" },
	{ "sh", "\"sh\"" },
	{ "\"", "\"\\\"\"" },
	{ "\\", "\"\\\\\"" },
	{ "\\\"", "\"\\\\\\\"\"" },
	{ "a\nb\001", "\"a\\012b\\001\"" },
	{ "\0017", "\"\\0017\"" }, /* the digit is no part of the escape */
	{ "\177", "\"\\177\"" },
	{ "\303\274", "\"\303\274\"" },
	{ "*/", "\"*/\"" },
};

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		json_t *where = json_loads(good[i].where, 0, NULL);
		struct metric_answer answer = { 0 };
		struct predicate predicate;
		struct text text = { 0 };

		assert_non_null(where);
		assert_true(predicate_read(&metric, where, &predicate,
					   &answer));
		for (size_t k = 0; k < predicate.nterms; k++) {
			text_puts(&text, predicate_is_early(&metric,
							    predicate.terms[k])
						 ? "early "
						 : "late ");
			predicate_describe(&metric, predicate.terms[k], &text);
			text_putc(&text, '\n');
		}
		assert_string_equal(text_str(&text), good[i].terms);
		text_free(&text);
		predicate_free(&predicate);
		json_decref(where);
	}
}

static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		json_t *where = json_loads(bad[i].where, 0, NULL);
		struct metric_answer answer = { 0 };
		struct predicate predicate;

		assert_non_null(where);
		assert_false(predicate_read(&metric, where, &predicate,
					    &answer));
		assert_string_equal(answer.code, bad[i].code);
		assert_non_null(answer.message);
		metric_answer_free(&answer);
		predicate_free(&predicate);
		json_decref(where);
	}
}

/* As many as may be, and the one that "pid" adds. */
static void test_most(void **state)
{
	json_t *terms = json_array();
	struct metric_answer answer = { 0 };
	struct predicate predicate;

	(void)state;
	for (int i = 0; i < PREDICATE_LEAVES; i++)
		json_array_append_new(terms,
				      json_pack("{s:[si]}", "eq", "pid", i));
	json_t *where = json_pack("{s:o}", "and", terms);

	assert_true(predicate_read(&metric, where, &predicate, &answer));
	predicate_require(&predicate, "pid", 1);
	assert_int_equal(predicate.nterms, PREDICATE_LEAVES + 1);
	predicate_free(&predicate);
	json_array_append_new(terms, json_pack("{s:[si]}", "eq", "pid", 1));
	assert_false(predicate_read(&metric, where, &predicate, &answer));
	assert_string_equal(answer.code, "predicate_too_long");
	metric_answer_free(&answer);
	json_decref(where);
}

static void test_strings(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		struct text text = { 0 };

		predicate_string(&text, strings[i].bytes,
				 strlen(strings[i].bytes));
		assert_string_equal(text_str(&text), strings[i].literal);
		text_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
