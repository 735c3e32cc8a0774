/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/budget.h"

static unsigned ntold;
static char told[256];

static void tell(void *context, const char *message)
{
	(void)context;
	ntold++;
	strncpy(told, message, sizeof(told) - 1);
}

static void test_memory(void **state)
{
	struct options options;
	struct budget budget = { .options = &options, .tell = tell };

	(void)state;
	options_init(&options);
	assert_int_equal(option_set(&options, "symsize", "1000",
				    ORIGIN_COMMAND),
			 OPTION_OK);
	assert_true(budget_hold(&budget, 600));
	assert_false(budget_hold(&budget, 401));
	assert_true(budget_hold(&budget, 400));
	assert_false(budget_hold(&budget, 1));
	budget_release(&budget, 500);
	assert_true(budget_hold(&budget, 500));
	assert_false(budget_hold(&budget, UINT64_MAX));
	/* all that there is, and no more */
	budget_release(&budget, 5000);
	assert_true(budget_hold(&budget, 1000));
	/* set later: it takes effect at once */
	option_set(&options, "symsize", "1001", ORIGIN_COMMAND);
	assert_true(budget_hold(&budget, 1));
	options_free(&options);
}

static void test_work(void **state)
{
	struct options options;
	struct budget budget = { .options = &options };

	(void)state;
	options_init(&options);
	option_set(&options, "symsize", "32m", ORIGIN_COMMAND);
	assert_true(budget_work(&budget, 128 << 20));
	assert_false(budget_work(&budget, 16 << 20));
	assert_false(budget_work(&budget, UINT64_MAX));
	/* a 32nd of it has come back after a second */
	budget.work_at -= 1000000000;
	assert_true(budget_work(&budget, 1000000));
	assert_false(budget_work(&budget, 16 << 20));
	/* and all of it after a few minutes, but not more */
	budget.work_at -= 1000000000000;
	assert_true(budget_work(&budget, 128 << 20));
	assert_false(budget_work(&budget, 16 << 20));
	options_free(&options);
}

static void test_told_once(void **state)
{
	struct options options;
	struct budget budget = { .options = &options, .tell = tell };

	(void)state;
	options_init(&options);
	option_set(&options, "symsize", "3m", ORIGIN_COMMAND);
	ntold = 0;
	budget_refuse(&budget, -1);
	budget_refuse(&budget, -1);
	assert_int_equal(ntold, 1);
	assert_non_null(strstr(told, "may take 3m of memory"));
	options_free(&options);
}

static void test_without(void **state)
{
	(void)state;
	assert_true(budget_hold(NULL, UINT64_MAX));
	assert_true(budget_work(NULL, UINT64_MAX));
	budget_release(NULL, 1);
	budget_refuse(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_told_once),
		cmocka_unit_test(test_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
