/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtrace -h: the header that a program includes to have probes.
 *
 * For `provider myapp { probe req__start(int, char *); }` there are
 *
 *	MYAPP_REQ_START(a0, a1)		the probe
 *	MYAPP_REQ_START_ENABLED()	is it traced?
 *
 * 1. The header needs no other file.  It begins with site.h, whole.
 * 2. Arguments have the declared types: the note says so, and the macro
 *    converts them as a call of a function would.  Names that only the C
 *    compiler knows (gboolean) are left to it: see _DTRACE_TYPEOF.
 * 3. Builds edit the result with sed: PostgreSQL turns POSTGRESQL_ into
 *    TRACE_POSTGRESQL_, Ruby looks for PROBES_H_TMP, the guard, Python renames
 *    only the first name of a line.  So a macro's name is the first thing in
 *    its line and appears there once, and guards come from the name of the
 *    file.
 * 4. The macro is an expression: it can be used wherever a call can.
 */
#include "usdt/usdt.h"

#include <ctype.h>
#include <string.h>

#include "btf/type.h"

/* How an argument is passed. */
struct argument {
	enum { BY_INTEGER, BY_POINTER, BY_FLOAT, BY_COMPILER } how;
	const char *type; /* of C */
	const char *size; /* C: a string constant for the note */
};

static const struct argument integers[] = {
	{ BY_INTEGER, "unsigned char", "\"1\"" },
	{ BY_INTEGER, "signed char", "\"-1\"" },
	{ BY_INTEGER, "unsigned short", "\"2\"" },
	{ BY_INTEGER, "short", "\"-2\"" },
	{ BY_INTEGER, "unsigned int", "\"4\"" },
	{ BY_INTEGER, "int", "\"-4\"" },
	{ BY_INTEGER, "unsigned long long", "\"8\"" },
	{ BY_INTEGER, "long long", "\"-8\"" },
};

/* As long as a register, whatever that is. */
static const struct argument words[] = {
	{ BY_INTEGER, "unsigned long", "_DTRACE_WORD" },
	{ BY_INTEGER, "long", "\"-\" _DTRACE_WORD" },
};

static const struct argument pointer = {
	BY_POINTER, "const void *", "_DTRACE_WORD"
};
static const struct argument floats[] = {
	{ BY_FLOAT, "float", "\"4f\"" },
	{ BY_FLOAT, "double", "\"8f\"" },
};
static const struct argument compiler = { BY_COMPILER, NULL, NULL };

/* long, and types derived from it: the C compiler's word. */
static bool is_word(struct types *types, struct type *type)
{
	return type_same(types, type, types_base(types, BASE_LONG)) ||
	       type_same(types, type, types_base(types, BASE_ULONG));
}

/* In D, dev_t is the kernel's, half the size of the C library's. */
static bool is_device(const struct type *type)
{
	while (type->kind == TYPE_CONST || type->kind == TYPE_VOLATILE)
		type = type->target;
	return type->kind == TYPE_TYPEDEF && !strcmp(type->name, "dev_t");
}

static struct argument argument_of(struct types *types, struct type *type)
{
	static const uint8_t rows[] = { [1] = 0, [2] = 2, [4] = 4, [8] = 6 };
	struct type *plain = type_strip(types, type);
	uint64_t size = type_size(types, plain);

	if (type_is_pointer(types, plain) || plain->kind == TYPE_STRING ||
	    plain->kind == TYPE_FUNCTION)
		return pointer;
	if (type_is_float(types, plain))
		return size == 4 ? floats[0] : floats[1];
	if (!type_is_integer(types, plain) || size > 8 || size == 0 ||
	    (size & (size - 1)))
		return compiler;
	bool is_signed = type_is_signed(types, plain);

	if (is_device(type))
		return words[0];
	return is_word(types, plain) ? words[is_signed]
				     : integers[rows[size] + is_signed];
}

/* ------------------------------------------------------------------ names */

void usdt_put_name(struct text *out, const char *name)
{
	for (; *name; name++)
		text_puts(out,
			  *name == '-' ? "__" : (const char[]){ *name, '\0' });
}

void usdt_put_semaphore(struct text *out, const char *provider,
			const char *probe)
{
	text_printf(out, "%s_", provider);
	usdt_put_name(out, probe);
	text_puts(out, "_semaphore");
}

/* Upper case; characters that identifiers cannot have become underscores. */
static void put_upper(struct text *out, const char *name)
{
	for (; *name; name++)
		text_putc(out, isalnum((unsigned char)*name)
				       ? (char)toupper((unsigned char)*name)
				       : '_');
}

static void put_guard(struct text *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	text_putc(out, '_');
	put_upper(out, slash ? slash + 1 : path);
}

static void put_macro(struct text *out, const char *provider,
		      const struct provider_probe *probe)
{
	put_upper(out, provider);
	text_putc(out, '_');
	put_upper(out, probe->name);
}

/* (a0, a1) */
static void put_parameters(struct text *out, uint32_t count)
{
	text_putc(out, '(');
	for (uint32_t i = 0; i < count; i++)
		text_printf(out, "%sa%u", i ? ", " : "", i);
	text_putc(out, ')');
}

/* -------------------------------------------------------------- the probe */

/* int _d0 = ... */
static void put_variable(struct text *out, const struct argument *argument,
			 uint32_t i)
{
	switch (argument->how) {
	case BY_INTEGER:
		/* through long, in case a pointer is passed */
		text_printf(out, "\t%s _d%u = (%s)%s(a%u); \\\n",
			    argument->type, i, argument->type,
			    strstr(argument->type, "long") ? "" : "(long)", i);
		break;
	case BY_POINTER:
	case BY_FLOAT:
		text_printf(out, "\t%s%s_d%u = (%s)(a%u); \\\n", argument->type,
			    argument->how == BY_POINTER ? "" : " ", i,
			    argument->type, i);
		break;
	case BY_COMPILER:
		text_printf(
			out,
			"\t_DTRACE_TYPEOF(a%u) _d%u = (_DTRACE_TYPEOF(a%u))(a%u); \\\n",
			i, i, i, i);
		break;
	}
}

/* More operands in registers than exist is a compile error. */
enum { FEW_ARGUMENTS = 8 };

static void put_preparation(struct text *out, const struct argument *argument,
			    uint32_t i, uint32_t count)
{
	if (argument->how == BY_POINTER)
		text_printf(out, "\t_DTRACE_STORE(_d%u); \\\n", i);
	if (argument->how == BY_COMPILER)
		text_printf(out, "\t_DTRACE_STORE_ANY(_d%u); \\\n", i);
	if (argument->how != BY_FLOAT && count > FEW_ARGUMENTS)
		text_printf(out, "\t_DTRACE_HOLD(_d%u); \\\n", i);
}

/* "-4@%[d0] 8@%[d1]" as the concatenation of string constants */
static void put_note_arguments(struct text *out,
			       const struct argument *arguments, uint32_t count)
{
	if (!count)
		text_puts(out, "\"\"");
	for (uint32_t i = 0; i < count; i++) {
		const char *blank = i ? "\" \" " : "";

		if (i)
			text_putc(out, ' ');
		if (arguments[i].how == BY_COMPILER)
			text_printf(out, "%s\"%%c[s%u]@%%[d%u]\"", blank, i, i);
		else
			text_printf(out, "%s%s \"@%%[d%u]\"", blank,
				    arguments[i].size, i);
	}
}

static void put_operands(struct text *out, const struct argument *arguments,
			 uint32_t count)
{
	const char *place = count > FEW_ARGUMENTS ? "_DTRACE_MANY"
						  : "_DTRACE_FEW";

	for (uint32_t i = 0; i < count; i++) {
		bool is_float = arguments[i].how == BY_FLOAT;

		text_printf(out, "%s \\\n\t\t[d%u] %s(_d%u)", i ? "," : "", i,
			    is_float ? "_DTRACE_FLOAT" : place, i);
		if (arguments[i].how == BY_COMPILER)
			text_printf(
				out,
				", \\\n\t\t[s%u] \"i\"(_DTRACE_SIZE(__typeof__(_d%u)))",
				i, i);
	}
}

static void put_probe_macro(struct text *out, struct types *types,
			    const char *provider,
			    const struct provider_probe *probe)
{
	struct argument arguments[USDT_MAX_ARGUMENTS];
	uint32_t count = probe->nnative;

	for (uint32_t i = 0; i < count; i++)
		arguments[i] = argument_of(types, probe->native[i]);
	text_puts(out, "#define ");
	put_macro(out, provider, probe);
	put_parameters(out, count);
	text_puts(out, " __extension__({ \\\n");
	for (uint32_t i = 0; i < count; i++)
		put_variable(out, &arguments[i], i);
	for (uint32_t i = 0; i < count; i++)
		put_preparation(out, &arguments[i], i, count);
	text_printf(out, "\t__asm__ __volatile__(_DTRACE_SITE_TEXT(\"%s\", \"",
		    provider);
	usdt_put_name(out, probe->name);
	text_puts(out, "\", \\\n\t\t\"");
	usdt_put_semaphore(out, provider, probe->name);
	text_puts(out, "\", \\\n\t\t");
	put_note_arguments(out, arguments, count);
	text_puts(out, ") : :");
	put_operands(out, arguments, count);
	text_puts(out, "); \\\n})\n");
}

static void put_comment(struct text *out, struct types *types,
			const char *provider,
			const struct provider_probe *probe)
{
	text_printf(out, "\n/* %s:::%s(", provider, probe->name);
	for (uint32_t i = 0; i < probe->nnative; i++) {
		const char *name = probe->native_names ? probe->native_names[i]
						       : NULL;

		text_puts(out, i ? ", " : "");
		type_print_declaration(types, probe->native[i],
				       name ? name : "", out);
	}
	text_puts(out, ") */\n");
}

static void put_probe(struct text *out, struct types *types,
		      const char *provider, const struct provider_probe *probe)
{
	put_comment(out, types, provider, probe);
	text_puts(out, "_DTRACE_SEMAPHORE(");
	usdt_put_semaphore(out, provider, probe->name);
	text_puts(out, ");\n");
	put_probe_macro(out, types, provider, probe);
	text_puts(out, "#define ");
	put_macro(out, provider, probe);
	text_puts(out, "_ENABLED() _DTRACE_ENABLED(");
	usdt_put_semaphore(out, provider, probe->name);
	text_puts(out, ")\n");
}

/* Without probes the arguments are not even evaluated. */
static void put_nothing(struct text *out, const char *provider,
			const struct provider_probe *probe)
{
	text_puts(out, "#define ");
	put_macro(out, provider, probe);
	put_parameters(out, probe->nnative);
	text_puts(out, " ((void)0)\n#define ");
	put_macro(out, provider, probe);
	text_puts(out, "_ENABLED() (0)\n");
}

/* ------------------------------------------------------------- the header */

static bool check(const struct provider_decl *provider, struct text *error)
{
	for (const struct provider_probe *probe = provider->probes; probe;
	     probe = probe->next) {
		if (probe->nnative <= USDT_MAX_ARGUMENTS)
			continue;
		text_printf(
			error,
			"probe %s:%s has %u arguments; a compiler lets an asm statement have %d",
			provider->name, probe->name, probe->nnative,
			USDT_MAX_ARGUMENTS);
		return false;
	}
	return true;
}

static void put_providers(struct text *out, struct types *types,
			  struct program *const *programs, uint32_t count,
			  bool is_traced)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct provider_decl *provider = programs[i]->providers;

		for (; provider; provider = provider->next) {
			const struct provider_probe *probe = provider->probes;

			for (; probe; probe = probe->next) {
				if (is_traced)
					put_probe(out, types, provider->name,
						  probe);
				else
					put_nothing(out, provider->name, probe);
			}
		}
	}
}

bool usdt_header(struct types *types, struct program *const *programs,
		 uint32_t nprograms, const char *path, struct text *out,
		 struct text *error)
{
	for (uint32_t i = 0; i < nprograms; i++) {
		const struct provider_decl *provider = programs[i]->providers;

		for (; provider; provider = provider->next) {
			if (!check(provider, error))
				return false;
		}
	}
	text_puts(out, "/* Generated by dtrace(8) -h. */\n\n#ifndef ");
	put_guard(out, path);
	text_puts(out, "\n#define ");
	put_guard(out, path);
	text_puts(
		out,
		"\n\n"
		"/* Compile with -D_DTRACE_VERSION=0 to have no probes at all. */\n"
		"#if !defined(_DTRACE_VERSION) && defined(__GNUC__) && !defined(__ASSEMBLER__)\n"
		"#define _DTRACE_VERSION 1\n"
		"#endif\n\n"
		"#if _DTRACE_VERSION\n\n");
	text_puts(out, usdt_site_text);
	text_puts(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
	put_providers(out, types, programs, nprograms, true);
	text_puts(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#else\n\n");
	put_providers(out, types, programs, nprograms, false);
	text_puts(out, "\n#endif /* _DTRACE_VERSION */\n\n#endif\n");
	return true;
}
