/* SPDX-License-Identifier: Apache-2.0 */
/* The tables: every row is complete and no name occurs twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agg/agg.h"
#include "base/table.h"
#include "builtin/builtin.h"

static void functions_are_complete(void **state)
{
	const struct language_registry *registry = builtin_registry();
	struct table seen = { 0 };

	(void)state;
	for (const struct function *const *row = registry->functions; *row;
	     row++) {
		const struct function *function = *row;
		struct str name = str_of(function->name);

		assert_null(table_get(&seen, name));
		table_put(&seen, name, (void *)(uintptr_t)1);
		assert_non_null(function->prototype);
		assert_non_null(strchr(function->prototype, '('));
		assert_int_equal(function->kind == FUNCTION_AGGREGATE,
				 !!function->aggregate);
		if (function->kind != FUNCTION_ACTION) {
			assert_int_equal(function->rule, RULE_ABSENT);
			assert_null(function->control);
		}
		/* What is recorded and can run is also shown. */
		if (function->flags & FUNCTION_RECORDS && function->lower)
			assert_int_not_equal(function->rule, RULE_ABSENT);
		/* Actions without a rule are not handed on, nor carried out. */
		if (function->control)
			assert_int_not_equal(function->rule, RULE_ABSENT);
	}
	table_free(&seen);
}

static void aggregates_are_complete(void **state)
{
	(void)state;
	for (const struct function *const *row = agg_functions; *row; row++) {
		const struct aggregate *aggregate = (*row)->aggregate;

		assert_non_null(aggregate->nvalues);
		assert_non_null(aggregate->merge);
		assert_non_null(aggregate->compare);
		assert_true(!aggregate->number != !aggregate->labels);
		assert_non_null((*row)->check_aggregation);
		assert_non_null((*row)->lower);
	}
}

static void variables_are_complete(void **state)
{
	const struct language_registry *registry = builtin_registry();
	struct table seen = { 0 };

	(void)state;
	for (const struct builtin_variable *const *row = registry->variables;
	     *row; row++) {
		struct str name = str_of((*row)->name);

		assert_null(table_get(&seen, name));
		table_put(&seen, name, (void *)(uintptr_t)1);
		assert_true((*row)->type || (*row)->is_array);
		if ((*row)->capacity || (*row)->probe_name)
			assert_string_equal((*row)->type, "string");
	}
	table_free(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_complete),
		cmocka_unit_test(aggregates_are_complete),
		cmocka_unit_test(variables_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
