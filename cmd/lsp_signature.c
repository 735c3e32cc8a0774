/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signature help: the prototype of the function whose call is being typed.
 *
 * The call is not complete, so the compiler cannot read it: it is asked about a
 * complete one, in a clause of its own behind the text.
 */
#include "cmd/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct call {
	size_t from, to; /* of the name */
	int commas;	 /* before the cursor */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Backwards from the cursor to the parenthesis that is open there. */
static bool find_call(const char *text, size_t at, struct call *call)
{
	int depth = 0;

	for (; at; at--) {
		char c = text[at - 1];

		if (c == ';' || c == '{' || c == '}')
			return false;
		if (c ==
		    '"') { /* a string ends here, or the cursor is in one */
			size_t start = at - 1;

			while (start && text[start - 1] != '"' &&
			       text[start - 1] != '\n')
				start--;
			if (start && text[start - 1] == '"')
				at = start;
			continue;
		}
		depth += c == ')' || c == ']';
		if (c == ',' && !depth)
			call->commas++;
		if ((c == '(' || c == '[') && depth-- == 0)
			break;
	}
	if (!at || text[at - 1] != '(')
		return false;
	at--;
	while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	call->to = call->from = at;
	while (call->from && is_word(text[call->from - 1]))
		call->from--;
	return call->from < call->to;
}

/* Each parameter as its offsets in the label, which is ASCII. */
static json_t *parameters_of(const char *label)
{
	const char *p = strchr(label, '(');
	json_t *list = json_array();
	int depth = 0;

	for (const char *start = p ? p + 1 : NULL; p && *p; p++) {
		bool is_end = (*p == ')' && depth == 1) ||
			      (*p == ',' && depth == 1);

		depth += (*p == '(') - (*p == ')');
		if (!is_end)
			continue;
		while (*start == ' ')
			start++;
		if (p > start)
			json_array_append_new(
				list, json_pack("{s:[I, I]}", "label",
						(json_int_t)(start - label),
						(json_int_t)(p - label)));
		start = p + 1;
	}
	return list;
}

static void sign(void *arg, const dtrace_name_ext_t *name)
{
	json_t **answer = arg;
	const char *text = name->dtnm_kind == DTRACE_NAME_FUNCTION
				   ? about(name->dtnm_name)
				   : NULL;

	if (name->dtnm_kind != DTRACE_NAME_FUNCTION &&
	    name->dtnm_kind != DTRACE_NAME_DEFINED)
		return;
	*answer = json_pack("{s:[{s:o, s:s, s:o}], s:i}", "signatures", "label",
			    json_text(name->dtnm_declaration), "documentation",
			    text ? text : "", "parameters",
			    parameters_of(name->dtnm_declaration),
			    "activeSignature", 0);
}

json_t *answer_signature(const struct document *document, size_t offset)
{
	static const char head[] = "\nBEGIN\n{ ";
	struct document asked = *document;
	struct call call = { 0 };
	json_t *answer = NULL;

	if (!find_call(document->text, offset, &call))
		return json_null();
	dtrace_hdl_t *dtp = program_open(document, NULL);
	int length = asprintf(&asked.text, "%s%s%.*s(); }\n", document->text,
			      head, (int)(call.to - call.from),
			      document->text + call.from);

	if (dtp && length > 0) {
		asked.length = (size_t)length;
		program_inspect(dtp, &asked,
				document->length + sizeof(head) - 1,
				(dtrace_inspect_ext_t){ .dtin_find = sign,
							.dtin_arg = &answer });
		free(asked.text);
	}
	dtrace_close(dtp);
	if (!answer)
		return json_null();
	json_object_set_new(answer, "activeParameter",
			    json_integer(call.commas));
	return answer;
}
