/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker against D texts: each row is a program, the tag it must be
 * refused with (or "ok"), and words of the message.
 *
 * The world is small: BEGIN, END and ERROR, two system calls with typed
 * arguments, and disk:::start whose argument is translated.  No kernel.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

#include "builtin/builtin.h"
#include "lang/check.h"

/* ------------------------------------------------------------ the world */

#define PROBE(number, p, m, f, n) \
	{ .id = number, .provider = p, .module = m, .function = f, .name = n }

static const struct world_probe {
	struct probe_info info;
	const char *args[4];
	const char *translated[4];
} world[] = {
	{ .info = PROBE(1, "dtrace", "", "", "BEGIN") },
	{ .info = PROBE(2, "dtrace", "", "", "END") },
	{ .info = PROBE(3, "dtrace", "", "", "ERROR") },
	{ .info = PROBE(10, "syscall", "vmlinux", "read", "entry"),
	  .args = { "int", "void *", "size_t" } },
	{ .info = PROBE(11, "syscall", "vmlinux", "read", "return"),
	  .args = { "long" } },
	{ .info = PROBE(12, "syscall", "vmlinux", "open", "entry"),
	  .args = { "const char *", "int" } },
	{ .info = PROBE(20, "disk", "", "", "start"),
	  .args = { "struct req *" },
	  .translated = { "struct reqinfo *" } },
	{ .info = PROBE(21, "disk", "", "", "done"),
	  .args = { "struct req *" },
	  .translated = { "struct reqinfo *" } },
};

enum { NPROBES = sizeof(world) / sizeof(*world) };

struct world_context {
	struct language *language;
};

static bool field_matches(const char *pattern, const char *text)
{
	return !*pattern || !strcmp(pattern, "*") || !strcmp(pattern, text);
}

static int world_match(void *context, const struct probe_desc *desc,
		       bool (*visit)(void *data,
				     const struct probe_info *probe),
		       void *data, struct probe_error *error)
{
	int count = 0;

	(void)context;
	if (!strcmp(desc->provider, "broken")) {
		*error = (struct probe_error){
			D_PROC_BADPID,
			"'broken' does not contain a valid pid",
		};
		return -22;
	}
	for (size_t i = 0; i < NPROBES; i++) {
		struct probe_info info = world[i].info;

		info.attr = info.arg_attr = ATTR_EVOLVING;
		info.opaque = (void *)&world[i];
		if (desc->id ? desc->id != info.id
			     : !field_matches(desc->provider, info.provider) ||
				       !field_matches(desc->module,
						      info.module) ||
				       !field_matches(desc->function,
						      info.function) ||
				       !field_matches(desc->name, info.name))
			continue;
		count++;
		if (!visit(data, &info))
			break;
	}
	return count;
}

static int world_argument(void *context, const struct probe_info *probe,
			  uint32_t n, struct type **native,
			  struct type **translated, uint32_t *mapping)
{
	struct world_context *here = context;
	const struct world_probe *found = probe->opaque;

	*mapping = n;
	if (n >= 4 || !found->args[n])
		return 0;
	*native = language_parse_type(here->language, found->args[n]);
	*translated = !found->translated[n]
			      ? *native
			      : language_parse_type(here->language,
						    found->translated[n]);
	return *native && *translated ? 1 : -1;
}

static bool world_has(void *context, const char *name)
{
	(void)context;
	return !strcmp(name, "syscall") || !strcmp(name, "dtrace");
}

static int world_symbol(void *context, const char *module, const char *name,
			uint64_t *address, uint64_t *size)
{
	(void)context;
	(void)module;
	*address = 0x1000;
	*size = 8;
	return !strcmp(name, "jiffies");
}

static struct options test_options(void)
{
	struct options options;

	options_init(&options);
	return options;
}

static struct language *new_language(struct options *options,
				     struct probe_oracle *oracle,
				     struct world_context *context)
{
	static const char *const args[] = { "dtrace" };
	struct language_config config = {
		.options = options, .registry = builtin_registry(),
		.oracle = oracle, .args = args, .nargs = 1,
	};

	*oracle = (struct probe_oracle){
		.context = context,
		.match = world_match,
		.argument = world_argument,
		.has_provider = world_has,
		.has_module = world_has,
		.symbol = world_symbol,
	};
	context->language = language_new(&config);
	types_without_kernel(language_types(context->language));
	return context->language;
}

/* ------------------------------------------------------------- programs */

static const struct {
	const char *text, *tag, *words;
} cases[] = {
	/* types by first assignment, in the order of the text */
	{ "BEGIN { x = 1; trace(x); }", "ok", "" },
	{ "BEGIN { trace(x); }", "D_IDENT_UNDEF",
	  "failed to resolve x: Unknown variable name" },
	{ "BEGIN /self->t/ { self->t = 1; }", "ok", "" },
	{ "BEGIN /x = 1/ { trace(x); }", "ok", "" },
	{ "BEGIN { trace(self->x); }", "D_VAR_UNDEF",
	  "self->x has not yet been declared or assigned" },
	{ "BEGIN /this->x/ { trace(1); }", "D_VAR_UNDEF", "this->x has not" },
	{ "BEGIN { x = x + 1; }", "D_IDENT_UNDEF", "resolve x" },
	{ "BEGIN { x++; trace(x); }", "ok", "" },
	{ "BEGIN { trace(this->x); this->x = 5; }", "ok", "" },
	{ "BEGIN { trace(this->x); } BEGIN { this->x = 5; }", "D_VAR_UNDEF",
	  "" },
	{ "BEGIN { x += 2; x <<= 1; }", "ok", "" },
	{ "BEGIN { x = (x = 1); a[a[1] = 2] = 3; }", "ok", "" },
	{ "BEGIN { x = (x[1] = 2); }", "D_IDENT_UNDEF", "" },
	{ "int x; BEGIN { x = \"text\"; }", "D_OP_INCOMPAT",
	  "operands have incompatible types: \"int\" = \"string\"" },
	{ "BEGIN { s = \"a\"; s = execname; s = NULL; s = 0; }", "ok", "" },
	{ "BEGIN { s = \"a\"; s += 1; }", "D_OP_INCOMPAT",
	  "\"string\" += \"int\"" },
	{ "BEGIN { s = \"a\"; s = 1; }", "D_OP_INCOMPAT", "" },
	{ "struct s { int m; char c[8]; }; struct s v, w; BEGIN { v = w; v.m = 3; this->z = v; trace(this->z.m); }",
	  "ok", "" },
	{ "struct s { int m; char c[8]; }; struct s *p; BEGIN { this->c = p->c; this->c = \"x\"; }",
	  "ok", "" },
	/* writing */
	{ "BEGIN { pid = 1; }", "D_OP_WRITE",
	  "operator = can only be applied to a writable variable" },
	{ "BEGIN { arg0++; }", "D_OP_WRITE", "operator ++" },
	{ "BEGIN { `jiffies = 1; }", "D_SYM_NOTYPES", "" },
	{ "BEGIN { 1 = 2; }", "D_OP_LVAL",
	  "operator = requires modifiable lvalue as an operand" },
	{ "BEGIN { (x = 1)++; }", "D_OP_LVAL", "" },
	{ "BEGIN { *((int *)arg0) = 1; }", "D_OP_WRITE", "" },
	{ "BEGIN { this->p = (int *)alloca(8); *this->p = 1; this->p[1] = 2; }",
	  "ok", "" },
	{ "BEGIN { *((int *)alloca(4)) = 1; }", "ok", "" },
	{ "struct s { int m; }; BEGIN { p = (struct s *)alloca(8); p->m = 1; }",
	  "ok", "" },
	{ "BEGIN { p = (int *)alloca(8); p = 0; } END { p = (int *)alloca(4); }",
	  "ok", "" },
	{ "int *q; BEGIN { p = (int *)alloca(8); p = q; }", "D_ALLOCA_INCOMPAT",
	  "p: cannot reuse" },
	{ "int a[4]; int b[4]; BEGIN { a = b; }", "D_OP_ARRFUN",
	  "operator = may not be applied to operand of type \"int [4]\"" },
	{ "self int b[4]; BEGIN { x = self->b; }", "D_OP_ARRFUN", "" },
	/* operators */
	{ "BEGIN { trace(1 / 0); }", "D_DIV_ZERO",
	  "expression contains division by zero" },
	{ "BEGIN { trace(pid % 0); }", "D_DIV_ZERO", "" },
	{ "BEGIN { x = 1; x /= 0; }", "D_DIV_ZERO", "" },
	{ "BEGIN { trace(\"a\" * 2); }", "D_OP_ARITH",
	  "operator * requires operands of arithmetic type" },
	{ "BEGIN { trace(-\"a\"); }", "D_OP_ARITH",
	  "operator - requires an operand of arithmetic type" },
	{ "BEGIN { trace(\"a\" % 2); }", "D_OP_INT",
	  "operator % requires operands of integral type" },
	{ "BEGIN { trace(~\"a\"); }", "D_OP_INT",
	  "operator ~ requires an operand of integral type" },
	{ "BEGIN { trace(1 << \"a\"); }", "D_OP_INT", "<<" },
	{ "BEGIN { trace(!execname); }", "D_OP_SCALAR", "operator !" },
	{ "BEGIN { trace(1 && execname); }", "D_OP_SCALAR",
	  "operator && requires operands of scalar type" },
	{ "BEGIN { trace(execname ? 1 : 2); }", "D_OP_SCALAR",
	  "operator ?: expression must be of scalar type" },
	{ "BEGIN { trace(pid ? 1 : \"a\"); }", "D_OP_INCOMPAT",
	  "operator ?: operands must have compatible types" },
	{ "BEGIN { trace(1 ? execname : \"a\"); trace(pid ? NULL : execname); }",
	  "ok", "" },
	{ "BEGIN { pid ? trace(1) : trace(2); }", "D_OP_ACT",
	  "action cannot be used in a conditional context" },
	{ "inline int OPT = 0; BEGIN { OPT ? nowhere : trace(2); !OPT ? @c = count() : 1; }",
	  "ok", "" },
	{ "BEGIN { 0 && pid ? nowhere : 1; 1 || pid ? 1 : nowhere; }", "ok",
	  "" },
	{ "BEGIN { pid && 0 ? trace(1) : 1; }", "D_OP_ACT",
	  "action cannot be used in a conditional context" },
	{ "BEGIN { (1 ? trace(1) : 1) + 1; }", "D_OP_INCOMPAT",
	  "operands have incompatible types: \"void\" + \"int\"" },
	{ "BEGIN { trace(1), trace(2); }", "D_OP_ACT",
	  "operator , operands cannot be actions" },
	{ "BEGIN { 1 && trace(2); }", "D_OP_ACT",
	  "operator && operands cannot be actions" },
	{ "int a[int]; BEGIN { trace(a + 1); }", "D_IDENT_BADREF",
	  "associative array 'a' may not be referenced as scalar" },
	{ "BEGIN { @a = count(); trace(@a + 1); }", "D_OP_INCOMPAT",
	  "\"aggregation\" + \"int\"" },
	{ "BEGIN { trace(execname == \"a\" && \"a\" != execname && execname == NULL); }",
	  "ok", "" },
	{ "BEGIN { trace(execname == 1); }", "D_OP_INCOMPAT",
	  "\"string\" == \"int\"" },
	{ "int *p; char *q; BEGIN { trace(p == q); }", "D_OP_INCOMPAT",
	  "\"int *\" == \"char *\"" },
	{ "int *p; void *q; BEGIN { trace(p == q && p == 0 && p != NULL && q > p); }",
	  "ok", "" },
	{ "int *p; BEGIN { trace(p == pid); }", "D_OP_INCOMPAT", "" },
	{ "int *p, *q; char *c; BEGIN { trace(p - q); trace(p + 1); trace(1 + p); trace(p - c); }",
	  "D_OP_INCOMPAT", "\"int *\" - \"char *\"" },
	{ "int *p; BEGIN { trace(1 - p); }", "D_OP_INCOMPAT", "" },
	{ "int *p; BEGIN { trace(p & 1); }", "D_OP_INT", "" },
	{ "void *p; BEGIN { p++; }", "D_OP_VFPTR",
	  "operator ++ requires an operand of known size" },
	{ "void *p; BEGIN { trace(p + 1); }", "D_OP_INCOMPAT",
	  "\"void *\" + \"int\"" },
	{ "void *p; BEGIN { trace(*p); }", "D_DEREF_VOID",
	  "cannot dereference pointer to void" },
	{ "BEGIN { trace(*((int (*)())0)); }", "D_DEREF_FUNC",
	  "cannot dereference pointer to function" },
	{ "int x; BEGIN { trace(*x); }", "D_DEREF_NONPTR",
	  "cannot dereference non-pointer type" },
	{ "BEGIN { trace(&1); }", "D_ADDROF_LVAL",
	  "unacceptable operand for unary & operator" },
	{ "int x; BEGIN { trace(&x); }", "D_ADDROF_VAR",
	  "cannot take address of dynamic variable" },
	{ "struct b { int x:3; }; struct b *p; BEGIN { trace(&p->x); }",
	  "D_ADDROF_BITFIELD", "cannot take address of bit-field" },
	{ "struct b { int x; }; struct b *p; BEGIN { trace(&p->x); trace(&`jiffies); }",
	  "ok", "" },
	{ "struct s { int m; }; BEGIN { trace((struct s)1); }", "D_CAST_INVAL",
	  "invalid cast expression: \"int\" to \"struct s\"" },
	{ "BEGIN { trace((string)1); }", "D_CAST_INVAL", "" },
	{ "char *c; BEGIN { trace((string)c); trace((int)c); trace((void *)pid); (void)1; }",
	  "ok", "" },
	{ "BEGIN { trace(execname[0]); trace(*execname); }", "ok", "" },
	/* members and sizes */
	{ "struct s { int m; }; struct s v; BEGIN { trace(v->m); }", "D_OP_PTR",
	  "operator -> must be applied to a pointer" },
	{ "int *p; BEGIN { trace(p->m); }", "D_OP_SOU",
	  "operator -> cannot be applied to pointer to type \"int\"; must be applied to a struct or union pointer" },
	{ "struct s { int m; }; struct s *v; BEGIN { trace(v.m); }", "D_OP_SOU",
	  "operator . cannot be applied to type \"struct s *\"; must be applied to a struct or union" },
	{ "struct nosuchstruct; struct nosuchstruct *p; BEGIN { trace(p->m); }",
	  "D_OP_INCOMPLETE",
	  "operator -> cannot be applied to a forward declaration: no struct nosuchstruct definition is available" },
	{ "struct point { int x, y; }; struct point p; BEGIN { trace(p.z); }",
	  "D_TYPE_MEMBER", "z is not a member of struct point" },
	{ "struct s { int a; union { int b; char c; }; }; struct s v; BEGIN { trace(v.b + v.c); }",
	  "ok", "" },
	{ "struct b { int x:3; }; struct b v; BEGIN { trace(sizeof (v.x)); }",
	  "D_SIZEOF_BITFIELD", "cannot apply sizeof to a bit-field" },
	{ "BEGIN { trace(sizeof (void)); }", "D_SIZEOF_TYPE",
	  "cannot apply sizeof to an operand of unknown size" },
	{ "BEGIN { @a = count(); trace(sizeof (@a)); }", "D_SIZEOF_TYPE", "" },
	{ "struct b { int x:3; }; BEGIN { trace(offsetof(struct b, x)); }",
	  "D_OFFSETOF_BITFIELD", "cannot take offset of a bit-field: x" },
	{ "BEGIN { trace(offsetof(int, x)); }", "D_OFFSETOF_TYPE",
	  "offsetof operand must be a struct or union type" },
	{ "struct b { int x; }; BEGIN { trace(offsetof(struct b, y)); }",
	  "D_UNKNOWN",
	  "failed to determine offset of y: Member name not found" },
	{ "struct b { int x; }; struct b v; BEGIN { trace(stringof(v)); }",
	  "D_STRINGOF_TYPE",
	  "cannot apply stringof to a value of type struct b" },
	{ "char *p; BEGIN { trace(stringof(p)); trace(stringof(arg0)); trace(stringof(\"a\")); }",
	  "ok", "" },
	/* names */
	{ "int a[int]; BEGIN { trace(a); }", "D_IDENT_BADREF",
	  "associative array 'a' may not be referenced as scalar" },
	{ "int a[int]; BEGIN { a; }", "D_IDENT_BADREF", "" },
	{ "BEGIN { trace(strlen); }", "D_IDENT_BADREF",
	  "function 'strlen' may not be referenced as scalar" },
	{ "enum colour { RED, GREEN }; enum colour c; int RED; BEGIN { trace(c == RED); }",
	  "D_IDENT_AMBIG",
	  "ambiguous use of operator ==: RED is both a enum colour enum tag and a global scalar" },
	{ "enum colour { RED, GREEN }; enum colour c; BEGIN { c = RED; trace(c == GREEN); trace(GREEN == c); trace(RED | GREEN); }",
	  "ok", "" },
	{ "BEGIN { trace(`nosuch); }", "D_IDENT_UNDEF",
	  "failed to resolve `nosuch: Unknown symbol name" },
	{ "BEGIN { trace(vmlinux`nosuch); }", "D_IDENT_UNDEF",
	  "vmlinux`nosuch: Unknown symbol name" },
	{ "BEGIN { trace(`jiffies); }", "D_SYM_NOTYPES",
	  "no symbolic type information is available for vmlinux`jiffies" },
	{ "BEGIN { trace(``jiffies); }", "D_SYM_BADREF", "" },
	/* functions */
	{ "BEGIN { nosuchfunction(1); }", "D_FUNC_UNDEF",
	  "undefined function name: nosuchfunction" },
	{ "int x; BEGIN { x(1); }", "D_FUNC_IDKIND",
	  "scalar 'x' may not be referenced as a function" },
	{ "BEGIN { trace(strlen()); }", "D_PROTO_LEN",
	  "strlen( ) prototype mismatch: 0 args passed, 1 expected" },
	{ "BEGIN { trace(strjoin(\"a\")); }", "D_PROTO_LEN",
	  "strjoin( ) prototype mismatch: 1 arg passed, 2 expected" },
	{ "BEGIN { trace(substr(\"a\")); }", "D_PROTO_LEN",
	  "substr( ) prototype mismatch: 1 arg passed, at least 2 expected" },
	{ "BEGIN { trace(substr(\"a\", 1, 2, 3)); }", "D_PROTO_LEN",
	  "substr( ) prototype mismatch: 4 args passed, at most 3 expected" },
	{ "BEGIN { trace(strlen(1)); }", "D_PROTO_ARG",
	  "strlen( ) argument #1 is incompatible with prototype:\n\tprototype: const char *\n\t argument: int" },
	{ "BEGIN { @a = count(); trace(strlen(@a)); }", "D_PROTO_ARG",
	  "argument: aggregation" },
	{ "BEGIN { x = exit(0); }", "D_CG_EXPR",
	  "exit( ) may not be called from a D expression (D program context required)" },
	{ "BEGIN { trace(exit(0)); }", "D_TRACE_VOID", "" },
	{ "BEGIN /exit(0)/ { trace(1); }", "D_PRED_SCALAR", "" },
	{ "BEGIN { count(); }", "D_CG_EXPR",
	  "aggregating function count( ) may not be called" },
	{ "BEGIN { trace(strtok(NULL, \",\")); trace(strlen(execname)); }",
	  "ok", "" },
	/* associative arrays */
	{ "BEGIN { a[1, \"x\"] = 2; a[2, execname] = pid; trace(a[(char)1, \"y\"]); }",
	  "ok", "" },
	{ "BEGIN { a[1] = 2; a[1, 2] = 3; }", "D_PROTO_LEN",
	  "a[ ] prototype mismatch: 2 keys passed, 1 expected" },
	{ "int a[int, int]; BEGIN { a[1] = 2; }", "D_PROTO_LEN",
	  "a[ ] prototype mismatch: 1 key passed, 2 expected" },
	{ "int a[string]; BEGIN { a[1] = 2; }", "D_PROTO_ARG",
	  "a[ ] key #1 is incompatible with prototype:\n\tprototype: string\n\t      key: int" },
	{ "BEGIN { self->a[1] = 2; self->a[2]++; trace(self->a[3]); }", "ok",
	  "" },
	{ "BEGIN { trace(a[1]); }", "D_IDENT_UNDEF", "" },
	{ "BEGIN { this->a[1] = 2; }", "D_ARR_LOCAL",
	  "local variables may not be used as associative arrays: a" },
	{ "int x; BEGIN { x[1, 2] = 1; }", "D_ARR_BADREF",
	  "as an associative array" },
	{ "int a[4]; BEGIN { a[\"x\"] = 1; }", "D_ARR_BADREF",
	  "cannot access int [4] as an associative array" },
	{ "int a[4]; BEGIN { a[4] = 1; }", "D_ARR_BOUNDS",
	  "index outside array bounds: 4, max is 3" },
	{ "int a[4]; BEGIN { a[3] = 1; trace(a[pid]); }", "ok", "" },
	{ "int a[int]; BEGIN { @[a] = count(); }", "D_KEY_TYPE",
	  "associative array expression may not be used as aggregation index: key #1" },
	{ "BEGIN { @b = count(); a[@b] = 1; }", "D_KEY_TYPE",
	  "aggregation expression may not be used as associative array index: key #1" },
	{ "BEGIN { a[(void)1] = 1; }", "D_KEY_TYPE", "void expression" },
	{ "int a[int][4]; BEGIN { a[1][2] = 3; }", "ok", "" },
	/* aggregations */
	{ "BEGIN { @a[pid] = count(); @ = sum(1); @q[execname, stack()] = quantize(arg0); }",
	  "ok", "" },
	{ "BEGIN { @a = count(); @a = sum(1); }", "D_AGG_REDEF",
	  "aggregation redefined: @a\n\t current: @a = sum( )\n\tprevious: @a = count( ) : line 1" },
	{ "BEGIN { @a = 1; }", "D_AGG_FUNC",
	  "@a must be assigned the result of an aggregating function" },
	{ "BEGIN { @a = strlen(\"x\"); }", "D_AGG_FUNC", "" },
	{ "BEGIN { @a += 1; }", "D_AGG_FUNC", "" },
	{ "BEGIN { @a++; }", "D_AGG_FUNC", "" },
	{ "BEGIN { @a[1][2] = count(); }", "D_AGG_MDIM",
	  "improper attempt to reference @a as a multi-dimensional array" },
	{ "BEGIN { @a = count(); @a; }", "D_AGG_NULL",
	  "expression has null effect: @a" },
	{ "BEGIN { @a = sum(\"x\"); }", "D_AGG_SCALAR",
	  "sum( ) argument #1 must be of scalar type" },
	{ "BEGIN { @a[1] = count(); @a[\"x\"] = count(); }", "D_PROTO_ARG",
	  "@a[ ] key #1" },
	{ "BEGIN { @a[1] = count(); @a = count(); }", "D_PROTO_LEN",
	  "@a[ ] prototype mismatch: 0 keys passed, 1 expected" },
	{ "BEGIN { x[stack()] = 1; }", "D_KEY_TYPE", "" },
	/* args[] */
	{ "syscall::read:entry { trace(args[0] + args[2]); trace(args[1]); }",
	  "ok", "" },
	{ "syscall::read:entry { trace(args[3]); }", "D_ARGS_IDX",
	  "index 3 is out of range for syscall::read:entry args[ ]" },
	{ "syscall::read: { trace(args[0]); }", "D_ARGS_MULTI",
	  "args[ ] may not be referenced because probe description syscall::read: matches an unstable set of probes" },
	{ "syscall::read:entry, syscall::open:entry { x = args[0]; }",
	  "D_OP_INCOMPAT", "" },
	{ "syscall::read:entry, syscall::open:entry { trace(args[0]); }", "ok",
	  "" },
	{ "inline int first = args[0]; BEGIN { trace(first); }", "D_ARGS_NONE",
	  "args[ ] may not be referenced outside of a probe clause" },
	{ "syscall::read:entry { trace(args[pid]); }", "D_PROTO_ARG",
	  "prototype: integer constant" },
	{ "syscall::read:entry { trace(args[0, 1]); }", "D_PROTO_LEN",
	  "args[ ] prototype mismatch: 2 keys passed, 1 expected" },
	{ "struct req { int n; }; struct reqinfo { int count; }; disk:::start { trace(args[0]->count); }",
	  "D_ARGS_XLATOR",
	  "translator for args[0] from struct req * to struct reqinfo * is not defined" },
	{ "struct req { int n; }; struct reqinfo { int count; }; translator struct reqinfo <struct req *R> { count = R->n; }; disk::: { trace(args[0]->count); @[args[0]->count] = count(); }",
	  "ok", "" },
	{ "struct req { int n; }; struct reqinfo { int count; }; translator struct reqinfo <struct req *R> { count = R->n; }; disk::: { trace(args[0]); }",
	  "D_TRACE_DYN", "" },
	{ "struct req { int n; }; struct reqinfo { int count; }; translator struct reqinfo <struct req *R> { count = R->n; }; disk::: { trace(args[0]->nosuch); }",
	  "D_TYPE_MEMBER", "nosuch is not a member of struct reqinfo" },
	/* inlines */
	{ "inline int FOO = 5; inline string who = execname; inline int isme[pid_t p] = p == pid; BEGIN { trace(FOO + 1); trace(who); trace(isme[FOO]); }",
	  "ok", "" },
	{ "inline int FOO = 5; inline int FOO = 6;", "D_DECL_IDRED",
	  "identifier redefined: FOO\n\t current: inline definition" },
	{ "inline int FOO = \"x\";", "D_OP_INCOMPAT",
	  "inline FOO definition uses incompatible types: \"int\" = \"string\"" },
	{ "inline void FOO = 1;", "D_DECL_VOIDOBJ", "" },
	{ "inline int two[int a, int b] = a + b; BEGIN { trace(two[1]); }",
	  "D_PROTO_LEN",
	  "two[ ] prototype mismatch: 1 key passed, 2 expected" },
	{ "inline int two[int a] = a; BEGIN { trace(two); }", "D_IDENT_BADREF",
	  "" },
	{ "inline int FOO = 5; BEGIN { FOO = 1; }", "D_OP_LVAL", "" },
	{ "inline int me = me + 1;", "D_IDENT_UNDEF", "" },
	/* translators */
	{ "struct in { int v; }; struct outs { int w; }; translator struct outs < struct in *I > { w = I->v; }; translator struct outs < struct in *J > { w = J->v; };",
	  "D_XLATE_REDECL",
	  "translator from struct in * to struct outs has already been declared" },
	{ "struct in { int v; }; struct outs { int w, x; }; translator struct outs < struct in *I > { w = I->v; }; BEGIN { trace(xlate < struct outs * > ((struct in *)0)->x); }",
	  "D_XLATE_NOCONV",
	  "translator does not define conversion for member: x" },
	{ "struct in { int v; }; struct outs { int w; }; BEGIN { trace(xlate < struct outs * > ((struct in *)0)->w); }",
	  "D_XLATE_NONE",
	  "cannot translate from \"struct in *\" to \"struct outs *\"" },
	{ "translator int < int *I > { x = 1; };", "D_XLATE_SOU",
	  "translator output type must be a struct or union" },
	{ "struct in { int v; }; struct outs { string w; }; translator struct outs < struct in *I > { w = I->v; };",
	  "D_XLATE_INCOMPAT",
	  "translator member w definition uses incompatible types: \"string\" = \"int\"" },
	{ "struct in { int v; }; struct outs { int w; }; translator struct outs < struct in *I > { nosuch = I->v; };",
	  "D_XLATE_MEMB",
	  "translator member nosuch is not a member of struct outs" },
	{ "struct in { int v; }; struct outs { int w; }; translator struct outs < struct in *I > { w = I->v; }; BEGIN { xlate < struct outs * > ((struct in *)0); }",
	  "D_CG_DYN", "expression cannot evaluate to result of dynamic type" },
	{ "struct in { int v; }; struct outs { int w; }; translator struct outs < struct in *I > { w = I->v; }; BEGIN { x = 1; x = xlate < struct outs * > ((struct in *)0); }",
	  "D_CG_DYN", "" },
	{ "struct in { int v; }; struct outs { int w; }; translator struct outs < struct in *I > { w = I->v; }; BEGIN { x = xlate < struct outs > ((struct in *)0); trace(x.w); trace(xlate < struct outs > ((struct in *)0).w); }",
	  "ok", "" },
	{ "struct in { struct in *next; int v; }; struct outs { int w; }; translator struct outs < struct in *I > { w = I->v; }; inline struct outs *cur = xlate<struct outs *>((struct in *)0); BEGIN { trace(cur->w); trace(xlate<struct outs *>(((struct in *)0)->next)->w); }",
	  "ok", "" },
	/* providers */
	{ "provider p { probe q(int); probe q(int); };", "D_PROV_PRDUP",
	  "probe redeclared: p:q" },
	{ "provider p { probe q(int); }; provider p { probe q(string); };",
	  "D_PROV_INCOMPAT", "probe p:q input prototype mismatch" },
	{ "struct in { int v; }; struct outs { int w; }; provider p { probe q(struct in *a) : (struct outs *a); };",
	  "D_PROV_PRXLATOR",
	  "translator for p:q output argument #1 from struct in * to struct outs * is not defined" },
	/* synthetic ones */
	{ "provider p { probe q(int a, char *b) { o:f:entry /arg0 / 2 > 1/ { self->x = arg0; } o:f*:return, o:g:return { ; self->x++; fire(self->x, arg1); } }; probe r(void) { o:f:entry { fire(); } }; probe s(int); };",
	  "ok", "" },
	{ "provider p { probe q(int a) { o:f:entry { fire(); } }; };",
	  "D_PROTO_LEN",
	  "fire( ) prototype mismatch: 0 args passed, 1 expected by probe q" },
	{ "provider p { probe q(void) { o:f:entry { fire(1); } }; };",
	  "D_PROTO_LEN",
	  "fire( ) prototype mismatch: 1 arg passed, 0 expected by probe q" },
	{ "provider p { probe q(void) { f:entry { fire(); } }; };",
	  "D_PDESC_INVAL", "a synthetic probe is made of" },
	{ "provider p { probe q(void) { o:f:entry { fire(); } } };", "D_SYNTAX",
	  "syntax error near \"}\"" },
	{ "provider p { probe q(void) { o:f:entry { } }; };", "D_SYNTAX",
	  "probe q never fires" },
	/* declarations */
	{ "int x; string x;", "D_DECL_IDRED",
	  "identifier redeclared: x\n\t current: string\n\tprevious: int" },
	{ "int x; int x; self int x; this string x; BEGIN { x = 1; }", "ok",
	  "" },
	{ "int pid;", "D_DECL_IDRED", "identifier redeclared: pid" },
	{ "enum e { A, A };", "D_DECL_IDRED", "identifier redeclared: A" },
	/* probes and predicates */
	{ "nosuch:::probe { trace(1); }", "D_PDESC_ZERO",
	  "probe description nosuch:::probe does not match any probes" },
	{ "broken:::probe { trace(1); }", "D_PROC_BADPID",
	  "'broken' does not contain a valid pid" },
	{ "BEGIN /execname/ { trace(1); }", "D_PRED_SCALAR",
	  "predicate result must be of scalar type" },
	{ "BEGIN /execname == \"a\"/ { trace(1); }", "ok", "" },
	{ "BEGIN { if (pid == 1) { trace(1); } else trace(2); }", "ok", "" },
	{ "BEGIN { if (execname) trace(1); }", "D_PRED_SCALAR", "" },
	/* order of actions */
	{ "BEGIN { commit(1); commit(1); }", "D_COMM_COMM",
	  "commit( ) may not follow commit( )" },
	{ "BEGIN { trace(1); commit(1); }", "D_COMM_DREC",
	  "commit( ) may not follow data-recording action(s)" },
	{ "BEGIN { speculate(1); speculate(1); }", "D_SPEC_SPEC",
	  "speculate( ) may not follow speculate( )" },
	{ "BEGIN { commit(1); speculate(1); }", "D_SPEC_COMM",
	  "speculate( ) may not follow commit( )" },
	{ "BEGIN { trace(1); speculate(1); }", "D_SPEC_DREC",
	  "speculate( ) may not follow data-recording action(s)" },
	{ "BEGIN { commit(1); @a = count(); }", "D_AGG_COMM",
	  "aggregating actions may not follow commit( )" },
	{ "BEGIN { speculate(1); @a = count(); }", "D_AGG_SPEC",
	  "aggregating actions may not follow speculate( )" },
	{ "BEGIN { speculate(1); stop(); }", "D_ACT_SPEC",
	  "destructive actions may not follow speculate( )" },
	{ "BEGIN { speculate(1); exit(0); }", "D_EXIT_SPEC",
	  "exit( ) may not follow speculate( )" },
	{ "BEGIN { commit(1); trace(1); }", "D_DREC_COMM",
	  "data-recording actions may not follow commit( )" },
	{ "BEGIN { self->s = speculation(); speculate(self->s); trace(1); }",
	  "ok", "" },
	{ "BEGIN { if (pid) commit(1); else trace(1); }", "ok", "" },
	/* statements */
	{ "BEGIN { break; }", "D_LOOP_BREAK",
	  "break statement is not in a loop" },
	{ "BEGIN { for (;;) { } if (pid) { continue; } }", "D_LOOP_CONTINUE",
	  "continue statement is not in a loop" },
	{ "BEGIN { for (int i = 0, j = 1; i < j; i++, j--) trace(i); }", "ok",
	  "" },
	{ "BEGIN { for (int i = 0; i < 3; i++) { int i = 5; trace(i); } }",
	  "ok", "" },
	{ "BEGIN { for (int i = 0; i < 3; i++) ; trace(i); }", "D_IDENT_UNDEF",
	  "failed to resolve i: Unknown variable name" },
	{ "BEGIN { { int i = 0; } trace(i); }", "D_IDENT_UNDEF",
	  "failed to resolve i: Unknown variable name" },
	{ "BEGIN { int i = 0; { string i = \"s\"; i = \"t\"; } i = 2; }", "ok",
	  "" },
	{ "BEGIN { int pid = 3; pid = 4; }", "ok", "" },
	{ "BEGIN { do { this->x++; } while (this->x < 3); }", "ok", "" },
	{ "BEGIN { while (this->x < 3) this->x++; }", "ok", "" },
	{ "BEGIN { while (\"s\") ; }", "D_PRED_SCALAR",
	  "predicate result must be of scalar type" },
	{ "BEGIN { while (1) { commit(1); } }", "D_COMM_COMM",
	  "commit( ) may not follow commit( )" },
	{ "BEGIN { while (1) { if (pid) continue; commit(1); break; } }", "ok",
	  "" },
	{ "BEGIN { while (1) { commit(1); if (pid) continue; break; } }",
	  "D_COMM_COMM", "commit( ) may not follow commit( )" },
	{ "BEGIN { while (1) { if (pid) { trace(1); } } commit(1); }",
	  "D_COMM_DREC", "commit( ) may not follow data-recording action(s)" },
	{ "BEGIN { for (;;) { if (pid) { trace(1); break; } } commit(1); }",
	  "D_COMM_DREC", "commit( ) may not follow data-recording action(s)" },
	{ "BEGIN { speculate(1); while (pid) { trace(1); } }", "ok", "" },
	{ "BEGIN { speculate(1); while (pid) { @ = count(); } }", "D_AGG_SPEC",
	  "aggregating actions may not follow speculate( )" },
	/* libraries */
	{ "BEGIN { trace(EINTR); trace(NULL == 0); }", "ok", "" },
};

/* What lowering relies on: no names are left, every expression is typed. */
static void assert_checked(const struct node *node)
{
	for (; node; node = node->next) {
		if (node->kind == NODE_NAME || node->kind == NODE_SIZEOF ||
		    node->kind == NODE_OFFSETOF || node->kind == NODE_TYPE)
			fail_msg("a node of kind %d is left", node->kind);
		if (!node->type || !node->is_checked)
			fail_msg("a node of kind %d has no type", node->kind);
		switch (node->kind) {
		case NODE_VARIABLE:
		case NODE_AGGREGATION:
			assert_non_null(node->variable.ident);
			assert_checked(node->variable.keys);
			if (node->kind == NODE_AGGREGATION)
				assert_checked(node->variable.call);
			break;
		case NODE_CALL:
			assert_non_null(node->call.function);
			assert_checked(node->call.args);
			break;
		case NODE_UNARY:
		case NODE_STRINGOF:
			assert_checked(node->unary.operand);
			break;
		case NODE_BINARY:
			assert_checked(node->binary.left);
			assert_checked(node->binary.right);
			break;
		case NODE_TERNARY:
		case NODE_IF:
			assert_checked(node->ternary.condition);
			assert_checked(node->ternary.then);
			assert_checked(node->ternary.otherwise);
			break;
		case NODE_LOOP:
			assert_checked(node->loop.init);
			assert_checked(node->loop.condition);
			assert_checked(node->loop.step);
			assert_checked(node->loop.body);
			break;
		case NODE_BLOCK:
			assert_checked(node->block.statements);
			break;
		case NODE_DECLARE:
			assert_checked(node->declare.assignment);
			break;
		case NODE_MEMBER:
			assert_checked(node->member.object);
			break;
		case NODE_CAST:
		case NODE_XLATE:
			assert_checked(node->cast.operand);
			break;
		case NODE_LET:
			assert_checked(node->let.value);
			assert_checked(node->let.body);
			break;
		default:
			break;
		}
	}
}

static void assert_program_checked(const struct program *program)
{
	for (const struct clause *clause = program->clauses; clause;
	     clause = clause->next) {
		assert_checked(clause->predicate);
		assert_checked(clause->statements);
	}
}

static void test_programs(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct options options = test_options();
		struct probe_oracle oracle;
		struct world_context context;
		struct language *language = new_language(&options, &oracle,
							 &context);
		struct source source = { "test.d", cases[i].text,
					 strlen(cases[i].text), true };
		struct program *program = language_compile(language, &source,
							   SPEC_NONE);
		struct diag *diag = language_diag(language);
		const char *tag = program ? "ok" : tag_name(diag->tag);
		const char *message = program ? "" : diag->message;

		if (strcmp(tag, cases[i].tag) ||
		    !strstr(message, cases[i].words)) {
			print_error("%s\n  wanted %s: %s\n  got    %s: %s\n",
				    cases[i].text, cases[i].tag, cases[i].words,
				    tag, message);
			wrong++;
		}
		if (program)
			assert_program_checked(program);
		language_free(language);
		options_free(&options);
	}
	assert_int_equal(wrong, 0);
}

/* ------------------------------------------- constants and their types */

static const struct {
	const char *expression;
	int64_t value;
	const char *type;
} constants[] = {
	{ "1 + 2 * 3", 7, "int" },
	{ "(char)127 + (char)1", 128, "char" },
	{ "(unsigned char)255 + (char)1", 256, "unsigned char" },
	{ "1 << 31", 2147483648ll, "int" },
	{ "1 << 40", 1ll << 40, "int" },
	{ "(int)(1 << 40)", 0, "int" },
	{ "(1 << 63) - 1", INT64_MAX, "int" },
	{ "10 * 1000000000", 10000000000, "int" },
	{ "-1 == 4294967295u", 0, "int" },
	{ "1LL << 40", 1ll << 40, "long long" },
	{ "-1 < 1u", 0, "int" },
	{ "-1 < 1", 1, "int" },
	{ "-1 >> 1", -1, "int" },
	{ "0x8000000000000000 / -1", 0, "unsigned long" },
	{ "(int64_t)0x8000000000000000 / -1", INT64_MIN, "int64_t" },
	{ "(int64_t)0x8000000000000000 % -1", 0, "int64_t" },
	{ "-7 / 2", -3, "int" },
	{ "-7 % 2", -1, "int" },
	{ "~0", -1, "int" },
	{ "!5", 0, "int" },
	{ "1 ^^ 2", 0, "int" },
	{ "1 ? 2 : 3LL", 2, "int" },
	{ "0 ? 2 : 3LL", 3, "long long" },
	{ "0 && pid", 0, "int" },
	{ "2 || pid", 1, "int" },
	{ "sizeof (int)", 4, "size_t" },
	{ "sizeof (\"abc\")", 4, "size_t" },
	{ "(uint8_t)300", 44, "uint8_t" },
	{ "(int)(void *)-1", -1, "int" },
	{ "'a' + 0", 97, "int" },
};

static void test_constants(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++) {
		struct options options = test_options();
		struct probe_oracle oracle;
		struct world_context context;
		struct language *language = new_language(&options, &oracle,
							 &context);
		char text[200];

		snprintf(text, sizeof(text), "BEGIN { trace(%s); }",
			 constants[i].expression);
		struct source source = { "test.d", text, strlen(text), true };
		struct program *program = language_compile(language, &source,
							   SPEC_NONE);

		if (!program)
			fail_msg("%s: %s", text, language->diag.message);
		const struct node *node =
			program->clauses->statements->call.args;

		if (node->kind != NODE_INTEGER)
			fail_msg("%s: not folded", text);
		if ((int64_t)node->integer.value != constants[i].value)
			fail_msg("%s: %lld", text,
				 (long long)node->integer.value);
		assert_string_equal(type_name(language->types, node->type),
				    constants[i].type);
		language_free(language);
		options_free(&options);
	}
}

/* -------------------------------------------------------- did you mean */

static const struct {
	const char *text, *hint;
} hints[] = {
	{ "BEGIN { trace(excename); }", "did you mean execname?" },
	{ "BEGIN { prinft(\"x\"); }", "did you mean printf()?" },
	{ "struct p { int count; }; struct p v; BEGIN { trace(v.cuont); }",
	  "did you mean count?" },
	{ "BEGIN { self->start = 1; trace(self->strat); }",
	  "did you mean self->start?" },
};

static void test_hints(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		struct options options = test_options();
		struct probe_oracle oracle;
		struct world_context context;
		struct language *language = new_language(&options, &oracle,
							 &context);
		struct source source = { "test.d", hints[i].text,
					 strlen(hints[i].text), true };

		assert_null(language_compile(language, &source, SPEC_NONE));
		assert_non_null(language->diag.hint);
		assert_string_equal(language->diag.hint, hints[i].hint);
		language_free(language);
		options_free(&options);
	}
}

/* ------------------------------------- what a clause says about itself */

static const struct {
	const char *text;
	bool records, is_destructive;
	uint32_t nclauses;
} clauses[] = {
	{ "BEGIN { }", true, false, 1 },
	{ "BEGIN { x = 1; }", false, false, 1 },
	{ "BEGIN { @ = count(); }", false, false, 1 },
	{ "BEGIN { trace(1); }", true, false, 1 },
	{ "BEGIN { exit(0); }", true, false, 1 },
	{ "BEGIN { commit(1); }", false, false, 1 },
	{ "BEGIN { discard(1); }", false, false, 1 },
	{ "BEGIN { speculate(1); }", true, false, 1 },
	{ "BEGIN { if (pid) trace(1); }", true, false, 1 },
	{ "BEGIN { stop(); }", false, true, 1 },
	{ "BEGIN, END { trace(1); }", true, false, 1 },
	{ "syscall::read:entry, syscall::open:entry { trace(args[0]); }", true,
	  false, 2 },
};

static void test_clauses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(clauses) / sizeof(*clauses); i++) {
		struct options options = test_options();
		struct probe_oracle oracle;
		struct world_context context;
		struct language *language = new_language(&options, &oracle,
							 &context);
		struct source source = { "test.d", clauses[i].text,
					 strlen(clauses[i].text), true };
		struct program *program = language_compile(language, &source,
							   SPEC_NONE);

		if (!program)
			fail_msg("%s: %s", clauses[i].text,
				 language->diag.message);
		if (program->clauses->records != clauses[i].records)
			fail_msg("%s: records", clauses[i].text);
		if (program->clauses->is_destructive !=
		    clauses[i].is_destructive)
			fail_msg("%s: destructive", clauses[i].text);
		assert_int_equal(program->nclauses, clauses[i].nclauses);
		language_free(language);
		options_free(&options);
	}
}

/*
 * Constructs that illumos and Oracle refuse with different tags: where Oracle
 * refuses we follow it, where it accepts what is plainly wrong, illumos.
 */
static const struct {
	const char *text, *illumos, *oracle, *ours;
} profile[] = {
	{ "BEGIN { @a = count(); clear(@a, 1); }", "D_CLEAR_PROTO",
	  "D_PROTO_LEN", "D_PROTO_LEN" },
	{ "BEGIN { @a = count(); normalize(@a); }", "D_NORMALIZE_PROTO",
	  "D_PROTO_LEN", "D_PROTO_LEN" },
	{ "BEGIN { @a = count(); trunc(@a, 1, 2); }", "D_TRUNC_PROTO",
	  "D_PROTO_LEN", "D_PROTO_LEN" },
	{ "BEGIN { stack(1, 2); }", "D_STACK_PROTO", "D_PROTO_LEN",
	  "D_PROTO_LEN" },
	{ "BEGIN { ustack(1, 2, 3); }", "D_USTACK_PROTO", "D_PROTO_LEN",
	  "D_PROTO_LEN" },
	{ "BEGIN { @a = count(); normalize(@a, \"x\"); }", "D_NORMALIZE_SCALAR",
	  "D_PROTO_ARG", "D_PROTO_ARG" },
	{ "BEGIN { @a = count(); trunc(@a, \"x\"); }", "D_TRUNC_SCALAR",
	  "D_PROTO_ARG", "D_PROTO_ARG" },
	{ "BEGIN { stack(\"x\"); }", "D_STACK_SIZE", "D_PROTO_ARG",
	  "D_PROTO_ARG" },
	{ "BEGIN { ustack(1, \"x\"); }", "D_USTACK_STRSIZE", "D_PROTO_ARG",
	  "D_PROTO_ARG" },
	{ "BEGIN { @a = count(); print(@a); }", "D_PRINT_AGG", "D_PROTO_ARG",
	  "D_PROTO_ARG" },
	{ "BEGIN { printf(1); }", "D_PRINTF_ARG_FMT", "D_PROTO_ARG",
	  "D_PROTO_ARG" },
	{ "BEGIN { @a = count(); trace(@a); }", "D_TRACE_AGG", "D_TRACE_DYN",
	  "D_TRACE_DYN" },
	{ "BEGIN { commit(1); commit(1); }", "D_COMM_COMM", "ok",
	  "D_COMM_COMM" },
	{ "BEGIN { @a = llquantize(1, 1, 0, 3, 10); }", "D_LLQUANT_FACTORSMALL",
	  "D_LLQUANT_FACTORVAL", "D_LLQUANT_FACTORVAL" },
	{ "short short x;", "D_DECL_COMBO", "ok", "D_DECL_COMBO" },
	{ "BEGIN { trace(sizeof (struct nosuch)); }", "D_SIZEOF_TYPE", "ok",
	  "D_SIZEOF_TYPE" },
	{ "struct i { int v; }; struct o { int w; }; translator struct o < struct i *I > { w = I->v; }; BEGIN { xlate < struct o * > ((struct i *)0); }",
	  "D_CG_DYN", "ok", "D_CG_DYN" },
};

static void test_profile(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(profile) / sizeof(*profile); i++) {
		struct options options = test_options();
		struct probe_oracle oracle;
		struct world_context context;
		struct language *language = new_language(&options, &oracle,
							 &context);
		struct source source = { "test.d", profile[i].text,
					 strlen(profile[i].text), true };
		struct program *program = language_compile(language, &source,
							   SPEC_NONE);
		const char *tag = program ? "ok" : tag_name(language->diag.tag);

		if (strcmp(tag, profile[i].ours))
			fail_msg("%s: %s, not %s", profile[i].text, tag,
				 profile[i].ours);
		language_free(language);
		options_free(&options);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_hints),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
