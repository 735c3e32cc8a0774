/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion: what the library offers at the cursor, in the client's form.
 *
 * A candidate replaces the word before the cursor; a colon or a parenthesis that must
 * follow comes with it unless it is there already.
 */
#include "cmd/lsp.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 1000 };

/* The protocol's numbers. */
static const int kinds[] = {
	[DTRACE_COMPLETE_PROVIDER] = 9,	   /* module */
	[DTRACE_COMPLETE_MODULE] = 9,	   /* module */
	[DTRACE_COMPLETE_FUNCTION] = 3,	   /* function */
	[DTRACE_COMPLETE_NAME] = 23,	   /* event */
	[DTRACE_COMPLETE_KEYWORD] = 14,	   /* keyword */
	[DTRACE_COMPLETE_TYPE] = 22,	   /* struct */
	[DTRACE_COMPLETE_BUILTIN] = 6,	   /* variable */
	[DTRACE_COMPLETE_SUBROUTINE] = 3,  /* function */
	[DTRACE_COMPLETE_ACTION] = 3,	   /* function */
	[DTRACE_COMPLETE_AGGREGATE] = 3,   /* function */
	[DTRACE_COMPLETE_VARIABLE] = 6,	   /* variable */
	[DTRACE_COMPLETE_AGGREGATION] = 6, /* variable */
	[DTRACE_COMPLETE_CONSTANT] = 21,   /* constant */
	[DTRACE_COMPLETE_MEMBER] = 5,	   /* field */
	[DTRACE_COMPLETE_MACRO] = 21,	   /* constant */
	[DTRACE_COMPLETE_OPTION] = 10,	   /* property */
};

struct items {
	const struct document *document;
	size_t offset;
	json_t *list;
	bool is_cut;
};

static bool is_built_in(dtrace_completekind_ext_t kind)
{
	return kind == DTRACE_COMPLETE_BUILTIN ||
	       kind == DTRACE_COMPLETE_SUBROUTINE ||
	       kind == DTRACE_COMPLETE_ACTION ||
	       kind == DTRACE_COMPLETE_AGGREGATE;
}

static int add(dtrace_hdl_t *dtp, const dtrace_completion_ext_t *completion,
	       void *arg)
{
	struct items *items = arg;
	const char *next = items->document->text + items->offset;
	const char *after = completion->dtco_after;
	const char *text = is_built_in(completion->dtco_kind)
				   ? about(completion->dtco_text)
				   : NULL;
	bool is_wanted = (*after == ':' || *after == '(') && *next != *after;
	char *whole = NULL;

	(void)dtp;
	if (json_array_size(items->list) == MOST_ITEMS) {
		items->is_cut = true;
		return 1;
	}
	if (asprintf(&whole, "%s%s", completion->dtco_text,
		     is_wanted ? after : "") < 0)
		return 1;
	json_t *item =
		json_pack("{s:o, s:i, s:{s:o, s:o}}", "label",
			  json_text(completion->dtco_text), "kind",
			  kinds[completion->dtco_kind], "textEdit", "range",
			  range_of(items->document, completion->dtco_start,
				   items->offset),
			  "newText", json_text(whole));

	free(whole);
	if (*completion->dtco_detail)
		json_object_set_new(item, "detail",
				    json_text(completion->dtco_detail));
	if (text)
		json_object_set_new(item, "documentation", json_text(text));
	json_array_append_new(items->list, item);
	return 0;
}

json_t *answer_completion(const struct document *document, size_t offset)
{
	struct items items = { .document = document,
			       .offset = offset,
			       .list = json_array() };
	dtrace_hdl_t *dtp = program_open(document, NULL);

	if (dtp)
		dtrace_complete_ext(dtp, document->text, document->length,
				    offset, DTRACE_PROBESPEC_NONE, add, &items);
	dtrace_close(dtp);
	return json_pack("{s:b, s:o}", "isIncomplete", items.is_cut, "items",
			 items.list);
}
