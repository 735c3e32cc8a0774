/* SPDX-License-Identifier: Apache-2.0 */
/* Which firings a provider's program wants, and what arguments it reads. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "ir/abi.h"
#include "probe/test_registry.h"
#include "provider/provider.h"

enum { NOT_WANTED = -1, REGS = 0x1000, REGS_SIZE = 168 };

/* The result of one firing: globals, and the memory it may read. */
struct firing {
	int64_t index, arguments[7], error;
	uint8_t regs[REGS_SIZE];
	uint64_t context[22];
};

static bool read_memory(void *data, enum ir_space space, uint64_t address,
			void *to, size_t size)
{
	const struct firing *firing = data;

	if (space != IR_TYPED || address < REGS ||
	    address - REGS + size > REGS_SIZE)
		return false;
	memcpy(to, firing->regs + (address - REGS), size);
	return true;
}

static void put_reg(struct firing *firing, uint32_t offset, uint64_t value)
{
	memcpy(firing->regs + offset, &value, sizeof(value));
}

static void store(struct lower *lower, uint32_t at, ir_reg reg)
{
	struct ir_mem mem = { .space = IR_GLOBAL, .offset = at };

	ir_store(&lower->b, mem, reg, 8);
}

/* Builds the group's program, runs it over the firing. */
static void fire(struct arena *arena, struct probe_group *group,
		 struct firing *firing)
{
	struct lower lower = { .group = &group->lower };
	uint64_t globals[9] = { 0 };
	struct ir_world world = {
		.queries[IR_QUERY_USER_REGS] = REGS,
		.globals = (uint8_t *)globals,
		.globals_size = sizeof(globals),
		.context = firing->context,
		.ncontext = sizeof(firing->context) / sizeof(uint64_t),
		.read = read_memory,
		.data = firing,
	};

	assert_int_equal(group->provider->context(arena, group), 0);
	lower.b.program = ir_new(arena);
	ir_enter(&lower.b, ir_block_new(&lower.b, "start"));
	ir_reg index = group->lower.select ? group->lower.select(&lower)
					   : ir_const(&lower.b, 0);

	store(&lower, 0, ir_binary_imm(&lower.b, IR_ADD, index, 1));
	for (uint32_t n = 0; n < 7; n++)
		store(&lower, 8 + 8 * n, group->lower.argument(&lower, n));
	if (group->lower.error_number)
		store(&lower, 64, group->lower.error_number(&lower));
	ir_return(&lower.b);
	assert_null(ir_verify(lower.b.program));
	assert_int_equal(ir_run(lower.b.program, &world), 0);

	firing->index = (int64_t)globals[0] - 1;
	memcpy(firing->arguments, globals + 1, sizeof(firing->arguments));
	firing->error = (int64_t)globals[8];
}

struct collection {
	const struct probe *probes[64];
	uint32_t count;
};

static bool collect(void *data, const struct probe *probe)
{
	struct collection *collection = data;

	collection->probes[collection->count++] = probe;
	return collection->count < 64;
}

/* The group of all probes that a description matches. */
static void make_group(struct setup *setup, struct collection *found,
		       struct probe_group *group, const char *function,
		       const char *name)
{
	struct probe_desc desc = {
		.provider = "", .module = "", .function = function, .name = name
	};

	memset(found, 0, sizeof(*found));
	registry_match(setup->registry, &desc, collect, found, NULL);
	assert_true(found->count > 0);
	memset(group, 0, sizeof(*group));
	group->provider = found->probes[0]->provider;
	group->probes = found->probes;
	group->nprobes = found->count;
	group->lower.nprobes = found->count;
}

static void one_syscall(void **state)
{
	struct setup *setup = *state;
	struct collection found;
	struct probe_group group;
	struct firing firing = { .context = { 0, 1 } };

	make_group(setup, &found, &group, "write", "entry");
	for (uint32_t n = 0; n < 6; n++)
		put_reg(&firing, arch_syscall_arguments[n].native, 11 + n);
	fire(setup->arena, &group, &firing);
	assert_int_equal(firing.index, 0);
	for (int n = 0; n < 6; n++)
		assert_int_equal(firing.arguments[n], 11 + n);
	assert_int_equal(firing.arguments[6], 0);

	firing.context[1] = 0;
	fire(setup->arena, &group, &firing);
	assert_int_equal(firing.index, NOT_WANTED);
}

static void many_syscalls(void **state)
{
	static const int64_t unwanted[] = { 1, 400, 511, 512, 0x40000000, -1 };
	struct setup *setup = *state;
	struct collection found;
	struct probe_group group;

	make_group(setup, &found, &group, "[fl]stat", "entry");
	assert_int_equal(found.count, 2);
	for (uint32_t i = 0; i < found.count; i++) {
		struct firing firing = {
			.context = { 0, strcmp(found.probes[i]->function,
					       "fstat") ? SYS_lstat :
							  SYS_fstat },
		};

		fire(setup->arena, &group, &firing);
		assert_int_equal(firing.index, i);
	}
	for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++) {
		struct firing firing = {
			.context = { 0, (uint64_t)unwanted[i] },
		};

		fire(setup->arena, &group, &firing);
		assert_int_equal(firing.index, NOT_WANTED);
	}
}

static void results_and_errors(void **state)
{
	static const struct {
		int64_t result, seen, error;
	} cases[] = {
		{ 0, 0, 0 },
		{ 5, 5, 0 },
		{ -1, -1, 1 },
		{ -2, -1, 2 },
		{ -4095, -1, 4095 },
		{ -4096, -4096, 0 },
		{ INT64_MIN, INT64_MIN, 0 },
		{ INT64_MAX, INT64_MAX, 0 },
		/* ERESTARTSYS and the like are EINTR */
		{ -511, -1, 511 },
		{ -512, -1, EINTR },
		{ -514, -1, EINTR },
		{ -516, -1, EINTR },
		{ -517, -1, 517 },
	};
	struct setup *setup = *state;
	struct collection found;
	struct probe_group group;

	make_group(setup, &found, &group, "read", "return");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct firing firing = {
			.context = { 0, (uint64_t)cases[i].result },
		};

		put_reg(&firing, ARCH_SYSCALL_NUMBER, 0);
		put_reg(&firing, ARCH_RESULT_HIGH, 99);
		fire(setup->arena, &group, &firing);
		assert_int_equal(firing.index, 0);
		assert_int_equal(firing.arguments[0], cases[i].seen);
		assert_int_equal(firing.arguments[1], cases[i].seen);
		assert_int_equal(firing.arguments[2], 0);
		assert_int_equal(firing.error, cases[i].error);
	}
	struct firing other = { .context = { 0, 0 } };

	put_reg(&other, ARCH_SYSCALL_NUMBER, 3);
	fire(setup->arena, &group, &other);
	assert_int_equal(other.index, NOT_WANTED);
}

static void clocks(void **state)
{
	struct setup *setup = *state;
	struct collection found;
	struct probe_group group;
	struct firing firing = { 0 };

	make_group(setup, &found, &group, "", "tick-1s");
	firing.context[ARCH_PC / 8] = 0xffffffff81000000;
	firing.context[ARCH_MODE / 8] = 0x10;
	fire(setup->arena, &group, &firing);
	assert_int_equal(firing.index, 0);
	assert_int_equal((uint64_t)firing.arguments[0], 0xffffffff81000000);
	assert_int_equal(firing.arguments[1], 0);

	firing.context[ARCH_PC / 8] = 0x400000;
	firing.context[ARCH_MODE / 8] = 0x33;
	fire(setup->arena, &group, &firing);
	assert_int_equal(firing.arguments[0], 0);
	assert_int_equal(firing.arguments[1], 0x400000);

	make_group(setup, &found, &group, "", "tick-[15]");
	group.provider->context(setup->arena, &group);
	assert_null(group.lower.select);
	make_group(setup, &found, &group, "", "tick-1*");
	group.provider->context(setup->arena, &group);
	assert_non_null(group.lower.select);
}

static void phases(void **state)
{
	static const struct {
		const char *name;
		uint32_t phase;
	} cases[] = {
		{ "BEGIN", PHASE_BEGIN },
		{ "END", PHASE_END },
		{ "tick-1s", PHASE_ACTIVE },
	};
	struct setup *setup = *state;
	struct collection found;
	struct probe_group group;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct firing firing = { 0 };

		make_group(setup, &found, &group, "", cases[i].name);
		fire(setup->arena, &group, &firing);
		assert_int_equal(group.lower.phase, cases[i].phase);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_syscall, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_syscalls, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(results_and_errors, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(clocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(phases, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
