/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: the trees of expressions, program structure, pragmas, errors. */
#include "lang/lang_test.h"
#include "lang/parser.h"

#include <stdlib.h>

/* ------------------------------------------------------- expressions */

static void render(const struct node *node, struct text *out);

static void render_list(const struct node *node, struct text *out)
{
	for (; node; node = node->next) {
		text_putc(out, ' ');
		render(node, out);
	}
}

/* A tree as a prefix expression, to see what binds to what. */
static void render(const struct node *node, struct text *out)
{
	switch (node->kind) {
	case NODE_INTEGER:
		text_printf(out, "%lld", (long long)node->integer.value);
		break;
	case NODE_STRING:
		text_printf(out, "\"%s\"", node->string.bytes);
		break;
	case NODE_NAME:
	case NODE_AGGREGATION:
		text_printf(out, "%s%s%s",
			    node->kind == NODE_AGGREGATION ? "@" : "",
			    node->name.scope == SCOPE_SELF   ? "self->"
			    : node->name.scope == SCOPE_THIS ? "this->"
							     : "",
			    node->name.name);
		if (node->name.has_keys) {
			text_putc(out, '[');
			render_list(node->name.keys, out);
			text_puts(out, " ]");
		}
		break;
	case NODE_SYMBOL:
		text_printf(out, "%s`%s", node->symbol.module,
			    node->symbol.name);
		break;
	case NODE_CALL:
		text_printf(out, "(%s()", node->call.name);
		render_list(node->call.args, out);
		text_putc(out, ')');
		break;
	case NODE_UNARY:
		text_printf(out, "(%s%s ", op_name(node->op),
			    node->op >= OP_POST_INCREMENT ? "post" : "");
		render(node->unary.operand, out);
		text_putc(out, ')');
		break;
	case NODE_BINARY:
		text_printf(out, "(%s ", op_name(node->op));
		render(node->binary.left, out);
		render_list(node->binary.right, out);
		text_putc(out, ')');
		break;
	case NODE_TERNARY:
		text_puts(out, "(? ");
		render(node->ternary.condition, out);
		text_putc(out, ' ');
		render(node->ternary.then, out);
		text_putc(out, ' ');
		render(node->ternary.otherwise, out);
		text_putc(out, ')');
		break;
	case NODE_MEMBER:
		text_printf(out, "(%s ", op_name(node->op));
		render(node->member.object, out);
		text_printf(out, " %s)", node->member.name);
		break;
	case NODE_CAST:
		text_puts(out, "(cast ");
		render(node->cast.operand, out);
		text_putc(out, ')');
		break;
	case NODE_SIZEOF:
	case NODE_STRINGOF:
		text_puts(out, node->kind == NODE_SIZEOF ? "(sizeof "
							 : "(stringof ");
		render(node->unary.operand, out);
		text_putc(out, ')');
		break;
	case NODE_TYPE:
		text_puts(out, "type");
		break;
	case NODE_OFFSETOF:
		text_printf(out, "(offsetof %s)", node->member.name);
		break;
	case NODE_XLATE:
		text_puts(out, "(xlate ");
		render(node->cast.operand, out);
		text_putc(out, ')');
		break;
	default:
		text_puts(out, "?");
	}
}

static void test_expressions(void **state)
{
	static const struct {
		const char *text, *tree;
	} cases[] = {
		{ "1 + 2 * 3", "(+ 1 (* 2 3))" },
		{ "1 - 2 - 3", "(- (- 1 2) 3)" },
		{ "a || b ^^ c && d | e ^ f & g == h < i << j + k * l",
		  "(|| a (^^ b (&& c (| d (^ e (& f (== g (< h (<< i (+ j (* k l)))))))))))" },
		{ "a = b += c", "(= a (+= b c))" },
		{ "a ? b : c ? d : e", "(? a b (? c d e))" },
		{ "a ? b, c : d", "(? a (, b c) d)" },
		{ "a, b, c", "(, (, a b) c)" },
		{ "-a++", "(- (++post a))" },
		{ "!~*&a", "(! (~ (* (& a))))" },
		{ "++a - --b", "(- (++ a) (-- b))" },
		{ "a.b->c[1]", "([] (-> (. a b) c) 1)" },
		{ "a[1, 2]", "a[ 1 2 ]" },
		{ "a[1][2]", "([] a[ 1 ] 2)" },
		{ "(a)[1]", "a[ 1 ]" },
		{ "self->a[1]", "self->a[ 1 ]" },
		{ "this->x", "this->x" },
		{ "@[a] = count()", "(= @_[ a ] (count()))" },
		{ "@x = f(1, a = 2)", "(= @x (f() 1 (= a 2)))" },
		{ "(int)a + b", "(+ (cast a) b)" },
		{ "(int)-a", "(cast (- a))" },
		{ "(a) - b", "(- a b)" },
		{ "(a) * b", "(* a b)" },
		{ "(a * b)", "(* a b)" },
		{ "(uint32_t)a", "(cast a)" },
		{ "(uint32_t *)(a)", "(cast a)" },
		{ "(struct foo *)a->b", "(cast (-> a b))" },
		{ "(int (*)())a", "(cast a)" },
		{ "sizeof (int)", "(sizeof type)" },
		{ "sizeof (a)", "(sizeof a)" },
		{ "sizeof a + 1", "(+ (sizeof a) 1)" },
		{ "stringof a + 1", "(+ (stringof a) 1)" },
		{ "stringof (a).b", "(stringof (. a b))" },
		{ "offsetof (struct foo, b)", "(offsetof b)" },
		{ "xlate <struct foo *>(a)->b", "(-> (xlate a) b)" },
		{ "`x + mod`y + ``z", "(+ (+ `x mod`y) `z)" },
		{ "a / b / c", "(/ (/ a b) c)" },
		{ "return(1)", "(return() 1)" },
		{ "probe + provider", "(+ probe provider)" },
		{ "a->if.string", "(. (-> a if) string)" },
		{ "'a' + \"b\\n\"", "(+ 97 \"b\n\")" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;
		struct text out = { 0 };

		fixture_open(&fixture, NULL);
		struct parser parser = { .language = fixture.language };

		lexer_init(&parser.lexer, fixture.language,
			   fixture_source(&fixture, cases[i].text, true));
		parser.lexer.context = CONTEXT_ACTIONS;
		struct node *node = parse_expression(&parser);

		assert_non_null(node);
		assert_int_equal(token_peek(&parser)->kind, TOKEN_END);
		render(node, &out);
		assert_string_equal(text_str(&out), cases[i].tree);
		text_free(&out);
		fixture_close(&fixture);
	}
}

/* ----------------------------------------------------------- programs */

static void test_programs(void **state)
{
	static const struct {
		const char *text;
		enum spec_kind kind;
		uint32_t nclauses;
	} cases[] = {
		{ "BEGIN", SPEC_NAME, 1 },
		{ "BEGIN END", SPEC_NAME, 2 },
		{ "BEGIN,END", SPEC_NAME, 1 },
		{ "BEGIN{}", SPEC_NONE, 1 },
		{ "BEGIN { ; ; x = 1; ; }", SPEC_NONE, 1 },
		{ "BEGIN { x = 1 } END { x = 2 }", SPEC_NONE, 2 },
		{ "BEGIN /1/ { x = 4 / 2 / 1; }", SPEC_NONE, 1 },
		{ "BEGIN /4 / 2/ { }", SPEC_NONE, 1 },
		{ "BEGIN /1/ /* c */ { }", SPEC_NONE, 1 },
		{ "BEGIN /1/ // c\n{ }", SPEC_NONE, 1 },
		{ "BEGIN // c\n{ } // d", SPEC_NONE, 1 },
		{ "BEGIN /1 && // c\n 2/ { }", SPEC_NONE, 1 },
		{ "12 { }", SPEC_NONE, 1 },
		{ "int x; BEGIN { x = 1; } int y;", SPEC_NONE, 1 },
		{ "return { }", SPEC_NONE, 1 },
		{ "int*", SPEC_NAME, 1 },
		{ "int*:x {}", SPEC_NONE, 1 },
		{ "BEGIN { if (1) x = 1; else if (2) { x = 2; } else x = 3 }",
		  SPEC_NONE, 1 },
		{ "BEGIN { if (1) ; else { } }", SPEC_NONE, 1 },
		{ "#pragma D option quiet\nBEGIN {\n#pragma ident x\n}",
		  SPEC_NONE, 1 },
		{ "#!/usr/sbin/dtrace -s\n#ident \"x\"\nBEGIN { }", SPEC_NONE,
		  1 },
		{ "int x;\n#pragma D attributes Stable/Stable/Common x\nBEGIN{}",
		  SPEC_NONE, 1 },
		{ "#pragma D attributes Stable/Stable/Common x\nint x; BEGIN{}",
		  SPEC_NONE, 1 },
		{ "#pragma D depends_on provider dtrace\nBEGIN{}", SPEC_NONE,
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;
		struct program *program;

		fixture_open(&fixture, NULL);
		assert_string_equal(fixture_compile(&fixture, cases[i].text,
						    cases[i].kind, &program),
				    "");
		uint32_t count = 0;

		for (struct clause *clause = program->clauses; clause;
		     clause = clause->next)
			count++;
		assert_int_equal(count, cases[i].nclauses);
		fixture_close(&fixture);
	}
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		enum spec_kind kind;
		const char *line;
	} cases[] = {
		{ "", SPEC_NONE,
		  "[D_EMPTY] line 1: empty D program translation unit" },
		{ "/* */\n#pragma D option quiet\n", SPEC_NONE,
		  "[D_EMPTY] line 2: empty D program translation unit" },
		{ "\nBEGIN", SPEC_NONE,
		  "[D_SYNTAX] line 2: expected predicate and/or actions following probe description" },
		{ "BEGIN /1/", SPEC_NONE,
		  "[D_SYNTAX] line 1: expected actions { } following probe description and predicate" },
		{ "BEGIN /1/", SPEC_NAME,
		  "[D_SYNTAX] in predicate: expected actions { } following probe description and predicate" },
		{ "BEGIN /(1/ { }", SPEC_NAME,
		  "[D_SYNTAX] in predicate: closing ) expected in predicate before /" },
		{ "BEGIN /x[1/ { }", SPEC_NAME,
		  "[D_SYNTAX] in predicate: closing ] expected in predicate before /" },
		{ "BEGIN { x = 1); }", SPEC_NAME,
		  "[D_SYNTAX] in action list: extra ) in input stream" },
		{ "BEGIN { } }", SPEC_NONE,
		  "[D_SYNTAX] line 1: extra } in input stream" },
		{ "BEGIN //{ }", SPEC_NAME,
		  "[D_SYNTAX] syntax error near \"/\"" },
		{ "BEGIN { x = ; }", SPEC_NAME,
		  "[D_SYNTAX] in action list: syntax error near \";\"" },
		{ "BEGIN { x = 1", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near end of input" },
		{ "BEGIN { x = \"a\" \"b\"; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"\"b\"\"" },
		{ "BEGIN {\n x = 10lu; }", SPEC_NONE,
		  "[D_SYNTAX] line 2: syntax error near \"u\"" },
		{ "BEGIN { a + b = 1; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"=\"" },
		{ "BEGIN { return; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"return\"" },
		{ "BEGIN { switch (1) x = 1; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"switch\"" },
		{ "BEGIN { for (x) x = 1; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \")\"" },
		{ "BEGIN { do x = 1; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"}\"" },
		{ "BEGIN { while () x = 1; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \")\"" },
		{ "BEGIN { if (x) int i = 0; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"int\"" },
		{ "BEGIN { break x; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"x\"" },
		{ "BEGIN { int i; int i; }", SPEC_NONE,
		  "[D_DECL_IDRED] line 1: identifier redeclared: i\n\t current: int\n\tprevious: int" },
		{ "BEGIN { static int i; }", SPEC_NONE,
		  "[D_DECL_BADCLASS] line 1: specified storage class not appropriate in D" },
		{ "BEGIN { int f(void); }", SPEC_NONE,
		  "[D_DECL_LOCFUNC] line 1: functions may not be declared in a clause: f" },
		{ "BEGIN { for (int i;;) { } i_t i; }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"i\"" },
		{ "int* { }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"{\"" },
		{ "BEGIN, { }", SPEC_NONE,
		  "[D_SYNTAX] line 1: syntax error near \"{\"" },
		{ "BEGIN { self->x(1); }", SPEC_NONE,
		  "[D_FUNC_IDENT] line 1: function designator is not of function type" },
		{ "BEGIN { @a[1][2] = count(); }", SPEC_NONE,
		  "[D_AGG_MDIM] line 1: improper attempt to reference @a as a multi-dimensional array" },
		{ "#line 7 \"a.h\"\nBEGIN { x = ; }", SPEC_NONE,
		  "[D_SYNTAX] \"a.h\", line 7: syntax error near \";\"" },
		{ "#line x\n", SPEC_NONE,
		  "[D_PRAGMA_MALFORM] line 1: malformed #line <line> [ [\"file\"] state ]" },
		{ "#pragma D nonsense\n", SPEC_NONE,
		  "[D_PRAGMA_INVAL] line 1: invalid D pragma: nonsense" },
		{ "#pragma D option nonsense\n", SPEC_NONE,
		  "[D_PRAGMA_OPTSET] line 1: failed to set option 'nonsense': Invalid option name" },
		{ "#pragma D option strsize=x\n", SPEC_NONE,
		  "[D_PRAGMA_OPTSET] line 1: failed to set option 'strsize' to 'x': Invalid value for specified option" },
		{ "#pragma D option quiet quiet\n", SPEC_NONE,
		  "[D_PRAGMA_MALFORM] line 1: superfluous arguments specified for #pragma option" },
		{ "#pragma D option\n", SPEC_NONE,
		  "[D_PRAGMA_MALFORM] line 1: malformed #pragma option <option>=<val>" },
		{ "#pragma D attributes x y\n", SPEC_NONE,
		  "[D_PRAGMA_INVAL] line 1: invalid attributes specified by #pragma attributes" },
		{ "#pragma D attributes Stable/Stable/Common x\nBEGIN{}",
		  SPEC_NONE,
		  "[D_PRAGMA_UNUSED] line 1: unused #pragma attributes" },
		{ "#pragma D attributes Stable/Stable/Common provider dtrace args\n",
		  SPEC_NONE,
		  "[D_PRAGMA_SCOPE] line 1: #pragma attributes cannot modify entity defined outside program scope" },
		{ "#pragma D binding 1.0 x\n", SPEC_NONE,
		  "[D_PRAGMA_MALFORM] line 1: malformed #pragma binding \"version\" <ident>" },
		{ "#pragma D depends_on library x.d\n", SPEC_NONE,
		  "[D_PRAGMA_DEPEND] line 1: main program may not explicitly depend on a library" },
		{ "#pragma D depends_on module x\n", SPEC_NONE,
		  "[D_PRAGMA_DEPEND] line 1: program requires module x" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;

		fixture_open(&fixture, NULL);
		assert_string_equal(fixture_compile(&fixture, cases[i].text,
						    cases[i].kind, NULL),
				    cases[i].line);
		fixture_close(&fixture);
	}
}

/* --------------------------------------------------------------- size */

/* `head`, then `unit` n times, then `middle`, then `close` n times, `tail`. */
static char *nest(const char *head, const char *unit, unsigned n,
		  const char *middle, const char *close, const char *tail)
{
	struct text text = { 0 };

	text_puts(&text, head);
	for (unsigned i = 0; i < n; i++)
		text_puts(&text, unit);
	text_puts(&text, middle);
	for (unsigned i = 0; i < n; i++)
		text_puts(&text, close);
	text_puts(&text, tail);
	return text.p;
}

static void test_depth(void **state)
{
	static const struct {
		const char *head, *unit, *middle, *close, *tail;
		unsigned fine, much;
	} cases[] = {
		{ "BEGIN{x=", "(", "1", ")", ";}", 100, 100000 },
		{ "BEGIN{x=", "!", "1", "", ";}", 100, 100000 },
		{ "BEGIN{x=", "1+", "1", "", ";}", 1000, 100000 },
		{ "BEGIN{x=", "1?2:", "3", "", ";}", 100, 100000 },
		{ "BEGIN{x=", "(int)", "3", "", ";}", 100, 100000 },
		{ "BEGIN{", "if(1){", "x=1;", "}", "}", 100, 100000 },
		{ "BEGIN{", "if(1)x=1;else ", "x=1;", "", "}", 100, 100000 },
		{ "struct ", "{ struct ", "{int a;}", " x;}", ";", 100,
		  100000 },
		{ "int ", "*", "x", "", ";", 50, 100000 },
		{ "int ", "(", "x", ")", ";", 100, 100000 },
		{ "int f", "(int (*x)", "(int)", ")", ";", 100, 100000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture fixture;
		char *fine = nest(cases[i].head, cases[i].unit, cases[i].fine,
				  cases[i].middle, cases[i].close,
				  cases[i].tail);
		char *much = nest(cases[i].head, cases[i].unit, cases[i].much,
				  cases[i].middle, cases[i].close,
				  cases[i].tail);

		fixture_open(&fixture, NULL);
		assert_string_equal(fixture_compile(&fixture, fine, SPEC_NONE,
						    NULL),
				    "");
		const char *line = fixture_compile(&fixture, much, SPEC_NONE,
						   NULL);

		assert_memory_equal(line, "[D_SYNTAX]", strlen("[D_SYNTAX]"));
		fixture_close(&fixture);
		free(fine);
		free(much);
	}
}

/* Half a program is an error, never a crash, wherever it is cut. */
static void test_cut(void **state)
{
	static const char text[] =
		"#pragma D option quiet\n"
		"typedef struct s { int a:3; char *b[2]; } s_t;\n"
		"enum e { A, B = 'x' }; int y[int, string]; self s_t *z;\n"
		"inline int f[int a] = a ? B : (int)\"x\\n\"[0];\n"
		"provider p { probe a__b(int x) : (int x); };\n"
		"fbt:$target*:[a-z]:entry, 12 /* c */ /y[1, \"a\"] / 2/\n"
		"{ @a[1] = count(); x = sizeof (s_t) + offsetof(s_t, b);\n"
		"  if (x) { y[1, \"a\"] = $1; } else z->a++; }\n";

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++) {
		struct fixture fixture;
		char *cut = must_strdup(text);

		cut[i] = '\0';
		fixture_open(&fixture, NULL);
		fixture_compile(&fixture, cut, SPEC_NONE, NULL);
		fixture_close(&fixture);
		free(cut);
	}
}

static void test_unused_operands(void **state)
{
	static const char *const operands[] = { "dtrace", "1", "2", NULL };
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, operands);
	assert_string_equal(fixture_compile(&fixture, "BEGIN { x = $1; }",
					    SPEC_NAME, NULL),
			    "");
	assert_false(language_check_unused_args(fixture.language));
	assert_string_equal(fixture.language->diag.message,
			    "extraneous argument '2' ($2 is not referenced)");
	assert_string_equal(fixture_compile(&fixture, "BEGIN { x = $2; }",
					    SPEC_NAME, NULL),
			    "");
	assert_true(language_check_unused_args(fixture.language));
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_unused_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
