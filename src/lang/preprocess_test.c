/* SPDX-License-Identifier: Apache-2.0 */
/* The C preprocessor: definitions, includes, line numbers, failures, size. */
#include "lang/lang_test.h"

#include <stdlib.h>
#include <unistd.h>

static void test_macros(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{ "#define N 3\nBEGIN { x = N; }", "" },
		{ "#ifndef __SUNW_D\n#error no\n#endif\nBEGIN { }", "" },
		{ "#if __SUNW_D_VERSION < 0x01000000\n#error no\n#endif\nBEGIN { }",
		  "" },
		{ "#if defined linux || defined unix\n#error no\n#endif\nBEGIN { }",
		  "" },
		{ "#ifndef __linux\n#error no\n#endif\nBEGIN { x = FROM_COMMAND; }",
		  "" },
		{ "#!/usr/sbin/dtrace -Cs\n\nBEGIN { x = ; }",
		  "[D_SYNTAX] line 3: syntax error near \";\"" },
		{ "#define A \\\n 1\nBEGIN { x = A A; }",
		  "[D_SYNTAX] line 3: syntax error near \"1\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;

		fixture_open(&fixture, NULL);
		option_set(&fixture.options, "cpp", NULL, ORIGIN_COMMAND);
		option_set(&fixture.options, "define", "FROM_COMMAND=1",
			   ORIGIN_COMMAND);
		assert_string_equal(fixture_compile(&fixture, cases[i].text,
						    SPEC_NONE, NULL),
				    cases[i].line);
		fixture_close(&fixture);
	}
}

static void test_failures(void **state)
{
	static const struct {
		const char *path, *message;
	} cases[] = {
		{ "/bin/false",
		  "Preprocessor failed to process input program" },
		{ "/nonexistent/cpp", "Preprocessor not found" },
		{ "/tmp", "Failed to exec preprocessor" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;

		fixture_open(&fixture, NULL);
		option_set(&fixture.options, "cpp", NULL, ORIGIN_COMMAND);
		option_set(&fixture.options, "cpppath", cases[i].path,
			   ORIGIN_COMMAND);
		fixture_compile(&fixture, "BEGIN{}", SPEC_NONE, NULL);
		assert_string_equal(fixture.language->diag.message,
				    cases[i].message);
		fixture_close(&fixture);
	}
}

/* More than any pipe holds, in both directions. */
static void test_size(void **state)
{
	struct fixture fixture;
	struct text text = { 0 };

	(void)state;
	for (unsigned i = 0; i < 20000; i++)
		text_printf(&text, "/* %u */ int variable_%u;\n", i, i);
	fixture_open(&fixture, NULL);
	struct source source = { "big.d", text.p, text.n, true };
	const struct source *result = preprocess(fixture.language, &source);

	assert_non_null(result);
	assert_non_null(strstr(result->text, "int variable_19999;"));
	text_free(&text);
	fixture_close(&fixture);
}

static void test_read_file(void **state)
{
	struct fixture fixture;
	const char *error = NULL;
	char path[] = "/tmp/read-file-test-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "BEGIN\0{}", 8), 8);
	close(fd);
	fixture_open(&fixture, NULL);
	struct source *source = language_read_file(fixture.language, path,
						   &error);

	assert_non_null(source);
	assert_int_equal(source->length, 8);
	assert_true(source->is_file);
	assert_null(language_read_file(fixture.language, "/", &error));
	assert_string_equal(error, "Is a directory");
	assert_null(language_read_file(fixture.language, "/nonexistent",
				       &error));
	assert_string_equal(error, "No such file or directory");
	unlink(path);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_read_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
