/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations: the types they make, and the message of each error. */
#include "lang/lang_test.h"

static void test_types(void **state)
{
	static const struct {
		const char *text, *type;
	} cases[] = {
		{ "int x;", "int" },
		{ "unsigned x;", "unsigned int" },
		{ "long unsigned int x;", "unsigned long" },
		{ "long long x;", "long long" },
		{ "signed char x;", "signed char" },
		{ "short int x;", "short" },
		{ "string x;", "string" },
		{ "char *x;", "char *" },
		{ "const char *x;", "const char *" },
		{ "int x[4];", "int [4]" },
		{ "int x[2][3];", "int [2][3]" },
		{ "int *x[4];", "int *[4]" },
		{ "int (*x)[4];", "int (*)[4]" },
		{ "struct s { int a; } x;", "struct s" },
		{ "union u { int a; } *x;", "union u *" },
		{ "enum e { A, B } x;", "enum e" },
		{ "typedef long t; t x;", "t" },
		{ "typedef struct s { struct s *next; } t; t *x;", "t *" },
		{ "enum { N = 2 + 3 }; int x[N];", "int [5]" },
		{ "int32_t x[sizeof (long)];", "int32_t [8]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;

		fixture_open(&fixture, NULL);
		assert_string_equal(fixture_compile(&fixture, cases[i].text,
						    SPEC_NONE, NULL),
				    "");
		struct ident *ident = language_find(fixture.language,
						    SCOPE_GLOBAL, "x");

		assert_non_null(ident);
		assert_string_equal(type_name(fixture.language->types,
					      ident->type),
				    cases[i].type);
		fixture_close(&fixture);
	}
}

static void test_accepted(void **state)
{
	static const char *const cases[] = {
		"struct foo;", "extern int x;", "int f(void);",
		"int main(int argc, char *argv[], char **envp);",
		"int (*f)(int, ...);", "int (*f)(int, char *);",
		"void (*signal(int, void (*)(int)))(int);",
		"self int a[int, string];", "int a[int][4];",
		"struct s { int a:3, b:5; struct { int c; }; union { int d; } u; };",
		"enum e { A, B = A + 3, C, };",
		"typedef int t; typedef int t;",
		"const volatile int *const volatile p;",
		"inline int f[int a, string b] = a + (a) * 2;",
		"provider p { probe a__b(int x, char *y) : (char *y, int x); probe c(); probe return(void); };",
		"struct i { int b; }; struct o { int a; }; translator struct o < struct i *p > { a = (p)->b; };",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;

		fixture_open(&fixture, NULL);
		assert_string_equal(fixture_compile(&fixture, cases[i],
						    SPEC_NONE, NULL),
				    "");
		fixture_close(&fixture);
	}
}

static void test_bitfields(void **state)
{
	struct fixture fixture;
	struct member member;

	(void)state;
	fixture_open(&fixture, NULL);
	assert_string_equal(
		fixture_compile(&fixture,
				"struct s { int a:3; int b:5; char c; } x;",
				SPEC_NONE, NULL),
		"");
	struct type *type =
		language_find(fixture.language, SCOPE_GLOBAL, "x")->type;

	assert_true(type_member(fixture.language->types, type, "b", &member));
	assert_int_equal(member.bit_offset, 3);
	assert_int_equal(member.bit_width, 5);
	assert_true(type_member(fixture.language->types, type, "c", &member));
	assert_int_equal(member.bit_offset, 8);
	assert_int_equal(type_size(fixture.language->types, type), 4);
	fixture_close(&fixture);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{ "short char x;",
		  "[D_DECL_CHARATTR] line 1: invalid type declaration: short and long may not be used with char type" },
		{ "unsigned void x;",
		  "[D_DECL_VOIDATTR] line 1: invalid type declaration: attributes may not be used with void type" },
		{ "signed float x;",
		  "[D_DECL_SIGNINT] line 1: invalid type declaration: signed and unsigned may only be used with integer type" },
		{ "unsigned string x;",
		  "[D_DECL_SIGNINT] line 1: invalid type declaration: signed and unsigned may only be used with integer type" },
		{ "long string x;",
		  "[D_DECL_LONGINT] line 1: invalid type declaration: long and long long may only be used with integer or floating-point type" },
		{ "short long x;",
		  "[D_UNKNOWN] line 1: failed to resolve type short long : Unknown type name" },
		{ "short short x;",
		  "[D_DECL_COMBO] line 1: invalid type combination" },
		{ "long long long x;",
		  "[D_DECL_COMBO] line 1: invalid type combination" },
		{ "signed signed x;",
		  "[D_DECL_COMBO] line 1: invalid type combination" },
		{ "int char x;",
		  "[D_DECL_COMBO] line 1: invalid type combination" },
		{ "struct s { nonsense_t x; };",
		  "[D_SYNTAX] line 1: syntax error near \"nonsense_t\"" },
		{ "self this int x;",
		  "[D_DECL_CLASS] line 1: only one storage class allowed in a declaration" },
		{ "static int x;",
		  "[D_DECL_BADCLASS] line 1: specified storage class not appropriate in D" },
		{ "inline static int x = 5;",
		  "[D_DECL_BADCLASS] line 1: specified storage class not appropriate for inline declaration" },
		{ "int f(static int a);",
		  "[D_DECL_PARMCLASS] line 1: inappropriate storage class for function or associative array parameter" },
		{ "int x[0];",
		  "[D_DECL_ARRSUB] line 1: positive integral constant expression or tuple signature expected as array declaration subscript" },
		{ "int x[y];",
		  "[D_DECL_ARRSUB] line 1: positive integral constant expression or tuple signature expected as array declaration subscript" },
		{ "int x[];",
		  "[D_DECL_ARRNULL] line 1: array declaration requires array dimension or tuple signature: x" },
		{ "int x[5000000000];",
		  "[D_DECL_ARRBIG] line 1: array dimension too big" },
		{ "int x[4000000000][4000000000];",
		  "[D_DECL_ARRBIG] line 1: array dimension too big" },
		{ "int x[268435457];",
		  "[D_DECL_ARRBIG] line 1: array dimension too big" },
		{ "struct big { int a[268435456]; char c; }; self struct big x;",
		  "[D_DECL_ARRBIG] line 1: x is too big: a variable has at most 1 GB" },
		{ "typedef int t; typedef char t;",
		  "[D_DECL_IDRED] line 1: typedef redeclared: t" },
		{ "struct s { int a; }; struct s { int b; };",
		  "[D_DECL_TYPERED] line 1: type redeclared: struct s" },
		{ "struct s { int; };",
		  "[D_DECL_MNAME] line 1: member declaration requires a name" },
		{ "int a`b;",
		  "[D_DECL_SCOPE] line 1: D scoping operator may not be used in a declaration name (a`b)" },
		{ "struct a`b { int x; };",
		  "[D_DECL_SCOPE] line 1: D scoping operator may not be used in a type name (a`b)" },
		{ "struct s { int x:0; };",
		  "[D_DECL_BFCONST] line 1: positive integral constant expression expected as bit-field size" },
		{ "struct s { int x:33; };",
		  "[D_DECL_BFSIZE] line 1: bit-field too big for type: x" },
		{ "struct s { char *x:3; };",
		  "[D_DECL_BFTYPE] line 1: invalid type for bit-field: x" },
		{ "enum e { A = x };",
		  "[D_DECL_ENCONST] line 1: enumerator 'A' must be assigned to an integral constant expression" },
		{ "enum e { A = 2147483647, B };",
		  "[D_DECL_ENOFLOW] line 1: enumerator 'B' value overflows INT_MAX (2147483647)" },
		{ "enum e { A, A };",
		  "[D_DECL_IDRED] line 1: identifier redeclared: A\n\t current: enumerator\n\tprevious: enumerator" },
		{ "int;", "[D_DECL_USELESS] line 1: useless declaration" },
		{ "inline int = 5;",
		  "[D_DECL_USELESS] line 1: inline declaration requires a name" },
		{ "this int x[int];",
		  "[D_DECL_LOCASSC] line 1: associative arrays may not be declared as local variables: x" },
		{ "void x;",
		  "[D_DECL_VOIDOBJ] line 1: cannot have void object: x" },
		{ "void x[3];",
		  "[D_DECL_VOIDOBJ] line 1: cannot declare array of void" },
		{ "struct s { void x; };",
		  "[D_DECL_VOIDOBJ] line 1: cannot have void member: x" },
		{ "inline void x = 5;",
		  "[D_DECL_VOIDOBJ] line 1: cannot have void inline: x" },
		{ "struct s { int x[int]; };",
		  "[D_DECL_DYNOBJ] line 1: cannot have dynamic member: x" },
		{ "int x[3][int];",
		  "[D_DECL_DYNOBJ] line 1: cannot declare array of associative arrays" },
		{ "struct nope x;",
		  "[D_DECL_INCOMPLETE] line 1: incomplete struct/union/enum struct nope: x" },
		{ "int f(int, ...);",
		  "[D_DECL_PROTO_VARARGS] line 1: function prototype may not use a variable-length argument list" },
		{ "int x[int, ...];",
		  "[D_DECL_PROTO_VARARGS] line 1: array prototype may not use a variable-length argument list" },
		{ "int x[void];",
		  "[D_DECL_PROTO_TYPE] line 1: array prototype may not use parameter of type void: (anonymous), parameter #1" },
		{ "int f(void, int);",
		  "[D_DECL_PROTO_VOID] line 1: void must be sole parameter" },
		{ "int f(void x);",
		  "[D_DECL_PROTO_NAME] line 1: void parameter may not have a name: x" },
		{ "inline int x[int] = 5;",
		  "[D_DECL_PROTO_NAME] line 1: parameter declaration requires a name: parameter #1" },
		{ "int f(int a, int a);",
		  "[D_DECL_PROTO_FORM] line 1: parameter is already declared in function prototype: a, parameter #2" },
		{ "provider p { probe a(int x) : (int y); };",
		  "[D_DECL_PROTO_FORM] line 1: parameter is not declared in probe input prototype: y, parameter #1" },
		{ "provider p1 { probe a(); };",
		  "[D_PROV_BADNAME] line 1: provider name may not end with a digit: p1" },
		{ "provider p { probe a`b(); };",
		  "[D_PROV_BADNAME] line 1: probe name may not contain scoping operator: a`b" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;

		fixture_open(&fixture, NULL);
		assert_string_equal(fixture_compile(&fixture, cases[i].text,
						    SPEC_NONE, NULL),
				    cases[i].line);
		fixture_close(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_bitfields),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
