/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units and entries of DWARF, versions 2 to 5.
 *
 * .debug_info is a list of units; a unit is a tree of entries; an entry has a
 * tag and attributes, whose names and forms are in its abbreviation.  Here an
 * entry becomes a struct with the attributes that matter; all others are
 * skipped.
 *
 * 1. Files come from anywhere.  Every read is bounded by its section, a place
 *    that is out of bounds reads as zeros and ends the walk, and no walk goes
 *    backwards.
 * 2. Sections have a NUL after their last byte, so that strings end.
 * 3. A unit's abbreviations and bases are read at first use.  Bases are
 *    attributes of the unit's first entry and may follow those that need them,
 *    so that entry is read twice.
 * 4. References into a file that objects share (dwz) stay references; the
 *    reader of the entry never knows where its type is.
 */
#include "btf/dwarf_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

const char *const dwarf_part_names[DWARF_PARTS] = {
	[DWARF_INFO] = ".debug_info",
	[DWARF_ABBREV] = ".debug_abbrev",
	[DWARF_STR] = ".debug_str",
	[DWARF_LINE_STR] = ".debug_line_str",
	[DWARF_STR_OFFSETS] = ".debug_str_offsets",
	[DWARF_ADDR] = ".debug_addr",
	[DWARF_RANGES] = ".debug_ranges",
	[DWARF_RNGLISTS] = ".debug_rnglists",
	[DWARF_LINE] = ".debug_line",
};

enum {
	AT_SIBLING = 0x01,
	AT_NAME = 0x03,
	AT_BYTE_SIZE = 0x0b,
	AT_BIT_OFFSET = 0x0c,
	AT_BIT_SIZE = 0x0d,
	AT_STMT_LIST = 0x10,
	AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12,
	AT_LANGUAGE = 0x13,
	AT_CONST_VALUE = 0x1c,
	AT_UPPER_BOUND = 0x2f,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_ARTIFICIAL = 0x34,
	AT_CALLING_CONVENTION = 0x36,
	AT_COUNT = 0x37,
	AT_DATA_MEMBER_LOCATION = 0x38,
	AT_DECLARATION = 0x3c,
	AT_ENCODING = 0x3e,
	AT_EXTERNAL = 0x3f,
	AT_SPECIFICATION = 0x47,
	AT_TYPE = 0x49,
	AT_VIRTUALITY = 0x4c,
	AT_RANGES = 0x55,
	AT_CALL_FILE = 0x58,
	AT_CALL_LINE = 0x59,
	AT_SIGNATURE = 0x69,
	AT_DATA_BIT_OFFSET = 0x6b,
	AT_LINKAGE_NAME = 0x6e,
	AT_STR_OFFSETS_BASE = 0x72,
	AT_ADDR_BASE = 0x73,
	AT_RNGLISTS_BASE = 0x74,
	AT_DWO_NAME = 0x76,
	AT_DELETED = 0x8a,
	AT_DEFAULTED = 0x8b,
	AT_MIPS_LINKAGE_NAME = 0x2007,
	AT_GNU_DWO_NAME = 0x2130,
};

enum {
	UNIT_COMPILE = 1,
	UNIT_TYPE,
	UNIT_PARTIAL,
	UNIT_SKELETON,
	UNIT_SPLIT_COMPILE,
	UNIT_SPLIT_TYPE
};

enum { MOST_ABBREVS = 1 << 20, OP_PLUS_UCONST = 0x23 };

/* -------------------------------------------------------------- entries */

/* A number, or the one expression that old compilers wrote for it. */
static void read_member_location(const struct dwarf_value *value,
				 struct dwarf_entry *entry)
{
	if (!value->block) {
		entry->member_at = value->number;
		return;
	}
	struct dwarf_cursor cursor = {
		.bytes = value->block, .end = value->block_size,
	};

	if (dwarf_take(&cursor, 1) == OP_PLUS_UCONST)
		entry->member_at = dwarf_take_unsigned(&cursor);
	else
		entry->is_unplaced = true;
}

static void keep(const struct dwarf_value *value, uint32_t name,
		 struct dwarf_entry *entry)
{
	uint64_t number = value->number;
	bool is_number = !value->block && !value->ref.dwarf;

	switch (name) {
	case AT_SIBLING:
		entry->sibling = value->ref.dwarf ? value->ref.offset : 0;
		break;
	case AT_NAME:
		entry->name = value->text && *value->text ? value->text : NULL;
		break;
	case AT_LINKAGE_NAME:
	case AT_MIPS_LINKAGE_NAME:
		entry->linkage = value->text && *value->text ? value->text
							     : NULL;
		break;
	case AT_STMT_LIST:
		entry->line_program = number;
		entry->has_line_program = is_number;
		break;
	case AT_CALL_FILE:
		entry->call_file = number;
		break;
	case AT_CALL_LINE:
		entry->call_line = number;
		break;
	case AT_TYPE:
		entry->type = value->ref;
		break;
	case AT_ABSTRACT_ORIGIN:
	case AT_SPECIFICATION:
		entry->origin = value->ref;
		break;
	case AT_SIGNATURE:
		entry->signature = value->ref;
		break;
	case AT_BYTE_SIZE:
		entry->byte_size = number;
		entry->has_byte_size = is_number;
		break;
	case AT_BIT_OFFSET:
		entry->bit_offset = number;
		entry->has_bit_offset = is_number;
		break;
	case AT_DATA_BIT_OFFSET:
		entry->data_bit_offset = number;
		entry->has_data_bit_offset = is_number;
		break;
	case AT_BIT_SIZE:
		entry->bit_size = number;
		break;
	case AT_LOW_PC:
		entry->low_pc = number;
		entry->has_low_pc = true;
		break;
	case AT_HIGH_PC:
		entry->high_pc = number;
		entry->is_high_relative = !value->is_address;
		break;
	case AT_RANGES:
		entry->ranges = number;
		entry->has_ranges = true;
		entry->is_range_index = value->is_index;
		break;
	case AT_CONST_VALUE:
		entry->const_value = (int64_t)number;
		break;
	case AT_UPPER_BOUND:
		entry->upper_bound = number;
		entry->has_upper_bound = is_number;
		break;
	case AT_COUNT:
		entry->count = number;
		entry->has_count = is_number;
		break;
	case AT_DATA_MEMBER_LOCATION:
		read_member_location(value, entry);
		break;
	case AT_VIRTUALITY:
		entry->is_unplaced |= number != 0;
		break;
	case AT_LANGUAGE:
		entry->language = number;
		break;
	case AT_ENCODING:
		entry->encoding = number;
		break;
	case AT_CALLING_CONVENTION:
		entry->convention = number;
		break;
	case AT_DECLARATION:
		entry->is_declaration = number != 0;
		break;
	case AT_EXTERNAL:
		entry->is_external = number != 0;
		break;
	case AT_ARTIFICIAL:
		entry->is_artificial = number != 0;
		break;
	case AT_DELETED:
	case AT_DEFAULTED:
		entry->is_trivial |= number != 0;
		break;
	case AT_DWO_NAME:
	case AT_GNU_DWO_NAME:
		entry->is_split = true;
		break;
	case AT_STR_OFFSETS_BASE:
		entry->str_offsets_base = number;
		break;
	case AT_ADDR_BASE:
		entry->addr_base = number;
		break;
	case AT_RNGLISTS_BASE:
		entry->rnglists_base = number;
		break;
	default:
		break;
	}
}

bool dwarf_pay(struct dwarf *dwarf)
{
	if (!dwarf->is_spent && budget_work(dwarf->budget, dwarf->steps)) {
		dwarf->steps = 0;
		return true;
	}
	dwarf->is_spent = true;
	dwarf->steps = DWARF_STEPS;
	budget_refuse(dwarf->budget, -1);
	return false;
}

bool dwarf_keep(struct dwarf *dwarf, uint64_t bytes)
{
	if (!dwarf->is_spent && budget_hold(dwarf->budget, bytes)) {
		dwarf->held += bytes;
		return true;
	}
	dwarf->is_spent = true;
	dwarf->steps = DWARF_STEPS;
	budget_refuse(dwarf->budget, -1);
	return false;
}

static int by_code(const void *a, const void *b)
{
	const struct dwarf_abbrev *x = a, *y = b;

	return (x->code > y->code) - (x->code < y->code);
}

/* Codes are 1, 2, 3 ... nearly always. */
static const struct dwarf_abbrev *abbrev_of(const struct dwarf_unit *unit,
					    uint64_t code)
{
	const struct dwarf_abbrevs *all = unit->abbrevs;

	if (code - 1 < all->count && all->items[code - 1].code == code)
		return &all->items[code - 1];
	struct dwarf_abbrev wanted = { .code = code };

	return all->count ? bsearch(&wanted, all->items, all->count,
				    sizeof(wanted), by_code)
			  : NULL;
}

bool dwarf_entry_at(struct dwarf *dwarf, struct dwarf_unit *unit,
		    uint64_t offset, struct dwarf_entry *entry)
{
	struct dwarf_cursor cursor =
		dwarf_cursor_in(&dwarf->sections.parts[DWARF_INFO], offset,
				unit->end);

	if (!dwarf_work(dwarf, DWARF_STEP))
		return false;
	uint64_t code = dwarf_take_unsigned(&cursor);

	*entry = (struct dwarf_entry){
		.dwarf = dwarf,
		.unit = unit,
		.offset = offset,
		.end = cursor.at,
	};
	if (cursor.is_bad || !code)
		return !cursor.is_bad;
	const struct dwarf_abbrev *abbrev = abbrev_of(unit, code);

	if (!abbrev)
		return false;
	entry->tag = abbrev->tag;
	entry->has_children = abbrev->has_children;
	for (uint32_t i = 0; i < abbrev->nattributes && !cursor.is_bad; i++) {
		struct dwarf_value value;

		dwarf_take_value(dwarf, unit, &cursor, &abbrev->attributes[i],
				 &value);
		keep(&value, abbrev->attributes[i].name, entry);
	}
	entry->end = cursor.at;
	return !cursor.is_bad;
}

bool dwarf_child(const struct dwarf_entry *parent, struct dwarf_entry *child)
{
	return parent->has_children &&
	       dwarf_entry_at(parent->dwarf, parent->unit, parent->end,
			      child) &&
	       child->tag;
}

bool dwarf_next(const struct dwarf_entry *entry, struct dwarf_entry *next)
{
	struct dwarf_entry at = *entry;
	uint64_t where = at.end;
	unsigned depth = at.has_children ? 1 : 0;

	if (at.has_children && at.sibling > at.end) {
		where = at.sibling;
		depth = 0;
	}
	for (;;) {
		if (!dwarf_entry_at(entry->dwarf, entry->unit, where, &at))
			return false;
		if (!depth) {
			*next = at;
			return at.tag != 0;
		}
		where = at.end;
		if (!at.tag)
			depth--;
		else if (at.has_children && at.sibling > at.end)
			where = at.sibling;
		else if (at.has_children)
			depth++;
	}
}

/* ---------------------------------------------------------------- units */

static bool read_header(struct dwarf_cursor *cursor, struct dwarf_unit *unit)
{
	*unit = (struct dwarf_unit){ .start = cursor->at, .offset_size = 4 };
	uint64_t length = dwarf_take(cursor, 4);
	uint8_t kind = UNIT_COMPILE;

	if (length == 0xffffffff) {
		unit->offset_size = 8;
		length = dwarf_take(cursor, 8);
	}
	if (!dwarf_has(cursor, length) || !length)
		return false;
	unit->end = cursor->at + length;
	unit->version = (uint16_t)dwarf_take(cursor, 2);
	if (unit->version >= 5) {
		kind = (uint8_t)dwarf_take(cursor, 1);
		dwarf_take(cursor, 1);
		unit->abbrev_offset = dwarf_take(cursor, unit->offset_size);
	} else {
		unit->abbrev_offset = dwarf_take(cursor, unit->offset_size);
		dwarf_take(cursor, 1);
	}
	if (kind == UNIT_TYPE || kind == UNIT_SPLIT_TYPE) {
		unit->signature = dwarf_take(cursor, 8);
		unit->type_offset = unit->start +
				    dwarf_take(cursor, unit->offset_size);
	} else if (kind == UNIT_SKELETON || kind == UNIT_SPLIT_COMPILE) {
		dwarf_take(cursor, 8);
	}
	unit->first = cursor->at;
	return !cursor->is_bad && unit->first <= unit->end;
}

bool dwarf_read_units(struct dwarf *dwarf)
{
	const struct dwarf_bytes *info = &dwarf->sections.parts[DWARF_INFO];
	size_t capacity = 0;
	struct dwarf_cursor cursor = dwarf_cursor_in(info, 0, info->n);
	struct dwarf_unit unit;

	while (cursor.at < info->n && dwarf_work(dwarf, DWARF_STEP) &&
	       read_header(&cursor, &unit)) {
		if (dwarf->nunits == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			if (!dwarf_keep(dwarf, capacity * sizeof(unit)))
				break;
			dwarf->units = must_realloc(dwarf->units,
						    checked_mul(capacity,
								sizeof(unit)));
		}
		dwarf->units[dwarf->nunits++] = unit;
		cursor.at = unit.end;
	}
	return dwarf->nunits > 0;
}

static bool read_abbrev(struct dwarf_cursor *cursor,
			struct dwarf_abbrev *abbrev)
{
	struct dwarf_attribute list[128];

	*abbrev = (struct dwarf_abbrev){ .code = dwarf_take_unsigned(cursor) };
	if (!abbrev->code)
		return false;
	abbrev->tag = (uint32_t)dwarf_take_unsigned(cursor);
	abbrev->has_children = dwarf_take(cursor, 1) != 0;
	while (!cursor->is_bad) {
		struct dwarf_attribute one = {
			.name = (uint32_t)dwarf_take_unsigned(cursor),
			.form = (uint32_t)dwarf_take_unsigned(cursor),
		};

		if (one.form == DWARF_IMPLICIT_CONST)
			one.constant = dwarf_take_signed(cursor);
		if (!one.name && !one.form)
			break;
		if (abbrev->nattributes == sizeof(list) / sizeof(list[0]))
			return false;
		list[abbrev->nattributes++] = one;
	}
	if (cursor->is_bad)
		return false;
	size_t size = abbrev->nattributes * sizeof(list[0]);

	abbrev->attributes = must_alloc(size + 1);
	memcpy(abbrev->attributes, list, size);
	return true;
}

static struct dwarf_abbrevs *read_abbrevs(struct dwarf *dwarf, uint64_t offset)
{
	const struct dwarf_bytes *bytes = &dwarf->sections.parts[DWARF_ABBREV];
	struct dwarf_cursor cursor = dwarf_cursor_in(bytes, offset, bytes->n);
	struct dwarf_abbrevs *all = must_alloc(sizeof(*all));
	uint32_t capacity = 0;
	struct dwarf_abbrev abbrev;

	*all = (struct dwarf_abbrevs){ .offset = offset };
	while (all->count < MOST_ABBREVS && dwarf_work(dwarf, DWARF_STEP) &&
	       dwarf_keep(dwarf, 2 * sizeof(abbrev)) &&
	       read_abbrev(&cursor, &abbrev)) {
		if (all->count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			all->items = must_realloc(all->items,
						  checked_mul(capacity,
							      sizeof(abbrev)));
		}
		all->items[all->count++] = abbrev;
	}
	if (all->count && all->items[all->count - 1].code != all->count)
		qsort(all->items, all->count, sizeof(abbrev), by_code);
	return all;
}

/* After linking with optimisation all units may share one large table. */
static const struct dwarf_abbrevs *find_abbrevs(struct dwarf *dwarf,
						uint64_t offset)
{
	struct str key = { (const char *)&offset, sizeof(offset) };
	struct dwarf_abbrevs *all = table_get(&dwarf->shared_abbrevs, key);

	if (all)
		return all;
	all = read_abbrevs(dwarf, offset);
	all->next = dwarf->abbrevs;
	dwarf->abbrevs = all;
	key.p = (const char *)&all->offset;
	table_put(&dwarf->shared_abbrevs, key, all);
	return all;
}

bool dwarf_unit_ready(struct dwarf *dwarf, struct dwarf_unit *unit)
{
	struct dwarf_entry first;

	if (unit->is_ready)
		return unit->is_good;
	unit->is_ready = true;
	if (unit->version < 2 || unit->version > 5)
		return false;
	unit->abbrevs = find_abbrevs(dwarf, unit->abbrev_offset);
	for (int i = 0; i < 2; i++) {
		unit->is_good = dwarf_entry_at(dwarf, unit, unit->first,
					       &first) &&
				first.tag;
		if (!unit->is_good)
			return false;
		unit->str_offsets_base = first.str_offsets_base
						 ? first.str_offsets_base
						 : 2u * unit->offset_size;
		unit->addr_base = first.addr_base;
		unit->rnglists_base = first.rnglists_base;
		unit->low_pc = first.low_pc;
		unit->language = first.language;
	}
	return true;
}

void dwarf_free_units(struct dwarf *dwarf)
{
	while (dwarf->abbrevs) {
		struct dwarf_abbrevs *all = dwarf->abbrevs;

		dwarf->abbrevs = all->next;
		for (uint32_t i = 0; i < all->count; i++)
			free(all->items[i].attributes);
		free(all->items);
		free(all);
	}
	table_free(&dwarf->shared_abbrevs);
	for (size_t i = 0; i < dwarf->nunits; i++)
		free(dwarf->units[i].functions);
	free(dwarf->units);
	free(dwarf->spans);
}

static struct dwarf_unit *unit_of(struct dwarf *dwarf, uint64_t offset)
{
	size_t low = 0, high = dwarf->nunits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf->units[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < dwarf->nunits && offset >= dwarf->units[low].first
		       ? &dwarf->units[low]
		       : NULL;
}

bool dwarf_follow(const struct dwarf_ref *ref, struct dwarf_entry *entry)
{
	uint64_t offset = ref->offset;

	if (!ref->dwarf)
		return false;
	if (ref->signature) {
		size_t i = 0;

		while (i < ref->dwarf->nunits && dwarf_work(ref->dwarf, 1) &&
		       ref->dwarf->units[i].signature != ref->signature)
			i++;
		if (ref->dwarf->is_spent)
			return false;
		if (i == ref->dwarf->nunits)
			return false;
		offset = ref->dwarf->units[i].type_offset;
	}
	struct dwarf_unit *unit = unit_of(ref->dwarf, offset);

	return unit && dwarf_unit_ready(ref->dwarf, unit) &&
	       dwarf_entry_at(ref->dwarf, unit, offset, entry) && entry->tag;
}
