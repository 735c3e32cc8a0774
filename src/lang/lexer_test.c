/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: constants and their types, escapes, macros, errors. */
#include "lang/lang_test.h"
#include "lang/lexer.h"

static const char *const operands[] = {
	"dtrace", "42", "-7", "name", "two words", "\"12\"", "0x10",
	"99999999999999999999", "", NULL,
};

static struct lexer lex(struct fixture *fixture, const char *text)
{
	struct lexer lexer;

	lexer_init(&lexer, fixture->language,
		   fixture_source(fixture, text, true));
	return lexer;
}

/* What the whole text is. */
static struct token only_token(struct fixture *fixture, const char *text)
{
	struct lexer lexer = lex(fixture, text);
	struct token token, end;

	lexer_next(&lexer, &token);
	lexer_next(&lexer, &end);
	assert_int_equal(end.kind, TOKEN_END);
	return token;
}

static void test_integers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
		enum base_type type;
	} cases[] = {
		{ "0", 0, BASE_INT },
		{ "2147483647", INT32_MAX, BASE_INT },
		{ "2147483648", 2147483648u, BASE_LONG },
		{ "0x7fffffff", 0x7fffffff, BASE_INT },
		{ "0x80000000", 0x80000000, BASE_UINT },
		{ "0xffffffffffffffff", UINT64_MAX, BASE_ULONG },
		{ "017", 15, BASE_INT },
		{ "1u", 1, BASE_UINT },
		{ "1UL", 1, BASE_ULONG },
		{ "1ull", 1, BASE_ULLONG },
		{ "1L", 1, BASE_LONG },
		{ "1Ll", 1, BASE_LLONG },
		{ "18446744073709551615", UINT64_MAX, BASE_ULLONG },
		{ "'a'", 'a', BASE_INT },
		{ "'ab'", 0x6162, BASE_INT },
		{ "'\\n'", '\n', BASE_INT },
		{ "'\\''", '\'', BASE_INT },
		{ "'\\0'", 0, BASE_INT },
		{ "'\\377'", 255, BASE_INT },
		{ "'abcdefgh'", 0x6162636465666768, BASE_LONG },
		{ "$1", 42, BASE_INT },
		{ "$2", (uint64_t)-7, BASE_INT },
		{ "$6", 16, BASE_INT },
		{ "$target", 77, BASE_INT },
		{ "1 /* x */", 1, BASE_INT },
		{ "// x\n1", 1, BASE_INT },
	};

	(void)state;
	struct fixture fixture;

	fixture_open(&fixture, operands);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct token token = only_token(&fixture, cases[i].text);

		assert_int_equal(token.kind, TOKEN_INTEGER);
		assert_true(token.value == cases[i].value);
		assert_int_equal(token.type, cases[i].type);
	}
	fixture_close(&fixture);
}

static void test_words(void **state)
{
	static const struct {
		const char *text;
		enum token_kind kind;
		const char *word, *scope;
	} cases[] = {
		{ "abc_1", TOKEN_NAME, "abc_1", NULL },
		{ "int", TOKEN_INT, "int", NULL },
		{ "stringof", TOKEN_STRINGOF, "stringof", NULL },
		{ "stringo", TOKEN_NAME, "stringo", NULL },
		{ "strings", TOKEN_NAME, "strings", NULL },
		{ "mod`x", TOKEN_NAME, "x", "mod" },
		{ "`x", TOKEN_NAME, "x", "" },
		{ "``x", TOKEN_NAME, "x", "`" },
		{ "9p`x", TOKEN_NAME, "x", "9p" },
		{ "a.ko`x", TOKEN_NAME, "x", "a.ko" },
		{ "12`libc`x", TOKEN_NAME, "x", "12`libc" },
		{ "$target`libc`x", TOKEN_NAME, "x", "77`libc" },
		{ "@", TOKEN_AGGREGATION, "_", NULL },
		{ "@foo", TOKEN_AGGREGATION, "foo", NULL },
		{ "$3", TOKEN_NAME, "name", NULL },
		{ "$$3", TOKEN_STRING, "name", NULL },
		{ "$4", TOKEN_STRING, "two words", NULL },
		{ "$5", TOKEN_STRING, "12", NULL },
		{ "$$1", TOKEN_STRING, "42", NULL },
		{ "$$target", TOKEN_STRING, "77", NULL },
		{ "$8", TOKEN_STRING, "", NULL },
		{ "\"a\\tb\"", TOKEN_STRING, "a\tb", NULL },
		{ "\"\\101\\x42\\q\\'\\\"\\\\\"", TOKEN_STRING, "AB\\q\\'\"\\",
		  NULL },
		{ "\"\\xfff41\"", TOKEN_STRING, "A", NULL },
		{ "\"a\\\nb\"", TOKEN_STRING, "ab", NULL },
	};

	(void)state;
	struct fixture fixture;

	fixture_open(&fixture, operands);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct token token = only_token(&fixture, cases[i].text);

		assert_int_equal(token.kind, cases[i].kind);
		assert_int_equal(token.text.n, strlen(cases[i].word));
		assert_memory_equal(token.text.p, cases[i].word, token.text.n);
		if (cases[i].scope)
			assert_string_equal(token.scope, cases[i].scope);
		else
			assert_null(token.scope);
	}
	fixture_close(&fixture);
}

static void test_punctuation(void **state)
{
	static const enum token_kind kinds[] = {
		TOKEN_SHIFT_LEFT_ASSIGN, TOKEN_SHIFT_LEFT, TOKEN_LESS_EQUAL,
		TOKEN_LESS, TOKEN_ELLIPSIS, TOKEN_DOT, TOKEN_DOT,
		TOKEN_LOGICAL_XOR, TOKEN_XOR_ASSIGN, TOKEN_XOR, TOKEN_ARROW,
		TOKEN_DECREMENT, TOKEN_MINUS, TOKEN_SLASH, TOKEN_DIVIDE_ASSIGN,
		TOKEN_END,
	};

	(void)state;
	struct fixture fixture;
	struct lexer lexer;

	fixture_open(&fixture, NULL);
	lexer = lex(&fixture, "<<=<< <=< ..... ^^^= ^ ->--- / /=");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct token token;

		lexer_next(&lexer, &token);
		assert_int_equal(token.kind, kinds[i]);
	}
	fixture_close(&fixture);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		enum tag tag;
		const char *message;
	} cases[] = {
		{ "089", D_INT_DIGIT, "constant 089 contains invalid digit 8" },
		{ "18446744073709551616", D_INT_OFLOW,
		  "constant 18446744073709551616 results in integer overflow" },
		{ "1.5", D_SYNTAX,
		  "floating-point constants are not permitted" },
		{ ".5", D_SYNTAX,
		  "floating-point constants are not permitted" },
		{ "1e5", D_SYNTAX,
		  "floating-point constants are not permitted" },
		{ "''", D_CHR_NULL, "empty character constant" },
		{ "'123456789'", D_CHR_OFLOW,
		  "character constant is too long" },
		{ "'a\n'", D_CHR_NL,
		  "newline encountered in character constant" },
		{ "\"a\n\"", D_STR_NL,
		  "newline encountered in string literal" },
		{ "\"a", D_SYNTAX,
		  "end-of-file encountered before matching \"" },
		{ "/* a", D_SYNTAX,
		  "end-of-file encountered before matching */" },
		{ "/* a /* b */", D_SYNTAX, "/* encountered inside a comment" },
		{ "\x01", D_SYNTAX, "syntax error near \"\\001\"" },
		{ "#foo", D_PRAGCTL_INVAL, "invalid control directive: #foo" },
		{ "#error a b", D_PRAGERR, "#error: a b" },
		{ "$nope", D_MACRO_UNDEF,
		  "macro variable $nope is not defined" },
		{ "$20", D_MACRO_UNDEF, "macro argument $20 is not defined" },
		{ "$$20", D_MACRO_UNDEF, "macro argument $$20 is not defined" },
		{ "$7", D_MACRO_OFLOW,
		  "macro argument $7 constant 99999999999999999999 results in integer overflow" },
		{ "$", D_SYNTAX, "syntax error near \"$\"" },
		{ ")", D_SYNTAX, "extra ) in input stream" },
		{ "]", D_SYNTAX, "extra ] in input stream" },
	};

	(void)state;
	struct fixture fixture;

	fixture_open(&fixture, operands);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct diag *diag = &fixture.language->diag;
		struct lexer lexer, quiet;
		struct token token;

		diag_clear(diag);
		lexer = lex(&fixture, cases[i].text);
		quiet = lexer;
		quiet.is_quiet = true;
		lexer_next(&quiet, &token);
		assert_false(diag->failed && diag->tag != D_MACRO_OFLOW);
		diag_clear(diag);
		lexer_next(&lexer, &token);
		assert_int_equal(token.kind, TOKEN_ERROR);
		assert_string_equal(diag->message, cases[i].message);
		assert_int_equal(diag->tag, cases[i].tag);
	}
	fixture_close(&fixture);
}

static void test_lines(void **state)
{
	static const char text[] = "#!/usr/sbin/dtrace -s\n"
				   "a /* \n */ b\n"
				   "#line 70 \"f.h\"\n"
				   "c \\\n d\n"
				   "# 5 \"g.d\" 1 2\n"
				   "\te";
	static const struct {
		uint32_t line;
		const char *file;
	} places[] = {
		{ 2, NULL },   { 3, NULL },  { 70, "f.h" },
		{ 71, "f.h" }, { 5, "g.d" },
	};

	(void)state;
	struct fixture fixture;
	struct lexer lexer;
	struct token token;

	fixture_open(&fixture, NULL);
	lexer = lex(&fixture, text);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		lexer_next(&lexer, &token);
		assert_int_equal(token.kind, TOKEN_NAME);
		assert_int_equal(token.place.line, places[i].line);
		if (places[i].file)
			assert_string_equal(token.place.file, places[i].file);
		else
			assert_null(token.place.file);
	}
	fixture_close(&fixture);
}

/* In a predicate a slash ends it, or divides. */
static void test_slash(void **state)
{
	static const struct {
		const char *text;
		enum token_kind kind;
	} cases[] = {
		{ "/ {", TOKEN_END_PREDICATE },
		{ "/", TOKEN_END_PREDICATE },
		{ "/\n\t{", TOKEN_END_PREDICATE },
		{ "/ ;", TOKEN_END_PREDICATE },
		{ "/ // c", TOKEN_END_PREDICATE },
		{ "/ /* c */ {", TOKEN_END_PREDICATE },
		{ "/ x", TOKEN_SLASH },
		{ "/ (", TOKEN_SLASH },
		{ "/= 2", TOKEN_DIVIDE_ASSIGN },
	};

	(void)state;
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lexer lexer;
		struct token token;

		lexer = lex(&fixture, cases[i].text);
		lexer.context = CONTEXT_PREDICATE;
		lexer_next(&lexer, &token);
		assert_int_equal(token.kind, cases[i].kind);
	}
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_punctuation),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_slash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
