/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/hotspot_vm.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
	PAGE = 4096, PAGES = 64, ENTRIES_MOST = 20000, STRIDE_MOST = 256,
	NAME_MOST = 128,
};

enum { OPTIONAL, NEEDED };

/* ----------------------------------------------------------- what is asked */

static const struct field_row {
	enum hotspot_field field;
	const char *type, *member;
} field_rows[] = {
#define FIELD(id, need, type, member) { HOTSPOT_##id, type, member },
#define OR_FIELD(id, type, member) { HOTSPOT_##id, type, member },
#define SIZE(id, need, type)
#define CONSTANT(id, need, name)
#define OR_CONSTANT(id, name)
#include "runtime/hotspot_tables.def"
};

static const struct size_row {
	enum hotspot_size size;
	const char *type;
} size_rows[] = {
#define FIELD(id, need, type, member)
#define OR_FIELD(id, type, member)
#define SIZE(id, need, type) { HOTSPOT_SIZE_##id, type },
#define CONSTANT(id, need, name)
#define OR_CONSTANT(id, name)
#include "runtime/hotspot_tables.def"
};

static const struct constant_row {
	enum hotspot_constant constant;
	const char *name;
} constant_rows[] = {
#define FIELD(id, need, type, member)
#define OR_FIELD(id, type, member)
#define SIZE(id, need, type)
#define CONSTANT(id, need, name) { HOTSPOT_CONSTANT_##id, name },
#define OR_CONSTANT(id, name) { HOTSPOT_CONSTANT_##id, name },
#include "runtime/hotspot_tables.def"
};

/* ---------------------------------------------------------------- reading */

bool hotspot_bytes(const struct hotspot_vm *vm, void *to, size_t size,
		   uint64_t from)
{
	return from && from + size > from &&
	       vm->memory.read(vm->memory.source, to, size, from);
}

static uint64_t number(const uint8_t *bytes, unsigned size, bool is_signed)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	if (is_signed && size < 8 && value >> (size * 8 - 1))
		value |= ~0ull << (size * 8);
	return value;
}

bool hotspot_get(const struct hotspot_vm *vm, enum hotspot_field field,
		 uint64_t object, uint64_t *value)
{
	const struct hotspot_place *place = &vm->fields[field];
	uint64_t at = place->is_static ? place->at : object + place->at;
	uint8_t bytes[8];

	if (!place->is_known || !place->size ||
	    (!place->is_static && !hotspot_is_pointer(object)) ||
	    !hotspot_bytes(vm, bytes, place->size, at))
		return false;
	*value = number(bytes, place->size, place->is_signed);
	return true;
}

uint64_t hotspot_value(const struct hotspot_vm *vm, enum hotspot_field field,
		       uint64_t object)
{
	uint64_t value;

	return hotspot_get(vm, field, object, &value) ? value : 0;
}

uint64_t hotspot_inner(const struct hotspot_vm *vm, enum hotspot_field field,
		       uint64_t object)
{
	return object + vm->fields[field].at;
}

bool hotspot_text(const struct hotspot_vm *vm, uint64_t from, char *to,
		  size_t size)
{
	size_t have = 0;

	while (have + 1 < size) {
		size_t part = PAGE - ((from + have) & (PAGE - 1));

		if (part > size - 1 - have)
			part = size - 1 - have;
		if (!hotspot_bytes(vm, to + have, part, from + have))
			return false;
		if (memchr(to + have, '\0', part))
			return true;
		have += part;
	}
	to[have] = '\0';
	return true;
}

/* ------------------------------------------------------------- the tables */

/* Tables have thousands of entries, close together: whole pages are read. */
struct tables {
	struct hotspot_vm *vm;
	hotspot_symbol *symbol;
	void *data;
	struct {
		uint64_t address; /* 0: none */
		uint8_t bytes[PAGE];
	} pages[PAGES];
};

static bool cached(void *source, void *to, size_t size, uint64_t from)
{
	struct tables *t = source;
	uint8_t *at = to;

	while (size) {
		uint64_t page = from & ~(uint64_t)(PAGE - 1);
		size_t n = page / PAGE % PAGES, offset = from - page;
		size_t part = PAGE - offset < size ? PAGE - offset : size;

		if (!page)
			return false;
		if (t->pages[n].address != page) {
			t->pages[n].address = 0;
			if (!hotspot_bytes(t->vm, t->pages[n].bytes, PAGE,
					   page))
				return false;
			t->pages[n].address = page;
		}
		memcpy(at, t->pages[n].bytes + offset, part);
		at += part;
		from += part;
		size -= part;
	}
	return true;
}

/* What an exported variable holds; 0: it is not there. */
static uint64_t exported(struct tables *t, const char *name)
{
	uint64_t address = t->symbol(t->data, name), value = 0;

	if (!address || !cached(t, &value, sizeof(value), address))
		return 0;
	return value;
}

struct table {
	uint64_t entry; /* address of the current one */
	uint64_t stride, count;
};

static bool begin(struct tables *t, struct table *table, const char *name,
		  const char *stride)
{
	*table = (struct table){
		.entry = exported(t, name),
		.stride = exported(t, stride),
	};
	return table->entry && table->stride >= 8 &&
	       table->stride <= STRIDE_MOST;
}

static bool word(struct tables *t, uint64_t address, void *to, size_t size)
{
	return cached(t, to, size, address);
}

/* The text that a member of the entry points to; "" if it is NULL. */
static bool name_in(struct tables *t, const struct table *table,
		    uint64_t offset, char name[NAME_MOST])
{
	uint64_t address = 0;

	name[0] = '\0';
	if (offset > STRIDE_MOST ||
	    !word(t, table->entry + offset, &address, sizeof(address)))
		return false;
	if (!address)
		return true;
	for (unsigned i = 0; i < NAME_MOST; i++) {
		if (!cached(t, name + i, 1, address + i))
			return false;
		if (!name[i])
			return true;
	}
	name[NAME_MOST - 1] = '\0';
	return true;
}

/* The next entry, whose name is at the offset; false: there is none. */
static bool next(struct tables *t, struct table *table, uint64_t offset,
		 char name[NAME_MOST])
{
	if (table->count)
		table->entry += table->stride;
	return table->count++ < ENTRIES_MOST &&
	       name_in(t, table, offset, name) && name[0];
}

/* ------------------------------------------------------------------ types */

/* Types of members are found among those that are described. */
struct type {
	char name[32];
	uint8_t size;
	bool is_signed;
};

struct types {
	struct type types[256];
	unsigned count;
};

static bool read_types(struct tables *t, struct types *types)
{
	uint64_t name_at = exported(t, "gHotSpotVMTypeEntryTypeNameOffset");
	uint64_t size_at = exported(t, "gHotSpotVMTypeEntrySizeOffset");
	uint64_t unsigned_at = exported(t,
					"gHotSpotVMTypeEntryIsUnsignedOffset");
	struct table table;
	char name[NAME_MOST];

	if (!begin(t, &table, "gHotSpotVMTypes",
		   "gHotSpotVMTypeEntryArrayStride"))
		return false;
	while (next(t, &table, name_at, name)) {
		uint64_t size = 0;
		int32_t is_unsigned = 0;

		if (!word(t, table.entry + size_at, &size, sizeof(size)) ||
		    !word(t, table.entry + unsigned_at, &is_unsigned,
			  sizeof(is_unsigned)))
			return false;
		for (size_t i = 0; i < sizeof(size_rows) / sizeof(*size_rows);
		     i++)
			if (!strcmp(size_rows[i].type, name) && size < 65536)
				t->vm->sizes[size_rows[i].size] = size;
		if ((size != 1 && size != 2 && size != 4 && size != 8) ||
		    strlen(name) >= sizeof(types->types->name) ||
		    types->count == 256)
			continue;
		struct type *type = &types->types[types->count++];

		strcpy(type->name, name);
		type->size = (uint8_t)size;
		type->is_signed = !is_unsigned;
	}
	return true;
}

static void set_type(const struct types *types, struct hotspot_place *place,
		     const char *name)
{
	static const char *const whole[] = { "volatile ", "const " };
	size_t length;

	for (unsigned i = 0; i < 2; i++)
		if (!strncmp(name, whole[i], strlen(whole[i])))
			name += strlen(whole[i]);
	length = strlen(name);
	if ((length && name[length - 1] == '*') || !strcmp(name, "address")) {
		place->size = 8;
		return;
	}
	for (unsigned i = 0; i < types->count; i++)
		if (!strcmp(types->types[i].name, name)) {
			place->size = types->types[i].size;
			place->is_signed = types->types[i].is_signed;
			return;
		}
}

static const struct field_row *field_asked(const char *type, const char *member)
{
	for (size_t i = 0; i < sizeof(field_rows) / sizeof(*field_rows); i++)
		if (!strcmp(field_rows[i].member, member) &&
		    !strcmp(field_rows[i].type, type))
			return &field_rows[i];
	return NULL;
}

static bool is_type_asked(const char *type)
{
	for (size_t i = 0; i < sizeof(field_rows) / sizeof(*field_rows); i++)
		if (!strcmp(field_rows[i].type, type))
			return true;
	return false;
}

static bool read_fields(struct tables *t, const struct types *types)
{
	uint64_t type_at = exported(t, "gHotSpotVMStructEntryTypeNameOffset");
	uint64_t member_at = exported(t,
				      "gHotSpotVMStructEntryFieldNameOffset");
	uint64_t text_at = exported(t, "gHotSpotVMStructEntryTypeStringOffset");
	uint64_t static_at = exported(t, "gHotSpotVMStructEntryIsStaticOffset");
	uint64_t offset_at = exported(t, "gHotSpotVMStructEntryOffsetOffset");
	uint64_t address_at = exported(t, "gHotSpotVMStructEntryAddressOffset");
	char name[NAME_MOST], member[NAME_MOST], text[NAME_MOST];
	struct table table;

	if (!begin(t, &table, "gHotSpotVMStructs",
		   "gHotSpotVMStructEntryArrayStride"))
		return false;
	while (next(t, &table, type_at, name)) {
		const struct field_row *row;
		struct hotspot_place place = { .is_known = true };
		int32_t is_static = 0;

		if (!is_type_asked(name))
			continue;
		if (!name_in(t, &table, member_at, member))
			return false;
		row = field_asked(name, member);
		if (!row || hotspot_has(t->vm, row->field))
			continue;
		if (!name_in(t, &table, text_at, text) ||
		    !word(t, table.entry + static_at, &is_static,
			  sizeof(is_static)) ||
		    !word(t, table.entry + (is_static ? address_at : offset_at),
			  &place.at, sizeof(place.at)))
			return false;
		place.is_static = is_static;
		if (!is_static && place.at >= 65536)
			continue;
		set_type(types, &place, text);
		t->vm->fields[row->field] = place;
	}
	return true;
}

static bool read_constants(struct tables *t)
{
	uint64_t name_at = exported(t, "gHotSpotVMIntConstantEntryNameOffset");
	uint64_t value_at = exported(t,
				     "gHotSpotVMIntConstantEntryValueOffset");
	struct table table;
	char name[NAME_MOST];
	int32_t value;

	if (!begin(t, &table, "gHotSpotVMIntConstants",
		   "gHotSpotVMIntConstantEntryArrayStride"))
		return false;
	while (next(t, &table, name_at, name))
		for (size_t i = 0;
		     i < sizeof(constant_rows) / sizeof(*constant_rows); i++) {
			enum hotspot_constant n = constant_rows[i].constant;

			if (strcmp(constant_rows[i].name, name))
				continue;
			if (!word(t, table.entry + value_at, &value,
				  sizeof(value)))
				return false;
			t->vm->constants[n] = value;
			t->vm->has_constant[n] = true;
		}
	return true;
}

/* What is needed and not there, or NULL. */
static const char *missing(const struct hotspot_vm *vm)
{
#define NOT_THERE "the Java virtual machine does not describe "
#define FIELD(id, need, type, member)                   \
	if ((need) && !vm->fields[HOTSPOT_##id].is_known) \
		return NOT_THERE type "::" member;
#define OR_FIELD(id, type, member)
#define SIZE(id, need, type)                       \
	if ((need) && !vm->sizes[HOTSPOT_SIZE_##id]) \
		return NOT_THERE "the size of " type;
#define CONSTANT(id, need, name)                               \
	if ((need) && !vm->has_constant[HOTSPOT_CONSTANT_##id]) \
		return NOT_THERE name;
#define OR_CONSTANT(id, name)
#include "runtime/hotspot_tables.def"
	return NULL;
}

bool hotspot_vm_read(struct hotspot_vm *vm, struct hotspot_memory memory,
		     hotspot_symbol *symbol, void *data, const char **why_not)
{
	struct tables *t = must_alloc(sizeof(*t));
	struct types *types = must_alloc(sizeof(*types));

	memset(t, 0, sizeof(*t));
	types->count = 0;
	*vm = (struct hotspot_vm){ .memory = memory };
	t->vm = vm;
	t->symbol = symbol;
	t->data = data;
	bool is_read = read_types(t, types) && read_fields(t, types) &&
		       read_constants(t);

	free(types);
	free(t);
	*why_not = is_read ? missing(vm)
			   : "the tables that libjvm exports cannot be read";
	return !*why_not;
}
