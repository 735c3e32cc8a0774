/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols of a document: its clauses, and the names that it defines.  Where a
 * name is defined: its declaration, or its first assignment.
 */
#include "cmd/lsp.h"

/* The protocol's numbers. */
enum symbol_kind {
	SYMBOL_FUNCTION = 12,
	SYMBOL_VARIABLE = 13,
	SYMBOL_CONSTANT = 14,
	SYMBOL_ARRAY = 18,
	SYMBOL_EVENT = 24,
};

struct symbols {
	const struct document *document;
	json_t *list;
};

static enum symbol_kind kind_of(dtrace_namekind_ext_t kind)
{
	switch (kind) {
	case DTRACE_NAME_CLAUSE:
		return SYMBOL_EVENT;
	case DTRACE_NAME_DEFINED:
		return SYMBOL_FUNCTION;
	case DTRACE_NAME_AGGREGATION:
		return SYMBOL_ARRAY;
	case DTRACE_NAME_INLINE:
	case DTRACE_NAME_CONSTANT:
		return SYMBOL_CONSTANT;
	default:
		return SYMBOL_VARIABLE;
	}
}

static json_t *whole_range(const struct document *document,
			   const dtrace_name_ext_t *name)
{
	size_t from = line_start(document, name->dtnm_place.dtpl_line) +
		      name->dtnm_place.dtpl_column;
	size_t last = line_start(document, name->dtnm_last_line);

	return range_of(document, from, line_end(document, last));
}

static void add(void *arg, const dtrace_name_ext_t *name)
{
	struct symbols *symbols = arg;
	const struct document *document = symbols->document;
	bool is_clause = name->dtnm_kind == DTRACE_NAME_CLAUSE;

	if (!*name->dtnm_name)
		return;
	json_array_append_new(
		symbols->list,
		json_pack("{s:o, s:o, s:i, s:o, s:o}", "name",
			  json_text(name->dtnm_name), "detail",
			  json_text(is_clause ? "" : name->dtnm_declaration),
			  "kind", kind_of(name->dtnm_kind), "range",
			  is_clause
				  ? whole_range(document, name)
				  : range_of_place(document, &name->dtnm_place),
			  "selectionRange",
			  range_of_place(document, &name->dtnm_place)));
}

json_t *answer_symbols(const struct document *document)
{
	struct symbols symbols = { document, json_array() };
	dtrace_hdl_t *dtp = program_open(document, NULL);

	if (dtp)
		program_inspect(dtp, document, SIZE_MAX,
				(dtrace_inspect_ext_t){ .dtin_define = add,
							.dtin_arg = &symbols });
	dtrace_close(dtp);
	return symbols.list;
}

/* ---------------------------------------------------------- definitions */

struct definition {
	const struct document *document;
	json_t *location;
};

static void locate(void *arg, const dtrace_name_ext_t *name)
{
	struct definition *definition = arg;
	const struct document *document = definition->document;

	if (name->dtnm_defined.dtpl_line)
		definition->location = json_pack(
			"{s:s, s:o}", "uri", document->uri, "range",
			range_of_place(document, &name->dtnm_defined));
}

json_t *answer_definition(const struct document *document, size_t offset)
{
	struct definition definition = { .document = document };
	dtrace_hdl_t *dtp = program_open(document, NULL);

	if (dtp)
		program_inspect(dtp, document, offset,
				(dtrace_inspect_ext_t){
					.dtin_find = locate,
					.dtin_arg = &definition });
	dtrace_close(dtp);
	return definition.location ? definition.location : json_null();
}
