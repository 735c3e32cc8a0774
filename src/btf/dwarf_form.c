/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of DWARF's attributes: numbers, texts, blocks and references, each in
 * a dozen forms.  An attribute that is not needed must be skipped, so every
 * form is known here.
 *
 * A cursor is bounded by its section; what would lie outside reads as zero and
 * marks the cursor bad, which its owner checks at the end.
 */
#include "btf/dwarf_internal.h"

#include <string.h>

enum {
	FORM_ADDR = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4,
	FORM_DATA2,
	FORM_DATA4,
	FORM_DATA8,
	FORM_STRING,
	FORM_BLOCK,
	FORM_BLOCK1,
	FORM_DATA1,
	FORM_FLAG,
	FORM_SDATA,
	FORM_STRP,
	FORM_UDATA,
	FORM_REF_ADDR,
	FORM_REF1,
	FORM_REF2,
	FORM_REF4,
	FORM_REF8,
	FORM_REF_UDATA,
	FORM_INDIRECT,
	FORM_SEC_OFFSET,
	FORM_EXPRLOC,
	FORM_FLAG_PRESENT,
	FORM_STRX,
	FORM_ADDRX,
	FORM_REF_SUP4,
	FORM_STRP_SUP,
	FORM_DATA16,
	FORM_LINE_STRP,
	FORM_REF_SIG8,
	FORM_IMPLICIT_CONST,
	FORM_LOCLISTX,
	FORM_RNGLISTX,
	FORM_REF_SUP8,
	FORM_STRX1,
	FORM_STRX2,
	FORM_STRX3,
	FORM_STRX4,
	FORM_ADDRX1,
	FORM_ADDRX2,
	FORM_ADDRX3,
	FORM_ADDRX4,
	FORM_GNU_ADDR_INDEX = 0x1f01,
	FORM_GNU_STR_INDEX = 0x1f02,
	FORM_GNU_REF_ALT = 0x1f20,
	FORM_GNU_STRP_ALT = 0x1f21,
};

/* --------------------------------------------------------------- cursor */

struct dwarf_cursor dwarf_cursor_in(const struct dwarf_bytes *bytes,
				    uint64_t at, uint64_t end)
{
	if (end > bytes->n)
		end = bytes->n;
	return (struct dwarf_cursor){ bytes->p, at, end, at > end };
}

bool dwarf_has(struct dwarf_cursor *cursor, uint64_t count)
{
	if (!cursor->is_bad && count <= cursor->end - cursor->at)
		return true;
	cursor->is_bad = true;
	return false;
}

uint64_t dwarf_take(struct dwarf_cursor *cursor, unsigned size)
{
	uint64_t value = 0;

	if (!dwarf_has(cursor, size))
		return 0;
	memcpy(&value, cursor->bytes + cursor->at, size);
	cursor->at += size;
	return value;
}

static void step(struct dwarf_cursor *cursor, uint64_t count)
{
	if (dwarf_has(cursor, count))
		cursor->at += count;
}

uint64_t dwarf_take_unsigned(struct dwarf_cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; dwarf_has(cursor, 1); shift += 7) {
		uint8_t byte = cursor->bytes[cursor->at++];

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

int64_t dwarf_take_signed(struct dwarf_cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; dwarf_has(cursor, 1);) {
		uint8_t byte = cursor->bytes[cursor->at++];

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (byte & 0x40 && shift < 64)
			value |= ~0ull << shift;
		break;
	}
	return (int64_t)value;
}

static uint64_t word_at(const struct dwarf_bytes *bytes, uint64_t at,
			unsigned size)
{
	struct dwarf_cursor cursor = dwarf_cursor_in(bytes, at, bytes->n);

	return dwarf_take(&cursor, size);
}

/* --------------------------------------------------------------- values */

static const char *text_at(const struct dwarf *dwarf, enum dwarf_part part,
			   uint64_t offset)
{
	const struct dwarf_bytes *bytes = &dwarf->sections.parts[part];

	return offset < bytes->n ? (const char *)bytes->p + offset : NULL;
}

static const char *text_by_index(const struct dwarf *dwarf,
				 const struct dwarf_unit *unit, uint64_t index)
{
	const struct dwarf_bytes *table =
		&dwarf->sections.parts[DWARF_STR_OFFSETS];

	if (index > table->n)
		return NULL;
	return text_at(dwarf, DWARF_STR,
		       word_at(table,
			       unit->str_offsets_base +
				       index * unit->offset_size,
			       unit->offset_size));
}

uint64_t dwarf_address(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		       uint64_t index)
{
	const struct dwarf_bytes *table = &dwarf->sections.parts[DWARF_ADDR];

	if (index > table->n)
		return 0;
	return word_at(table, unit->addr_base + index * 8, 8);
}

static void take_block(struct dwarf_cursor *cursor, uint64_t size,
		       struct dwarf_value *value)
{
	if (!dwarf_has(cursor, size))
		return;
	value->block = cursor->bytes + cursor->at;
	value->block_size = size;
	cursor->at += size;
}

static void take_text(struct dwarf_cursor *cursor, struct dwarf_value *value)
{
	const void *end = dwarf_has(cursor, 1)
				  ? memchr(cursor->bytes + cursor->at, 0,
					   cursor->end - cursor->at)
				  : NULL;

	if (!end) {
		cursor->is_bad = true;
		return;
	}
	value->text = (const char *)cursor->bytes + cursor->at;
	cursor->at = (uint64_t)((const uint8_t *)end - cursor->bytes) + 1;
}

static struct dwarf_ref ref_in(struct dwarf *dwarf, uint64_t offset)
{
	return (struct dwarf_ref){ .dwarf = dwarf, .offset = offset };
}

static void take_reference(struct dwarf *dwarf, const struct dwarf_unit *unit,
			   struct dwarf_cursor *cursor, uint32_t form,
			   struct dwarf_value *value)
{
	static const uint8_t sizes[] = {
		[FORM_REF1] = 1,
		[FORM_REF2] = 2,
		[FORM_REF4] = 4,
		[FORM_REF8] = 8,
	};
	uint64_t offset;

	switch (form) {
	case FORM_REF_UDATA:
		offset = dwarf_take_unsigned(cursor) + unit->start;
		break;
	case FORM_REF_ADDR:
		offset = dwarf_take(cursor,
				    unit->version < 3 ? 8 : unit->offset_size);
		break;
	case FORM_GNU_REF_ALT:
	case FORM_REF_SUP4:
	case FORM_REF_SUP8:
		offset = dwarf_take(cursor, form == FORM_REF_SUP4 ? 4
					    : form == FORM_REF_SUP8
						    ? 8
						    : unit->offset_size);
		value->ref = ref_in(dwarf->shared, offset);
		return;
	case FORM_REF_SIG8:
		value->ref = ref_in(dwarf, 0);
		value->ref.signature = dwarf_take(cursor, 8);
		return;
	default:
		offset = dwarf_take(cursor, sizes[form]) + unit->start;
		break;
	}
	value->ref = ref_in(dwarf, offset);
	value->number = offset;
}

/* Texts and addresses that are stored elsewhere; false: not such a form. */
static bool take_indirect(struct dwarf *dwarf, const struct dwarf_unit *unit,
			  struct dwarf_cursor *cursor, uint32_t form,
			  struct dwarf_value *value)
{
	switch (form) {
	case FORM_STRP:
		value->text = text_at(dwarf, DWARF_STR,
				      dwarf_take(cursor, unit->offset_size));
		return true;
	case FORM_LINE_STRP:
		value->text = text_at(dwarf, DWARF_LINE_STR,
				      dwarf_take(cursor, unit->offset_size));
		return true;
	case FORM_STRP_SUP:
	case FORM_GNU_STRP_ALT: {
		uint64_t offset = dwarf_take(cursor, unit->offset_size);

		if (dwarf->shared)
			value->text = text_at(dwarf->shared, DWARF_STR, offset);
		return true;
	}
	case FORM_STRX:
	case FORM_GNU_STR_INDEX:
		value->text = text_by_index(dwarf, unit,
					    dwarf_take_unsigned(cursor));
		return true;
	case FORM_STRX1:
	case FORM_STRX2:
	case FORM_STRX3:
	case FORM_STRX4:
		value->text = text_by_index(dwarf, unit,
					    dwarf_take(cursor,
						       form - FORM_STRX1 + 1));
		return true;
	case FORM_ADDRX:
	case FORM_GNU_ADDR_INDEX:
		value->number = dwarf_address(dwarf, unit,
					      dwarf_take_unsigned(cursor));
		value->is_address = true;
		return true;
	case FORM_ADDRX1:
	case FORM_ADDRX2:
	case FORM_ADDRX3:
	case FORM_ADDRX4:
		value->number = dwarf_address(
			dwarf, unit,
			dwarf_take(cursor, form - FORM_ADDRX1 + 1));
		value->is_address = true;
		return true;
	default:
		return false;
	}
}

void dwarf_take_value(struct dwarf *dwarf, const struct dwarf_unit *unit,
		      struct dwarf_cursor *cursor,
		      const struct dwarf_attribute *attribute,
		      struct dwarf_value *value)
{
	uint32_t form = attribute->form;

	*value = (struct dwarf_value){ 0 };
	if (form == FORM_INDIRECT)
		form = (uint32_t)dwarf_take_unsigned(cursor);
	switch (form) {
	case FORM_ADDR:
		value->is_address = true;
		value->number = dwarf_take(cursor, 8);
		return;
	case FORM_DATA1:
	case FORM_FLAG:
		value->number = dwarf_take(cursor, 1);
		return;
	case FORM_DATA2:
		value->number = dwarf_take(cursor, 2);
		return;
	case FORM_DATA4:
		value->number = dwarf_take(cursor, 4);
		return;
	case FORM_DATA8:
		value->number = dwarf_take(cursor, 8);
		return;
	case FORM_DATA16:
		step(cursor, 16);
		return;
	case FORM_SDATA:
		value->number = (uint64_t)dwarf_take_signed(cursor);
		return;
	case FORM_UDATA:
	case FORM_LOCLISTX:
	case FORM_RNGLISTX:
		value->number = dwarf_take_unsigned(cursor);
		value->is_index = form == FORM_RNGLISTX;
		return;
	case FORM_SEC_OFFSET:
		value->number = dwarf_take(cursor, unit->offset_size);
		return;
	case FORM_FLAG_PRESENT:
		value->number = 1;
		return;
	case FORM_IMPLICIT_CONST:
		value->number = (uint64_t)attribute->constant;
		return;
	case FORM_STRING:
		take_text(cursor, value);
		return;
	case FORM_BLOCK1:
		take_block(cursor, dwarf_take(cursor, 1), value);
		return;
	case FORM_BLOCK2:
		take_block(cursor, dwarf_take(cursor, 2), value);
		return;
	case FORM_BLOCK4:
		take_block(cursor, dwarf_take(cursor, 4), value);
		return;
	case FORM_BLOCK:
	case FORM_EXPRLOC:
		take_block(cursor, dwarf_take_unsigned(cursor), value);
		return;
	case FORM_REF1:
	case FORM_REF2:
	case FORM_REF4:
	case FORM_REF8:
	case FORM_REF_UDATA:
	case FORM_REF_ADDR:
	case FORM_REF_SIG8:
	case FORM_REF_SUP4:
	case FORM_REF_SUP8:
	case FORM_GNU_REF_ALT:
		take_reference(dwarf, unit, cursor, form, value);
		return;
	default:
		if (!take_indirect(dwarf, unit, cursor, form, value))
			cursor->is_bad = true;
	}
}
