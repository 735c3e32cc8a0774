/* SPDX-License-Identifier: Apache-2.0 */
/* Ids that never move, probes made on demand, what descriptions match. */
#include "probe/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "probe/test_registry.h"

struct seen {
	uint32_t count, first_id, last_id;
	bool is_ordered;
};

static bool note(void *data, const struct probe *probe)
{
	struct seen *seen = data;

	if (!seen->count++)
		seen->first_id = probe->id;
	else if (probe->id <= seen->last_id)
		seen->is_ordered = false;
	seen->last_id = probe->id;
	return true;
}

static struct seen ask(struct probe_registry *registry, const char *provider,
		       const char *module, const char *function,
		       const char *name)
{
	struct probe_desc desc = {
		.provider = provider, .module = module,
		.function = function, .name = name,
	};
	struct seen seen = { .is_ordered = true };
	struct probe_error error;
	int found = registry_match(registry, &desc, note, &seen, &error);

	assert_int_equal(found, seen.count);
	assert_true(seen.is_ordered);
	return seen;
}

static const struct {
	const char *provider, *module, *function, *name;
	uint32_t count;
} questions[] = {
	{ "dtrace", "", "", "", 3 },
	{ "", "", "", "BEGIN", 1 },
	{ "*", "*", "*", "BEGIN", 1 },
	{ "", "", "x", "BEGIN", 0 },
	{ "profile", "", "", "", 13 },
	{ "", "", "", "tick-*", 6 },
	{ "", "", "", "tick-1s", 1 },
	{ "prof*", "", "", "tick-2s", 1 },
	{ "", "", "", "profile-97hz", 1 },
	{ "", "", "", "profile-200us", 1 },
	{ "", "", "", "profile-199us", 0 },
	{ "", "", "", "profile-5000", 1 },
	{ "", "", "", "profile-5001", 0 },
	{ "", "", "", "tick-1day", 1 },
	{ "", "", "", "tick-0s", 0 },
	{ "", "", "", "tick-", 0 },
	{ "", "", "", "tick-1fortnight", 0 },
	{ "", "", "", "tick-99999999999999999999s", 0 },
	{ "", "", "", "tick-9999999999999day", 0 },
	{ "", "m", "", "tick-1s", 0 },
	{ "dtrace", "", "", "tick-3s", 0 },
	{ "syscall", "", "read", "", 2 },
	{ "syscall", "vmlinux", "read", "entry", 1 },
	{ "syscall", "other", "read", "entry", 0 },
	{ "", "", "openat", "return", 1 },
	{ "syscall", "", "exit_group", "", 1 },
	{ "syscall", "", "nosuchcall", "", 0 },
	{ "nosuch", "", "", "", 0 },
};

static void descriptions(void **state)
{
	struct setup *setup = *state;

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		struct seen seen = ask(setup->registry, questions[i].provider,
				       questions[i].module,
				       questions[i].function,
				       questions[i].name);

		if (seen.count != questions[i].count)
			fail_msg("%s:%s:%s:%s: %u", questions[i].provider,
				 questions[i].module, questions[i].function,
				 questions[i].name, seen.count);
	}
}

static void ids_do_not_depend_on_questions(void **state)
{
	struct setup *setup = *state;
	struct probe_registry *registry = setup->registry;
	struct probe_registry *other =
		registry_new(setup->arena, &setup->options, setup->processes);
	uint32_t tick = ask(registry, "", "", "", "tick-7s").first_id;
	uint32_t write =
		ask(registry, "syscall", "", "write", "entry").first_id;

	assert_int_equal(ask(registry, "", "", "", "BEGIN").first_id, 1);
	assert_int_equal(ask(registry, "", "", "", "END").first_id, 2);
	assert_int_equal(ask(registry, "", "", "", "ERROR").first_id, 3);

	struct seen all = ask(other, "", "", "", "");

	assert_int_equal(all.first_id, 1);
	assert_true(all.count > 600);
	assert_true(tick > all.last_id);
	assert_int_equal(ask(other, "syscall", "", "write", "entry").first_id,
			 write);
	registry_free(other);
}

static void probes_by_id(void **state)
{
	struct setup *setup = *state;
	struct probe_registry *registry = setup->registry;
	const struct probe *probe = registry_by_id(registry, 2);
	struct probe_desc desc = { .id = 3 };
	struct seen seen = { .is_ordered = true };

	assert_string_equal(probe->name, "END");
	assert_null(registry_by_id(registry, 0));
	assert_null(registry_by_id(registry, 1000000));
	assert_int_equal(registry_match(registry, &desc, note, &seen, NULL), 1);
	assert_int_equal(seen.first_id, 3);
	desc.id = 4000000000u;
	assert_int_equal(registry_match(registry, &desc, note, &seen, NULL), 0);
}

static bool stop(void *data, const struct probe *probe)
{
	(void)data;
	(void)probe;
	return false;
}

static void a_walk_can_end_early(void **state)
{
	struct setup *setup = *state;

	assert_int_equal(registry_match(setup->registry, NULL, stop, NULL,
					NULL),
			 1);
}

static void what_the_compiler_asks(void **state)
{
	struct setup *setup = *state;
	struct probe_oracle oracle = registry_oracle(setup->registry);

	assert_true(oracle.has_provider(oracle.context, "syscall"));
	assert_false(oracle.has_provider(oracle.context, "banana"));
	assert_true(oracle.has_module(oracle.context, "vmlinux"));
	assert_false(oracle.has_module(oracle.context, "no_such_module"));
	assert_false(oracle.has_module(oracle.context, "../class"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(descriptions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ids_do_not_depend_on_questions,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(probes_by_id, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_walk_can_end_early, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_the_compiler_asks, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
