/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Inside btf/: the raw reader of BTF files (btf.c).  It knows the encoding and
 * nothing about `struct type`; kernel.c turns records into types.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct btf_file;

/* As in the kernel's UAPI; newer kinds are skipped, see btf.c. */
enum btf_kind {
	BTF_VOID, BTF_INT, BTF_PTR, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM,
	BTF_FWD, BTF_TYPEDEF, BTF_VOLATILE, BTF_CONST, BTF_RESTRICT, BTF_FUNC,
	BTF_FUNC_PROTO, BTF_VAR, BTF_DATASEC, BTF_FLOAT, BTF_DECL_TAG,
	BTF_TYPE_TAG, BTF_ENUM64,
	BTF_KNOWN_KINDS
};

#define BTF_MASK(kind) (1u << (kind))

/* One record, its extent checked: `data` has all that `kind` and vlen say. */
struct btf_record {
	uint32_t id;
	enum btf_kind kind;
	uint32_t vlen;
	bool flag;     /* kind_flag: bit-fields, signed enum, union */
	uint32_t name; /* offset for btf_string() */
	uint32_t size_or_type;
	const unsigned char *data;
};

/* 32-bit word `index` after a record's head. */
static inline uint32_t btf_word(const struct btf_record *record, size_t index)
{
	uint32_t word;

	memcpy(&word, record->data + index * sizeof(word), sizeof(word));
	return word;
}

/*
 * `base` is the file that a split file (a module's) continues, or NULL; it
 * must outlive it.  0 or a negative errno.  `module` is "" for the kernel.
 */
int btf_open(struct btf_file **file, const char *path, struct btf_file *base,
	     const char *module);
/* The same for bytes in memory, which are borrowed. */
int btf_open_memory(struct btf_file **file, const void *bytes, size_t length,
		    struct btf_file *base, const char *module);
void btf_close(struct btf_file *file);

/* It describes a user program: its pointers are not the kernel's. */
void btf_set_user(struct btf_file *file);
bool btf_is_user(const struct btf_file *file);

/* False: no such id, or the record is damaged.  Base ids are found too. */
bool btf_read(struct btf_file *file, uint32_t id, struct btf_record *record);
/* The file (this or its base) in which `id` lives. */
struct btf_file *btf_owner(struct btf_file *file, uint32_t id);
/* Never NULL; "" for none or for a bad offset. */
const char *btf_string(const struct btf_file *file, uint32_t offset);
/* Ids are below this; reads the whole file. */
uint32_t btf_count(struct btf_file *file);

/*
 * First record of this file (not of its base) with that name and one of the
 * kinds; 0 = none.
 */
uint32_t btf_find(struct btf_file *file, uint32_t kinds, struct str name);
/* An enumerator of any enum of this file. */
bool btf_find_enumerator(struct btf_file *file, struct str name,
			 int64_t *value);
/* Enumerator `index` of an ENUM or ENUM64 record. */
int64_t btf_enumerator(const struct btf_record *record, uint32_t index,
		       uint32_t *name);

/* What kernel.c made of an id.  Borrowed. */
void *btf_made(const struct btf_file *file, uint32_t id);
void btf_set_made(struct btf_file *file, uint32_t id, void *made);

/* For tests: build the name index now instead of after many searches. */
void btf_build_index(struct btf_file *file);
