/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding entries of DWARF: a function by its address, a tag by its name.
 *
 * The first entry of a unit says which addresses it covers, so that one
 * function costs a walk over the heads of all units and over the entries of
 * one; all functions that this walk meets are remembered.  Functions that
 * compilers split in a hot and a cold part have a list of ranges and start
 * where one of those starts.
 *
 * A tag is searched for when a program uses members of a struct that its own
 * unit only declares, first in that unit, then in the others, but there not
 * inside functions and classes.
 */
#include "btf/dwarf_internal.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- ranges */

enum {
	RANGE_END,
	RANGE_BASE_INDEX,
	RANGE_START_END_INDEX,
	RANGE_START_LENGTH_INDEX,
	RANGE_OFFSETS,
	RANGE_BASE,
	RANGE_START_END,
	RANGE_START_LENGTH,
};

struct range_reader {
	const struct dwarf_entry *of;
	struct dwarf_cursor cursor;
	uint64_t base;
};

static uint64_t word(struct range_reader *reader)
{
	return dwarf_take(&reader->cursor, 8);
}

static uint64_t number(struct range_reader *reader)
{
	return dwarf_take_unsigned(&reader->cursor);
}

static uint64_t indexed(struct range_reader *reader)
{
	return dwarf_address(reader->of->dwarf, reader->of->unit,
			     number(reader));
}

/* Versions 2 to 4: pairs; one whose start is all ones sets the base. */
static bool next_pair(struct range_reader *reader, uint64_t *start,
		      uint64_t *end)
{
	while (!reader->cursor.is_bad) {
		*start = word(reader);
		*end = word(reader);
		if (!*start && !*end)
			return false;
		if (*start != UINT64_MAX) {
			*start += reader->base;
			*end += reader->base;
			return !reader->cursor.is_bad;
		}
		reader->base = *end;
	}
	return false;
}

static bool next_entry(struct range_reader *reader, uint64_t *start,
		       uint64_t *end)
{
	while (!reader->cursor.is_bad) {
		switch (dwarf_take(&reader->cursor, 1)) {
		case RANGE_BASE_INDEX:
			reader->base = indexed(reader);
			continue;
		case RANGE_BASE:
			reader->base = word(reader);
			continue;
		case RANGE_START_END_INDEX:
			*start = indexed(reader);
			*end = indexed(reader);
			break;
		case RANGE_START_LENGTH_INDEX:
			*start = indexed(reader);
			*end = *start + number(reader);
			break;
		case RANGE_OFFSETS:
			*start = reader->base + number(reader);
			*end = reader->base + number(reader);
			break;
		case RANGE_START_END:
			*start = word(reader);
			*end = word(reader);
			break;
		case RANGE_START_LENGTH:
			*start = word(reader);
			*end = *start + number(reader);
			break;
		default:
			return false;
		}
		return !reader->cursor.is_bad;
	}
	return false;
}

static void open_ranges(struct range_reader *reader,
			const struct dwarf_entry *entry)
{
	const struct dwarf_unit *unit = entry->unit;
	const struct dwarf_bytes *bytes =
		&entry->dwarf->sections
			 .parts[unit->version >= 5 ? DWARF_RNGLISTS
						   : DWARF_RANGES];
	uint64_t at = entry->ranges;

	if (entry->is_range_index) {
		struct dwarf_cursor table = dwarf_cursor_in(
			bytes, unit->rnglists_base + at * unit->offset_size,
			bytes->n);

		at = unit->rnglists_base +
		     dwarf_take(&table, unit->offset_size);
	}
	*reader = (struct range_reader){
		.of = entry,
		.base = unit->low_pc,
		.cursor = dwarf_cursor_in(bytes, at, bytes->n),
	};
}

bool dwarf_walk_code(const struct dwarf_entry *entry, dwarf_range_visit *visit,
		     void *data)
{
	struct range_reader reader;
	uint64_t start, end;

	if (!entry->has_ranges) {
		end = entry->high_pc +
		      (entry->is_high_relative ? entry->low_pc : 0);
		return !entry->has_low_pc || visit(data, entry->low_pc, end);
	}
	open_ranges(&reader, entry);
	while (entry->unit->version >= 5 ? next_entry(&reader, &start, &end)
					 : next_pair(&reader, &start, &end))
		if (!dwarf_work(entry->dwarf, DWARF_STEP / 4) ||
		    !visit(data, start, end))
			return false;
	return true;
}

/* ------------------------------------------------------------ functions */

static bool is_outside(void *data, uint64_t start, uint64_t end)
{
	const uint64_t *address = data;

	return *address < start || *address >= end;
}

bool dwarf_covers(const struct dwarf_entry *entry, uint64_t address)
{
	return !dwarf_walk_code(entry, is_outside, &address) &&
	       !entry->dwarf->is_spent;
}

struct collection {
	struct dwarf *dwarf;
	struct dwarf_unit *unit;
	size_t capacity;
	uint64_t offset; /* of the current function */
};

static bool add_place(void *data, uint64_t start, uint64_t end)
{
	struct collection *all = data;
	struct dwarf_unit *unit = all->unit;

	(void)end;
	if (!start) /* the linker left it out */
		return true;
	if (unit->nfunctions == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 64;
		if (!dwarf_keep(all->dwarf,
				all->capacity * sizeof(*unit->functions)))
			return false;
		unit->functions = must_realloc(
			unit->functions,
			checked_mul(all->capacity, sizeof(*unit->functions)));
	}
	unit->functions[unit->nfunctions++] =
		(struct dwarf_place){ start, all->offset };
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct dwarf_place *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void index_functions(struct dwarf *dwarf, struct dwarf_unit *unit)
{
	struct collection all = { .dwarf = dwarf, .unit = unit };
	struct dwarf_entry entry;

	if (unit->is_indexed)
		return;
	unit->is_indexed = true;
	for (uint64_t at = unit->first; at < unit->end; at = entry.end) {
		if (!dwarf_entry_at(dwarf, unit, at, &entry))
			break;
		all.offset = entry.offset;
		if (entry.tag == TAG_SUBPROGRAM)
			dwarf_walk_code(&entry, add_place, &all);
	}
	if (unit->nfunctions)
		qsort(unit->functions, unit->nfunctions,
		      sizeof(*unit->functions), by_address);
}

static bool find_in_unit(struct dwarf *dwarf, struct dwarf_unit *unit,
			 uint64_t address, struct dwarf_entry *found)
{
	struct dwarf_place wanted = { .address = address };
	const struct dwarf_place *place;

	index_functions(dwarf, unit);
	place = unit->nfunctions
			? bsearch(&wanted, unit->functions, unit->nfunctions,
				  sizeof(wanted), by_address)
			: NULL;
	return place && dwarf_entry_at(dwarf, unit, place->offset, found);
}

bool dwarf_find_around(struct dwarf *dwarf, struct dwarf_unit *unit,
		       uint64_t address, struct dwarf_entry *found)
{
	enum { TRIES = 8 };
	size_t low = 0, high;

	index_functions(dwarf, unit);
	high = unit->nfunctions;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (unit->functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	/* One that starts later may be a piece of another. */
	for (unsigned i = 0; i < TRIES && low; i++)
		if (dwarf_entry_at(dwarf, unit, unit->functions[--low].offset,
				   found) &&
		    dwarf_covers(found, address))
			return true;
	return false;
}

enum dwarf_found dwarf_find_function(struct dwarf *dwarf, uint64_t address,
				     struct dwarf_entry *found)
{
	for (size_t i = 0; i < dwarf->nunits; i++) {
		struct dwarf_unit *unit = &dwarf->units[i];
		struct dwarf_entry first;

		if (!dwarf_unit_ready(dwarf, unit) ||
		    !dwarf_entry_at(dwarf, unit, unit->first, &first) ||
		    dwarf_walk_code(&first, is_outside, &address))
			continue;
		if (find_in_unit(dwarf, unit, address, found))
			return DWARF_FOUND;
		if (first.is_split)
			return DWARF_SPLIT;
	}
	return DWARF_UNKNOWN;
}

/* ----------------------------------------------------------------- tags */

enum tag_kind dwarf_tag_kind(uint32_t tag)
{
	switch (tag) {
	case TAG_STRUCTURE_TYPE:
	case TAG_CLASS_TYPE:
		return TAG_STRUCT;
	case TAG_UNION_TYPE:
		return TAG_UNION;
	case TAG_ENUMERATION_TYPE:
		return TAG_ENUM;
	default:
		return TAG_NONE;
	}
}

struct tag_search {
	enum tag_kind tag;
	const char *name;
	struct dwarf_entry *found;
};

static bool search_scope(const struct tag_search *search,
			 const struct dwarf_entry *scope, unsigned depth)
{
	struct dwarf_entry entry;

	for (bool more = dwarf_child(scope, &entry); more;
	     more = dwarf_next(&entry, &entry)) {
		if (entry.tag == TAG_NAMESPACE && depth < DEEPEST &&
		    search_scope(search, &entry, depth + 1))
			return true;
		if (dwarf_tag_kind(entry.tag) != search->tag ||
		    entry.is_declaration || !entry.name ||
		    strcmp(entry.name, search->name))
			continue;
		*search->found = entry;
		return true;
	}
	return false;
}

static bool search_unit(const struct tag_search *search, struct dwarf *dwarf,
			struct dwarf_unit *unit)
{
	struct dwarf_entry first;

	return dwarf_unit_ready(dwarf, unit) &&
	       dwarf_entry_at(dwarf, unit, unit->first, &first) &&
	       search_scope(search, &first, 0);
}

bool dwarf_find_tag(struct dwarf *dwarf, struct dwarf_unit *unit,
		    enum tag_kind tag, const char *name,
		    struct dwarf_entry *found)
{
	struct tag_search search = { tag, name, found };

	if (search_unit(&search, dwarf, unit))
		return true;
	if (dwarf->owner)
		dwarf = dwarf->owner;
	for (; dwarf; dwarf = dwarf->shared)
		for (size_t i = 0; i < dwarf->nunits; i++)
			if (search_unit(&search, dwarf, &dwarf->units[i]))
				return true;
	return false;
}
