/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside btf/: reading DWARF.  dwarf_form.c knows how values are written,
 * dwarf_read.c hands out entries; dwarf_unit.c finds entries by address and by
 * name; dwarf_type.c makes types of them.
 */

#include "btf/dwarf.h"
#include "btf/internal.h"

/* The parts of the standard that are used here. */
enum {
	TAG_ARRAY_TYPE = 0x01, TAG_CLASS_TYPE = 0x02,
	TAG_ENUMERATION_TYPE = 0x04, TAG_FORMAL_PARAMETER = 0x05,
	TAG_LEXICAL_BLOCK = 0x0b, TAG_MEMBER = 0x0d, TAG_POINTER_TYPE = 0x0f, TAG_REFERENCE_TYPE = 0x10,
	TAG_STRUCTURE_TYPE = 0x13, TAG_SUBROUTINE_TYPE = 0x15,
	TAG_TYPEDEF = 0x16, TAG_UNION_TYPE = 0x17,
	TAG_UNSPECIFIED_PARAMETERS = 0x18, TAG_INHERITANCE = 0x1c,
	TAG_INLINED_SUBROUTINE = 0x1d,
	TAG_PTR_TO_MEMBER_TYPE = 0x1f, TAG_SUBRANGE_TYPE = 0x21,
	TAG_BASE_TYPE = 0x24, TAG_CONST_TYPE = 0x26, TAG_ENUMERATOR = 0x28,
	TAG_SUBPROGRAM = 0x2e, TAG_VOLATILE_TYPE = 0x35,
	TAG_RESTRICT_TYPE = 0x37, TAG_NAMESPACE = 0x39,
	TAG_RVALUE_REFERENCE_TYPE = 0x42,
	TAG_TEMPLATE_ALIAS = 0x43, TAG_ATOMIC_TYPE = 0x47,
	TAG_PARAMETER_PACK = 0x4108,
};

enum {
	ENCODING_BOOLEAN = 2, ENCODING_FLOAT = 4, ENCODING_SIGNED = 5,
	ENCODING_SIGNED_CHAR = 6, ENCODING_UNSIGNED_CHAR = 8,
	ENCODING_UTF = 0x10,
};

enum {
	LANGUAGE_GO = 0x16, LANGUAGE_RUST = 0x1c, LANGUAGE_ASSEMBLER = 0x8001,
};

enum { CALL_NO_CONVENTION = 3, CALL_BY_REFERENCE = 4 };

struct dwarf_attribute {
	uint32_t name, form;
	int64_t constant; /* DW_FORM_implicit_const */
};

struct dwarf_abbrev {
	uint64_t code;
	uint32_t tag;
	bool has_children;
	struct dwarf_attribute *attributes;
	uint32_t nattributes;
};

/* Those of a unit, or of several that share them. */
struct dwarf_abbrevs {
	uint64_t offset;	    /* in .debug_abbrev */
	struct dwarf_abbrev *items; /* by code */
	uint32_t count;
	struct dwarf_abbrevs *next;
};

struct dwarf_place {
	uint64_t address, offset;
};

struct dwarf_unit {
	uint64_t start, end; /* in .debug_info */
	uint64_t first;	     /* its first entry */
	uint64_t abbrev_offset;
	uint64_t signature, type_offset; /* of a type unit */
	uint16_t version;
	uint8_t offset_size; /* 4 or 8 */
	bool is_ready;	     /* what follows has been read */
	bool is_good;
	const struct dwarf_abbrevs *abbrevs;
	uint64_t str_offsets_base, addr_base, rnglists_base;
	uint64_t low_pc, language;
	bool is_indexed;
	struct dwarf_place *functions; /* by address */
	size_t nfunctions;
};

/* Code of a unit. */
struct dwarf_span {
	uint64_t start, end;
	size_t unit;
};

struct dwarf {
	const void *key;
	struct dwarf_sections sections;
	struct dwarf *shared;
	struct dwarf *owner;	  /* of a shared one */
	struct dwarf_unit *units; /* by start */
	size_t nunits;
	struct dwarf_abbrevs *abbrevs; /* read last first */
	struct table shared_abbrevs;   /* the same by offset */
	struct table made;	       /* types by offset */
	struct table functions;	       /* what is known by address */
	struct dwarf_span *spans;      /* of units, by address */
	size_t nspans;
	bool has_spans;
	struct budget *budget; /* or NULL */
	uint64_t held;	       /* of it */
	uint32_t steps;	       /* work that has not been counted yet */
	bool is_spent;	       /* the budget is used up */
	struct dwarf *next;
};

/* Something another entry refers to; dwarf NULL: nothing. */
struct dwarf_ref {
	struct dwarf *dwarf;
	uint64_t offset;
	uint64_t signature; /* instead of an offset */
};

/* An entry, with the attributes that are used here. */
struct dwarf_entry {
	struct dwarf *dwarf;
	struct dwarf_unit *unit;
	uint64_t offset;
	uint64_t end; /* after its attributes */
	uint32_t tag; /* 0: no entry, the end of a list */
	bool has_children;
	const char *name;
	const char *linkage; /* the name that the linker has for it */
	uint64_t line_program, call_file, call_line;
	struct dwarf_ref type, origin, signature;
	uint64_t sibling; /* 0: not given */
	uint64_t low_pc, high_pc, ranges, count, upper_bound;
	uint64_t byte_size, bit_size, bit_offset, data_bit_offset;
	uint64_t member_at, encoding, convention, language;
	int64_t const_value;
	uint64_t str_offsets_base, addr_base, rnglists_base;
	bool has_line_program;
	bool has_low_pc, is_high_relative, has_ranges, is_range_index;
	bool has_count, has_upper_bound, has_byte_size, has_bit_offset;
	bool has_data_bit_offset, is_declaration, is_external, is_artificial;
	bool is_trivial;  /* a function of a class: = default, = delete */
	bool is_split;	  /* a unit: its entries are in another file */
	bool is_unplaced; /* its place in the parent is unknown */
};

/* dwarf_form.c */

struct dwarf_cursor {
	const uint8_t *bytes;
	uint64_t at, end;
	bool is_bad;
};

/* An attribute's value, as its form has it. */
struct dwarf_value {
	uint64_t number;
	const char *text;
	struct dwarf_ref ref;
	const uint8_t *block;
	uint64_t block_size;
	bool is_index; /* DW_FORM_rnglistx */
	bool is_address;
};

enum { DWARF_IMPLICIT_CONST = 0x21 }; /* the form without a value */

struct dwarf_cursor dwarf_cursor_in(const struct dwarf_bytes *bytes,
				    uint64_t at, uint64_t end);
/* Are there that many bytes?  If not, the cursor is bad. */
bool dwarf_has(struct dwarf_cursor *cursor, uint64_t count);
uint64_t dwarf_take(struct dwarf_cursor *cursor, unsigned size);
uint64_t dwarf_take_unsigned(struct dwarf_cursor *cursor);
int64_t dwarf_take_signed(struct dwarf_cursor *cursor);
void dwarf_take_value(struct dwarf *dwarf, const struct dwarf_unit *unit,
		      struct dwarf_cursor *cursor,
		      const struct dwarf_attribute *attribute,
		      struct dwarf_value *value);
/* From .debug_addr; 0: it is not there. */
uint64_t dwarf_address(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		       uint64_t index);

/*
 * dwarf_read.c.  Untrusted files may be crafted so that a walk takes forever: a
 * walk counts its steps, and stops at false.
 */
enum { DWARF_STEP = 32, DWARF_STEPS = 1 << 20 };
bool dwarf_pay(struct dwarf *dwarf);
static inline bool dwarf_work(struct dwarf *dwarf, uint32_t work)
{
	dwarf->steps += work;
	return dwarf->steps < DWARF_STEPS || dwarf_pay(dwarf);
}
/* Memory that stays. */
bool dwarf_keep(struct dwarf *dwarf, uint64_t bytes);
bool dwarf_read_units(struct dwarf *dwarf);
/* False: it is damaged, or of an unknown kind. */
bool dwarf_unit_ready(struct dwarf *dwarf, struct dwarf_unit *unit);
/* What reading has allocated. */
void dwarf_free_units(struct dwarf *dwarf);
/* At an offset of a unit that is ready. */
bool dwarf_entry_at(struct dwarf *dwarf, struct dwarf_unit *unit,
		    uint64_t offset, struct dwarf_entry *entry);
/* Where a reference leads. */
bool dwarf_follow(const struct dwarf_ref *ref, struct dwarf_entry *entry);
/* The first child, and the next one of the same parent; false: none. */
bool dwarf_child(const struct dwarf_entry *parent, struct dwarf_entry *child);
bool dwarf_next(const struct dwarf_entry *entry, struct dwarf_entry *next);

/* dwarf_unit.c */
/*
 * Walks the code of an entry: false when `visit` has seen enough, which it
 * says by returning false.
 */
typedef bool dwarf_range_visit(void *data, uint64_t start, uint64_t end);
bool dwarf_walk_code(const struct dwarf_entry *entry, dwarf_range_visit *visit,
		     void *data);
bool dwarf_covers(const struct dwarf_entry *entry, uint64_t address);
/* The function of the unit that has an address anywhere in it. */
bool dwarf_find_around(struct dwarf *dwarf, struct dwarf_unit *unit,
		       uint64_t address, struct dwarf_entry *found);
/* The function that starts there. */
enum dwarf_found dwarf_find_function(struct dwarf *dwarf, uint64_t address,
				     struct dwarf_entry *found);
/* The definition of a tag, in `unit` or in any other. */
bool dwarf_find_tag(struct dwarf *dwarf, struct dwarf_unit *unit,
		    enum tag_kind tag, const char *name,
		    struct dwarf_entry *found);
enum tag_kind dwarf_tag_kind(uint32_t tag);

/* dwarf_line.c */
struct dwarf_line {
	const char *file; /* "": unknown */
	uint64_t line;
};
/* The line of an address of a unit. */
void dwarf_find_line(struct dwarf *dwarf, struct dwarf_unit *unit,
		     uint64_t program, uint64_t address,
		     struct dwarf_line *line);
/* The name of a file by its number in the unit. */
const char *dwarf_file_name(struct dwarf *dwarf, struct dwarf_unit *unit,
			    uint64_t program, uint64_t file);

/* dwarf_type.c */
bool dwarf_complete(struct types *types, struct type *type);
struct type *dwarf_resolve(struct types *types, struct type *forward);
void dwarf_free_all(struct types *types);
