/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * A Java virtual machine's description of itself.
 *
 * libjvm exports tables for its serviceability agent: names of structures and
 * members with offsets, sizes, addresses of static members, and constants.  The
 * layout of the tables is exported, too.  So nothing depends on a version: what
 * a machine does not describe is not known, and what these files need they ask
 * for by name (hotspot_tables.def).
 *
 * Everything is read from the memory of a running process, which may be
 * hostile: each read can fail, each number is checked where it is used, and
 * each loop has a limit.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory of the process; false: it cannot be read. */
struct hotspot_memory {
	bool (*read)(void *source, void *to, size_t size, uint64_t from);
	void *source;
};

/* HOTSPOT_code_low ..., HOTSPOT_SIZE_block ..., HOTSPOT_CONSTANT_sender_sp ... */
enum hotspot_field {
#define FIELD(id, need, type, member) HOTSPOT_##id,
#define OR_FIELD(id, type, member)
#define SIZE(id, need, type)
#define CONSTANT(id, need, name)
#define OR_CONSTANT(id, name)
#include "runtime/hotspot_tables.def"
	HOTSPOT_FIELDS
};

enum hotspot_size {
#define FIELD(id, need, type, member)
#define OR_FIELD(id, type, member)
#define SIZE(id, need, type) HOTSPOT_SIZE_##id,
#define CONSTANT(id, need, name)
#define OR_CONSTANT(id, name)
#include "runtime/hotspot_tables.def"
	HOTSPOT_SIZES
};

enum hotspot_constant {
#define FIELD(id, need, type, member)
#define OR_FIELD(id, type, member)
#define SIZE(id, need, type)
#define CONSTANT(id, need, name) HOTSPOT_CONSTANT_##id,
#define OR_CONSTANT(id, name)
#include "runtime/hotspot_tables.def"
	HOTSPOT_CONSTANTS
};

/* A member: where it is in its structure, or its address if it is static. */
struct hotspot_place {
	uint64_t at;
	uint8_t size; /* 0: it is a structure itself */
	bool is_known, is_static, is_signed;
};

struct hotspot_vm {
	struct hotspot_memory memory;
	struct hotspot_place fields[HOTSPOT_FIELDS];
	uint64_t sizes[HOTSPOT_SIZES]; /* 0: not known */
	int64_t constants[HOTSPOT_CONSTANTS];
	bool has_constant[HOTSPOT_CONSTANTS];
};

/* The address of a symbol that libjvm exports; 0: it has none of that name. */
typedef uint64_t hotspot_symbol(void *data, const char *name);

/* Read the tables; false: *why_not says what is missing. */
bool hotspot_vm_read(struct hotspot_vm *vm, struct hotspot_memory memory,
		     hotspot_symbol *symbol, void *data, const char **why_not);

static inline bool hotspot_has(const struct hotspot_vm *vm,
			       enum hotspot_field field)
{
	return vm->fields[field].is_known;
}

bool hotspot_bytes(const struct hotspot_vm *vm, void *to, size_t size,
		   uint64_t from);
/* A member of the object; false: it cannot be read, or is not known. */
bool hotspot_get(const struct hotspot_vm *vm, enum hotspot_field field,
		 uint64_t object, uint64_t *value);
/* The same, 0 where it is not known. */
uint64_t hotspot_value(const struct hotspot_vm *vm, enum hotspot_field field,
		       uint64_t object);
/* Where a member is that is a structure itself. */
uint64_t hotspot_inner(const struct hotspot_vm *vm, enum hotspot_field field,
		       uint64_t object);
/* Could an object be at this address? */
static inline bool hotspot_is_pointer(uint64_t address)
{
	return address >= 4096 && address < 1ull << 47 && !(address & 7);
}
/* Text up to a NUL; size includes that.  False: it cannot be read. */
bool hotspot_text(const struct hotspot_vm *vm, uint64_t from, char *to,
		  size_t size);
