/* SPDX-License-Identifier: Apache-2.0 */
/* Which hosts an expression chooses, and what a policy refuses. */
#include "fleet/labels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fleet/policy.h"

static void test_match(void **state)
{
	static const struct {
		const char *expression;
		bool matches;
	} cases[] = {
		{ "", true },
		{ "*", true },
		{ "role=db", true },
		{ "role=web", false },
		{ "role=db,site=ulm", true },
		{ "role=db,site!=ulm", false },
		{ "site!=bonn", true },
		{ "role=web|db", true },
		{ "role=web|cache", false },
		{ "host=h*", true },
		{ "host=x*", false },
		{ "role", true },
		{ "!role", false },
		{ "canary", false },
		{ "!canary", true },
		{ "canary!=yes", true },
		{ "canary=*", false },
		{ " role=db , site=u?m ", true },
	};
	const char *problem;
	json_t *labels = labels_read("role=db,site=ulm,host=h1", &problem);

	(void)state;
	assert_non_null(labels);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_null(labels_check(cases[i].expression));
		if (labels_match(cases[i].expression, labels) !=
		    cases[i].matches)
			fail_msg("%s", cases[i].expression);
	}
	json_decref(labels);
	assert_null(labels_read("role", &problem));
	assert_null(labels_read("=db", &problem));
	assert_non_null(labels_check("ro le=,=x"));
}

static void with_policy(struct policy *policy, const char *text,
			const char *problem)
{
	char file[] = "/tmp/policyXXXXXX";
	int fd = mkstemp(file);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	policy_init(policy);
	char *wrong = policy_read(policy, file);

	unlink(file);
	if (problem)
		assert_non_null(strstr(wrong ? wrong : "", problem));
	else
		assert_null(wrong);
	free(wrong);
}

static void test_policy(void **state)
{
	struct policy policy;

	(void)state;
	policy_init(&policy);
	assert_null(policy_refuses(&policy, "anyone", NULL, false));
	assert_non_null(policy_refuses(&policy, "anyone", NULL, true));
	policy_free(&policy);
	with_policy(&policy,
		    "# users\nallow * metrics cpu.* disk.*\nallow alice any\n"
		    "deny bob\nlimit keys 100\nlimit memory 2m\nlimit cpu 5%\n",
		    NULL);
	assert_null(policy_refuses(&policy, "alice", NULL, false));
	assert_non_null(policy_refuses(&policy, "alice", NULL, true));
	assert_non_null(policy_refuses(&policy, "bob", "cpu.load", false));
	assert_null(policy_refuses(&policy, "carl", "cpu.load", false));
	assert_non_null(policy_refuses(&policy, "carl", "fs.reads", false));
	assert_non_null(policy_refuses(&policy, "carl", NULL, false));
	assert_int_equal(policy.keys, 100);
	assert_int_equal(policy.memory, 2 << 20);
	assert_true(policy.cpu > 0.049 && policy.cpu < 0.051);
	policy_free(&policy);
	with_policy(&policy, "", NULL);
	assert_non_null(policy_refuses(&policy, "alice", NULL, false));
	policy_free(&policy);
	with_policy(&policy, "\npermit alice\n", ":2: lines are");
	policy_free(&policy);
	with_policy(&policy, "limit keys many\n", ":1: a limit is");
	policy_free(&policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
