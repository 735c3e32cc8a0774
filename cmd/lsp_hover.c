/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hover: what the word under the cursor is.
 *
 * A name is shown as D would declare it, with its type; a description of probes with
 * the number of those that match and the arguments of the first, as `dtrace -lv` has
 * them.
 */
#include "cmd/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct hover {
	const struct document *document;
	dtrace_hdl_t *dtp;
	FILE *out;
	json_t *range;
	size_t from, to; /* of the macro at the cursor */
};

/* Names come from the kernel and from programs: they must stay in the block. */
static void put_code(FILE *out, const char *code)
{
	fputs("```d\n", out);
	for (; *code; code++)
		fputc(*code == '`' && code[1] == '`' ? '\'' : *code, out);
	fputs("\n```\n", out);
}

/* --------------------------------------------------------------- probes */

struct matches {
	dtrace_probedesc_t first;
	unsigned count;
};

static int see_probe(dtrace_hdl_t *dtp, const dtrace_probedesc_t *probe,
		     void *arg)
{
	struct matches *matches = arg;

	(void)dtp;
	if (!matches->count++)
		matches->first = *probe;
	return 0;
}

static void put_arguments(struct hover *hover, const dtrace_probedesc_t *probe)
{
	dtrace_probeinfo_t info;
	char *text = NULL;
	size_t size;
	FILE *code;

	if (dtrace_probe_info(hover->dtp, probe, &info))
		return;
	if (!info.dtp_argc) {
		fputs("\nno typed arguments\n", hover->out);
		return;
	}
	code = open_memstream(&text, &size);
	if (!code)
		return;
	for (int i = 0; i < info.dtp_argc; i++)
		fprintf(code, "%sargs[%d]: %s", i ? "\n" : "", i,
			info.dtp_argv[i].dtt_name);
	fclose(code);
	fputc('\n', hover->out);
	put_code(hover->out, text);
	free(text);
}

static void put_probes(struct hover *hover, const char *description)
{
	char name[DTRACE_FULLNAMELEN];
	struct matches matches = { 0 };
	dtrace_probedesc_t wanted;

	put_code(hover->out, description);
	if (strchr(description, '$')) {
		fputs("\nits probes are known when it runs\n", hover->out);
		return;
	}
	if (dtrace_str2desc(hover->dtp, DTRACE_PROBESPEC_NAME, description,
			    &wanted))
		return;
	dtrace_probe_iter(hover->dtp, &wanted, see_probe, &matches);
	if (!matches.count) {
		const char *problem = dtrace_privilege_ext(hover->dtp);

		fprintf(hover->out, "\nno probe matches here%s\n",
			problem ? ", as far as this user can see" : "");
		return;
	}
	dtrace_desc2str(&matches.first, name, sizeof(name));
	if (matches.count == 1)
		fprintf(hover->out, "\n1 probe: `%s`\n", name);
	else
		fprintf(hover->out, "\n%u probes, the first is `%s`\n",
			matches.count, name);
	put_arguments(hover, &matches.first);
}

/* ---------------------------------------------------------------- names */

static void put_name(void *arg, const dtrace_name_ext_t *name)
{
	struct hover *hover = arg;
	const dtrace_place_ext_t *place = &name->dtnm_place;
	bool is_built_in = name->dtnm_kind == DTRACE_NAME_BUILTIN ||
			   name->dtnm_kind == DTRACE_NAME_FUNCTION ||
			   name->dtnm_kind == DTRACE_NAME_INLINE;
	const char *text = is_built_in && !name->dtnm_defined.dtpl_line
				   ? about(name->dtnm_name)
				   : NULL;

	hover->range = range_of_place(hover->document, place);
	if (name->dtnm_kind == DTRACE_NAME_PROBE) {
		/* as written: macros in it have no value yet */
		size_t at = line_start(hover->document, place->dtpl_line) +
			    place->dtpl_column;
		char *description = strndup(hover->document->text + at,
					    place->dtpl_length);

		put_probes(hover, description ? description : "");
		free(description);
		return;
	}
	put_code(hover->out, name->dtnm_declaration);
	if (name->dtnm_of)
		fprintf(hover->out, "\nmember of `%s`\n", name->dtnm_of);
	else if (name->dtnm_kind == DTRACE_NAME_SYMBOL)
		fputs("\nvariable of the kernel\n", hover->out);
	else if (text)
		fprintf(hover->out, "\n%s\n", text);
}

static int put_parameter(dtrace_hdl_t *dtp, const dtrace_param_ext_t *param,
			 void *arg)
{
	struct hover *hover = arg;
	const char *word = hover->document->text + hover->from + 1;
	const char *quote = strcmp(param->dtpa_type, "string") ? "" : "\"";
	const char *value = param->dtpa_default;
	char *code = NULL;

	(void)dtp;
	if (strlen(param->dtpa_name) != hover->to - hover->from - 1 ||
	    strncmp(word, param->dtpa_name, hover->to - hover->from - 1) != 0)
		return 0;
	if (asprintf(&code, "%s $%s%s%s%s%s", param->dtpa_type,
		     param->dtpa_name, value ? " = " : "", value ? quote : "",
		     value ? value : "", value ? quote : "") < 0)
		return 1;
	put_code(hover->out, code);
	free(code);
	fprintf(hover->out, "\n%s: %s\n",
		param->dtpa_is_operand ? "operand" : "parameter",
		param->dtpa_help);
	return 1;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* $target, $1, $every; false: there is none at the cursor. */
static bool find_macro(struct hover *hover, size_t offset)
{
	const char *text = hover->document->text;
	size_t from = offset, to = offset;

	while (from && is_word(text[from - 1]))
		from--;
	while (is_word(text[to]))
		to++;
	if (from && text[from - 1] == '$')
		from--;
	else if (text[from] != '$')
		return false;
	for (to = from + 1; is_word(text[to]);)
		to++;
	hover->from = from;
	hover->to = to;
	return to > from + 1;
}

static void put_macro(struct hover *hover)
{
	char *name = strndup(hover->document->text + hover->from,
			     hover->to - hover->from);
	const char *text = name ? about(name) : NULL;

	hover->range = range_of(hover->document, hover->from, hover->to);
	if (!dtrace_param_iter_ext(hover->dtp, put_parameter, hover) && text) {
		put_code(hover->out, name);
		fprintf(hover->out, "\n%s\n", text);
	}
	free(name);
}

/* -------------------------------------------------------------- options */

/* #pragma D option NAME */
static bool put_option(struct hover *hover, size_t offset)
{
	const char *text = hover->document->text;
	size_t from = offset, start = offset, to = offset;
	static const char head[] = "#pragma D option ";

	while (from && is_word(text[from - 1]))
		from--;
	while (is_word(text[to]))
		to++;
	while (start && text[start - 1] != '\n')
		start--;
	if (from - start < sizeof(head) - 1 ||
	    strncmp(text + start, head, sizeof(head) - 1) != 0 || to == from)
		return false;
	char *name = strndup(text + from, to - from);
	char *expects = name ? dtrace_optexpects_ext(name) : NULL;

	if (expects) {
		hover->range = range_of(hover->document, from, to);
		fprintf(hover->out, "option `%s`: %s\n", name, expects);
	}
	free(expects);
	free(name);
	return expects;
}

json_t *answer_hover(const struct document *document, size_t offset)
{
	struct hover hover = { .document = document };
	char *text = NULL;
	size_t size;
	json_t *answer;

	hover.dtp = program_open(document, NULL);
	hover.out = hover.dtp ? open_memstream(&text, &size) : NULL;
	if (!hover.out) {
		dtrace_close(hover.dtp);
		return json_null();
	}
	if (!put_option(&hover, offset)) {
		bool is_macro = find_macro(&hover, offset);

		program_inspect(hover.dtp, document, offset,
				(dtrace_inspect_ext_t){ .dtin_find = put_name,
							.dtin_arg = &hover });
		/* in a description it is the macro that is pointed at */
		if (is_macro) {
			rewind(hover.out);
			json_decref(hover.range);
			put_macro(&hover);
		}
	}
	dtrace_close(hover.dtp);
	fclose(hover.out);
	if (text && *text && hover.range) {
		answer = json_pack("{s:{s:s, s:o}, s:O}", "contents", "kind",
				   "markdown", "value", json_text(text),
				   "range", hover.range);
	} else {
		answer = json_null();
	}
	json_decref(hover.range);
	free(text);
	return answer;
}
