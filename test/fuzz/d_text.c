/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes as a D program.
 *
 * The first byte chooses how the text is taken (enum how), the rest is the text.
 * No kernel is needed: the compiler runs against a handful of made-up probes,
 * and d_program.c takes what it accepts through the back half.  Whatever comes,
 * it must end with code or with one error, and leave no memory behind.
 */
#include <stdint.h>
#include <string.h>

#include "builtin/builtin.h"
#include "d_program.h"
#include "lang/script_parameter.h"

enum { WORDS = 16, CLAUSES = 64 };

enum { PROBE_BEGIN, PROBE_END, PROBE_ERROR, PROBE_READ, PROBES };

static const struct probe_info probes[PROBES] = {
	{ .id = 1, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN" },
	{ .id = 2, .provider = "dtrace", .module = "", .function = "", .name = "END" },
	{ .id = 3, .provider = "dtrace", .module = "", .function = "", .name = "ERROR" },
	{ .id = 20, .provider = "syscall", .module = "vmlinux", .function = "read", .name = "entry" },
};

static bool field_matches(const char *pattern, const char *text)
{
	return !*pattern || !strcmp(pattern, "*") || !strcmp(pattern, text);
}

static bool matches(const struct probe_desc *desc,
		    const struct probe_info *probe)
{
	if (desc->id)
		return desc->id == probe->id;
	return field_matches(desc->provider, probe->provider) &&
	       field_matches(desc->module, probe->module) &&
	       field_matches(desc->function, probe->function) &&
	       field_matches(desc->name, probe->name);
}

static int match(void *context, const struct probe_desc *desc,
		 bool (*visit)(void *, const struct probe_info *), void *data,
		 struct probe_error *error)
{
	int count = 0;

	(void)context;
	(void)error;
	for (size_t i = 0; i < PROBES; i++) {
		const struct probe_info *probe = &probes[i];

		if (!matches(desc, probe))
			continue;
		count++;
		if (!visit(data, probe))
			break;
	}
	return count;
}

static int argument(void *context, const struct probe_info *probe, uint32_t n,
		    struct type **native, struct type **translated,
		    uint32_t *mapping)
{
	struct language *language = *(struct language **)context;

	if (probe->id != 20)
		return -1;
	if (n > 2)
		return 0;
	*native = *translated =
		language_parse_type(language, n == 1 ? "char *" : "size_t");
	*mapping = n;
	return 1;
}

static bool has_any(void *context, const char *name)
{
	(void)context;
	return !strcmp(name, "syscall") || !strcmp(name, "vmlinux");
}

static int symbol(void *context, const char *module, const char *name,
		  uint64_t *address, uint64_t *size)
{
	(void)context;
	(void)module;
	*address = 0xffffffff81000000;
	*size = 8;
	return !strcmp(name, "jiffies");
}

/* ------------------------------------------------------------------ input */

struct trial {
	struct options options;
	struct language *language;
	struct probe_oracle oracle;
	struct source source;
	char *words[WORDS + 1]; /* of the command line */
	int nwords;
	unsigned how;
};

/* The first line as the words behind "dtrace"; they are cut off the text. */
static void take_words(struct trial *t)
{
	char *text = arena_strndup(language_arena(t->language), t->source.text,
				   t->source.length);
	size_t length = strcspn(text, "\n");
	bool has_end = text[length] == '\n';

	text[length] = '\0';
	for (char *word = strtok(text, " "); word && t->nwords < WORDS;
	     word = strtok(NULL, " "))
		t->words[t->nwords++] = word;
	length += has_end;
	t->source.text += length;
	t->source.length -= length;
}

static void start(struct trial *t, const uint8_t *bytes, size_t size)
{
	static const struct probe_oracle oracle = {
		.match = match, .argument = argument,
		.has_provider = has_any, .has_module = has_any,
		.symbol = symbol,
	};

	memset(t, 0, sizeof(*t));
	t->how = bytes[0];
	t->oracle = oracle;
	t->oracle.context = &t->language;
	options_init(&t->options);
	/* Never start a preprocessor from fuzzed pragmas. */
	t->language = language_new(&(struct language_config){
		.options = &t->options,
		.registry = builtin_registry(),
		.oracle = &t->oracle,
		.target = 42,
	});
	if (!(t->how & HOW_KERNEL))
		types_without_kernel(language_types(t->language));
	char *text = arena_strndup(language_arena(t->language),
				   (const char *)bytes + 1, size - 1);

	t->source = (struct source){
		.name = "fuzz.d",
		.text = text,
		.length = size - 1,
		.is_file = (t->how & HOW_SPEC) % 6 == SPEC_NONE,
	};
	t->words[t->nwords++] = "dtrace";
	if (t->how & HOW_WORDS) {
		take_words(t);
	} else {
		t->words[t->nwords++] = "10";
		t->words[t->nwords++] = "word";
		t->words[t->nwords++] = "\"two words\"";
	}
}

/* ------------------------------------------------------------- the compiler */

/* Parameters get their values from the words; false: an error. */
static bool prepare(struct trial *t, struct text *out)
{
	const struct source *source = language_prepare(t->language, &t->source);
	struct text hint = { 0 };

	if (!source)
		return false;
	t->source = *source;

	enum script_verdict verdict = script_parameters_parse(t->language,
							      &t->nwords,
							      t->words, out,
							      &hint);

	text_free(&hint);
	if (verdict == SCRIPT_HELP)
		script_parameters_help(t->language, "fuzz.d", out);
	/* wrong words: values that are missing are missed later */
	language_set_args(t->language, (const char *const *)t->words,
			  (uint32_t)t->nwords);
	return true;
}

static bool is_of_probe(const struct clause *clause,
			const struct probe_info *probe)
{
	for (const struct probe_desc *desc = clause->descs; desc;
	     desc = desc->next)
		if (matches(desc, probe))
			return true;
	return false;
}

static uint32_t clauses_of(const struct program *program,
			   const struct probe_info *probe,
			   const struct clause **clauses)
{
	uint32_t count = 0;

	for (const struct clause *clause = program->clauses; clause;
	     clause = clause->next)
		if (count < CLAUSES && is_of_probe(clause, probe))
			clauses[count++] = clause;
	return count;
}

static void try_groups(struct trial *t, const struct program *program)
{
	const struct clause *clauses[CLAUSES], *errors[CLAUSES];
	struct lower_session session;
	struct d_group group = {
		.session = &session, .options = &t->options,
		.clauses = clauses, .errors = errors, .how = t->how,
	};

	d_session_start(&session, t->language);
	group.nerrors = clauses_of(program, &probes[PROBE_ERROR], errors);
	for (size_t i = 0; i < PROBES; i++) {
		group.probe = &probes[i];
		group.nclauses = clauses_of(program, group.probe, clauses);
		if (i != PROBE_ERROR && group.nclauses)
			d_group_try(&group);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct trial t;
	struct text out = { 0 };

	if (!size)
		return 0;
	start(&t, bytes, size);

	struct program *program =
		prepare(&t, &out) ? language_compile(t.language, &t.source,
						     (t.how & HOW_SPEC) % 6)
				  : NULL;

	if (program)
		tree_print_program(language_types(t.language), program, &out);
	else
		diag_print_excerpt(language_diag(t.language), &out);
	text_free(&out);
	if (program)
		try_groups(&t, program);
	language_free(t.language);
	options_free(&t.options);
	return 0;
}
