/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions up to loading into the kernel: enabling, grouping, sizes, refusals.
 * Needs no privileges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/internal.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct fixture {
	struct options options;
	struct session *session;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){ 0 };
	options_init(&f.options);
	f.session = session_new(&(struct session_config){
		.options = &f.options,
		.output = stdout,
	});
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	session_close(f->session);
	options_free(&f->options);
	return 0;
}

/* Probes that this program matches. */
static int enable(struct fixture *f, const char *text)
{
	struct language *language = session_language(f->session);
	struct source *source = arena_new_of(language_arena(language),
					     struct source);

	*source = (struct source){
		.name = text,
		.text = text,
		.length = strlen(text),
	};
	struct program *program = language_compile(language, source, SPEC_NAME);

	assert_non_null(program);
	return session_enable(f->session, program);
}

static const struct {
	const char *text;
	int matched;
	uint32_t groups;
} groupings[] = {
	{ "BEGIN { x = 1; }", 1, 1 },
	{ "BEGIN { x = 1; } BEGIN { x = 2; } END { x = 3; }", 3, 2 },
	/* one probe, two clauses, another probe with one of them */
	{ "syscall::read:entry, syscall::write:entry { x = 1; }", 2, 1 },
	{ "syscall::read:entry, syscall::write:entry { x = 1; }"
	  "syscall::read:entry { x = 2; }",
	  3, 2 },
	/* entry and return have programs of their own */
	{ "syscall::read: { x = 1; }", 2, 2 },
	/* twice by one clause: twice in its list */
	{ "syscall::read:entry, syscall::read:entry { x = 1; }", 2, 1 },
	/* ERROR is woven into the others */
	{ "BEGIN { x = 1; } ERROR { x = 2; }", 2, 1 },
};

static void test_grouping(void **state)
{
	for (size_t i = 0; i < COUNT(groupings); i++) {
		setup(state);
		struct fixture *f = *state;

		assert_int_equal(enable(f, groupings[i].text),
				 groupings[i].matched);
		assert_int_equal(session_prepare(f->session), 0);
		assert_int_equal(f->session->ngroups, groupings[i].groups);
		teardown(state);
	}
}

static const struct {
	const char *text, *bufsize;
	uint64_t ring;
} sizes[] = {
	{ "BEGIN { trace(1); }", NULL, 64 << 10 },
	{ "tick-1s { trace(1); }", NULL, 64 << 10 },
	{ "syscall:::entry { @ = count(); }", NULL, 64 << 10 },
	{ "BEGIN { trace(1); }", "16k", 16 << 10 },
	{ "syscall:::entry { trace(1); }", "1m", 1 << 20 },
	{ "syscall:::entry { trace(1); }", "1000000", 1 << 20 },
	{ "syscall:::entry { trace(1); }", "16", 4 << 10 },
};

static void test_sizes(void **state)
{
	for (size_t i = 0; i < COUNT(sizes); i++) {
		setup(state);
		struct fixture *f = *state;

		if (sizes[i].bufsize)
			option_set(&f->options, "bufsize", sizes[i].bufsize,
				   ORIGIN_COMMAND);
		enable(f, sizes[i].text);
		assert_int_equal(session_prepare(f->session), 0);
		assert_int_equal(f->session->sizes.ring_size, sizes[i].ring);
		teardown(state);
	}
}

static void test_refusals(void **state)
{
	struct fixture *f = *state;

	enable(f, "BEGIN { system(\"date\"); }");
	assert_true(session_prepare(f->session) < 0);
	assert_string_equal(session_error(f->session),
			    "Destructive actions not allowed");
	assert_int_equal(session_work(f->session), SESSION_FAILED);
	assert_int_equal(session_stop(f->session), 0);
}

static void test_record_too_long(void **state)
{
	struct fixture *f = *state;

	option_set(&f->options, "bufsize", "4k", ORIGIN_COMMAND);
	enable(f, "BEGIN { tracemem(0, 8192); }");
	assert_true(session_prepare(f->session) < 0);
	assert_string_equal(session_error(f->session),
			    "Enabling exceeds size of buffer");
}

static void test_listing(void **state)
{
	struct fixture *f = *state;
	struct text text = { 0 };

	enable(f, "syscall::read:entry, syscall::write:entry { trace(1); }");
	assert_int_equal(session_disassemble(f->session, &text), 0);
	assert_non_null(strstr(text_str(&text), "IR:"));
	assert_non_null(strstr(text_str(&text), "BPF: "));
	text_free(&text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grouping), cmocka_unit_test(test_sizes),
		TEST(test_refusals), TEST(test_record_too_long),
		TEST(test_listing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
