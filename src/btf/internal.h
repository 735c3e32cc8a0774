/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Inside btf/: what its files share besides type.h. */

#include "base/table.h"
#include "base/vec.h"
#include "btf/btf.h"
#include "btf/type.h"

enum kernel_state { KERNEL_UNTRIED, KERNEL_OPEN, KERNEL_CLOSED };

struct types {
	struct arena *arena;
	uint64_t strsize;
	struct type *base[BASE_COUNT];

	/*
	 * D's own, the program's and the libraries'.  Each defines in its own
	 * part and looks there first, so that no name of a program can break a
	 * library.
	 */
	struct own_types {
		struct table tags[3]; /* TAG_STRUCT - 1 ... */
		struct table typedefs;
	} own[2];
	bool in_library;	   /* the current one */
	struct table member_names; /* address of a type, then a name */

	/* The kernel: kernel.c. */
	enum kernel_state kernel_state;
	int kernel_error;
	const char *kernel_path; /* instead of the running kernel's */
	struct btf_file *kernel;
	struct vec modules; /* struct btf_module, all once listed */
	bool modules_listed;
	struct table found; /* earlier unscoped searches */

	struct dwarf *dwarfs;		   /* of user programs: dwarf_type.c */
	struct vec user_files, user_bytes; /* BTF of user programs */
};

/*
 * How deep types may be nested, and how many structs one question may open,
 * before something must be wrong with them.
 */
enum { DEEPEST = 64, MOST_OPENED = 4096 };

/* types.c */
struct type *type_new(struct types *types, enum type_kind kind,
		      const char *name);

/*
 * base.c: "long unsigned int" and the like in any legal order; BASE_COUNT
 * when the words make no base type.
 */
enum base_type base_type_named(struct str text);
/* Adds one word to a running count; false: not a base type's word. */
struct base_words {
	uint8_t counts[12];
};
bool base_words_add(struct base_words *words, struct str word);
enum base_type base_words_type(const struct base_words *words);
/* Make one of the predefined typedefs, or NULL: no such name. */
struct type *predefined_type(struct types *types, struct str name);
/* Is it a predefined typedef that a program may define differently? */
bool predefined_is_open(const struct type *type);
const char *predefined_name(size_t index); /* NULL at the end */
void base_types_make(struct types *types);

/* kernel.c */
struct type *kernel_lookup(struct types *types, const char *scope,
			   enum tag_kind tag, struct str name);
bool kernel_complete(struct types *types, struct type *type);
bool kernel_member(struct types *types, struct type *sou, const char *name,
		   unsigned *budget, struct member *found);
struct type *kernel_resolve(struct types *types, struct type *forward);
void kernel_free(struct types *types);

/* query.c */
/* `budget` counts the structs that may still be opened on the way. */
bool type_member_deep(struct types *types, struct type *sou, const char *name,
		      unsigned *budget, struct member *found);

static inline enum tag_kind type_tag_kind(const struct type *type)
{
	switch (type->kind) {
	case TYPE_STRUCT:
		return TAG_STRUCT;
	case TYPE_UNION:
		return TAG_UNION;
	case TYPE_ENUM:
		return TAG_ENUM;
	case TYPE_FORWARD:
		return type->is_union_tag  ? TAG_UNION
		       : type->is_enum_tag ? TAG_ENUM
					   : TAG_STRUCT;
	default:
		return TAG_NONE;
	}
}
