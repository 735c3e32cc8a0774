/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that a compiler inlined, of an address.
 *
 * The function that is there has blocks, and calls that became its own code, with
 * the addresses that they have; these have such again.  So one goes down from
 * the function into what has the address.  A call names the function by a
 * reference, and the line where it is; the line of the innermost function is the
 * address's own (dwarf_line.c).
 */
#include "btf/dwarf_internal.h"

#include <stdlib.h>

enum { DEEPEST_SCOPE = 64, LONGEST_ORIGIN = 8 };

/* ----------------------------------------------------------------- units */

struct collection {
	struct dwarf *dwarf;
	size_t unit, capacity;
};

static bool add_span(void *data, uint64_t start, uint64_t end)
{
	struct collection *all = data;
	struct dwarf *dwarf = all->dwarf;

	if (!start || end <= start) /* the linker left it out */
		return true;
	if (dwarf->nspans == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 256;
		if (!dwarf_keep(dwarf, all->capacity * sizeof(*dwarf->spans)))
			return false;
		dwarf->spans = must_realloc(dwarf->spans,
					    checked_mul(all->capacity,
							sizeof(*dwarf->spans)));
	}
	dwarf->spans[dwarf->nspans++] = (struct dwarf_span){ start, end,
							     all->unit };
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct dwarf_span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Once: which unit has which code. */
static void read_spans(struct dwarf *dwarf)
{
	struct collection all = { .dwarf = dwarf };

	if (dwarf->has_spans)
		return;
	dwarf->has_spans = true;
	for (; all.unit < dwarf->nunits; all.unit++) {
		struct dwarf_unit *unit = &dwarf->units[all.unit];
		struct dwarf_entry first;

		if (dwarf_unit_ready(dwarf, unit) &&
		    dwarf_entry_at(dwarf, unit, unit->first, &first))
			dwarf_walk_code(&first, add_span, &all);
	}
	if (dwarf->nspans)
		qsort(dwarf->spans, dwarf->nspans, sizeof(*dwarf->spans),
		      by_start);
}

static struct dwarf_unit *find_unit(struct dwarf *dwarf, uint64_t address)
{
	size_t low = 0, high;

	read_spans(dwarf);
	high = dwarf->nspans;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf->spans[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < dwarf->spans[low - 1].end
		       ? &dwarf->units[dwarf->spans[low - 1].unit]
		       : NULL;
}

/* ----------------------------------------------------------------- calls */

static bool is_scope(const struct dwarf_entry *entry)
{
	return entry->tag == TAG_LEXICAL_BLOCK ||
	       entry->tag == TAG_INLINED_SUBROUTINE;
}

/* The child with the address; *scope becomes it. */
static bool go_down(struct dwarf_entry *scope, uint64_t address)
{
	struct dwarf_entry entry;

	for (bool more = dwarf_child(scope, &entry); more;
	     more = dwarf_next(&entry, &entry))
		if (is_scope(&entry) && dwarf_covers(&entry, address)) {
			*scope = entry;
			return true;
		}
	return false;
}

/* A function's names may be where it is declared. */
static void find_names(const struct dwarf_entry *call,
		       struct dwarf_inlined *inlined)
{
	struct dwarf_entry entry = *call;

	for (unsigned i = 0; i < LONGEST_ORIGIN; i++) {
		if (!inlined->name)
			inlined->name = entry.name;
		if (!inlined->linkage)
			inlined->linkage = entry.linkage;
		struct dwarf_ref origin = entry.origin;

		if ((inlined->name && inlined->linkage) ||
		    !dwarf_follow(&origin, &entry))
			return;
	}
}

unsigned dwarf_find_inlined(struct dwarf *dwarf, uint64_t address,
			    struct dwarf_inlined *found, unsigned most)
{
	struct dwarf_unit *unit = find_unit(dwarf, address);
	struct dwarf_entry first, scope, calls[DEEPEST_SCOPE];
	struct dwarf_line line = { .file = "" };
	unsigned ncalls = 0, count = 0;

	if (!unit || !dwarf_entry_at(dwarf, unit, unit->first, &first) ||
	    !dwarf_find_around(dwarf, unit, address, &scope))
		return 0;
	for (unsigned depth = 0;
	     depth < DEEPEST_SCOPE && go_down(&scope, address); depth++)
		if (scope.tag == TAG_INLINED_SUBROUTINE)
			calls[ncalls++] = scope;
	if (ncalls && first.has_line_program)
		dwarf_find_line(dwarf, unit, first.line_program, address,
				&line);
	while (ncalls && count < most) {
		const struct dwarf_entry *call = &calls[--ncalls];

		found[count] = (struct dwarf_inlined){
			.file = line.file,
			.line = line.line,
		};
		find_names(call, &found[count]);
		count++;
		line.line = call->call_line;
		line.file = ncalls && first.has_line_program
				    ? dwarf_file_name(dwarf, unit,
						      first.line_program,
						      call->call_file)
				    : "";
	}
	return count;
}
