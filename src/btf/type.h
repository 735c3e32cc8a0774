/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Types: what the compiler knows about the shape of data.
 *
 * One model for all sources: D's own declarations, the running kernel's BTF
 * and its modules', DWARF and BTF of user programs (dwarf.h).  A `struct type`
 * is made once per source entity and lives as long as its `struct types`.
 *
 * 1. Kernel types are read lazily.  Looking up "struct task_struct" makes one
 *    object; its members are read on demand (type_complete).  The compiler
 *    never walks all of BTF for a program that names no kernel type.
 * 2. Typedefs and qualifiers are types of their own, so that messages and
 *    -lv print what the source says.  Use type_strip() before looking at
 *    `kind`.
 * 3. Pointer identity is not type identity (two sources may describe the same
 *    struct): compare with type_same()/type_compatible().
 *
 * btf/ knows nothing about probes, D's grammar, or error tags: functions here
 * return NULL or false and the caller writes the message.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/text.h"

struct types;
struct btf_file;
struct dwarf;

enum type_kind {
	TYPE_VOID,
	TYPE_INTEGER,
	TYPE_FLOAT,
	TYPE_ENUM,
	TYPE_POINTER,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FUNCTION,
	TYPE_FORWARD,	/* struct, union or enum tag without a definition */
	TYPE_TYPEDEF,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	/* D's own */
	TYPE_STRING,	/* "string": capacity is the option strsize */
	TYPE_STACK,	/* result of stack(), ustack(), jstack() */
	TYPE_SYMADDR,	/* result of sym(), func(), mod() ... */
	TYPE_USYMADDR,	/* result of usym(), umod(), uaddr() ... */
	TYPE_DYNAMIC,	/* "<DYN>": associative array, aggregation, translated value */
};

struct member {
	const char *name; /* NULL: anonymous struct or union */
	struct type *type;
	uint64_t bit_offset;
	uint32_t bit_width; /* 0: not a bit-field */
	uint32_t align;	    /* D's structs: 0: that of its type */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct type {
	enum type_kind kind;
	const char *name;    /* tag, typedef or base name; NULL: anonymous */
	struct type *target; /* of pointer, array, typedef, qualifier, function */
	uint64_t size;	     /* bytes; 0 when unknown */
	uint64_t count;	     /* elements of an array */

	/* integers, enums and floats */
	uint32_t bits; /* width; for a bit-field its own width */
	bool is_signed;
	bool is_char;
	bool is_bool;

	bool is_variadic;  /* functions */
	bool is_user;	   /* pointers: target is user memory (copied in) */
	bool is_union_tag; /* TYPE_FORWARD: neither is a struct */
	bool is_enum_tag;
	bool is_packed;	     /* D's structs: members lie side by side */
	uint32_t most_align; /* ... or are aligned to this much; 0: any */
	bool is_complete;    /* members/enumerators/params have been read */
	bool is_by_reference; /* a complete C++ class: it is not passed by value */

	struct member *members;
	uint32_t nmembers;
	struct enumerator *enumerators;
	uint32_t nenumerators;
	struct type **params;
	const char **param_names;
	uint32_t nparams;

	/*
	 * Where it came from: NULL for D's own.  The id is the record's own: of
	 * the FUNC for types_function(), of the typedef for types_tracepoint(),
	 * as attaching programs needs them.
	 */
	struct btf_file *btf;
	uint32_t btf_id;
	/* the same for types of user programs: the offset of an entry */
	struct dwarf *dwarf;
	uint64_t dwarf_entry;

	/* caches: of type_pointer(), type_align(), type_member() */
	struct type *pointer_to;
	uint64_t align;	      /* structs, unions; 0: not yet known */
	uint32_t next_member; /* after the one found last */
};

/* ------------------------------------------------------------ container */

/*
 * Everything one compilation knows.  Base types are there from the start;
 * kernel BTF is opened at the first look-up that D's own types cannot answer.
 * `strsize` is the capacity of string.
 */
struct types *types_new(struct arena *arena, uint64_t strsize);
void types_free(struct types *types);
/* Set by a script; before anything is laid out. */
void types_set_strsize(struct types *types, uint64_t strsize);
/* Never look at the kernel (for tests and -x nolibs-like isolation). */
void types_without_kernel(struct types *types);
/* A BTF file to use instead of the running kernel's (tests, fuzzing). */
int types_use_btf_file(struct types *types, const char *path);

/* Types every compilation has.  Never NULL. */
enum base_type {
	BASE_VOID, BASE_CHAR, BASE_SCHAR, BASE_UCHAR, BASE_SHORT, BASE_USHORT,
	BASE_INT, BASE_UINT, BASE_LONG, BASE_ULONG, BASE_LLONG, BASE_ULLONG,
	BASE_FLOAT, BASE_DOUBLE, BASE_LDOUBLE, BASE_BOOL,
	BASE_INT128, BASE_UINT128,
	BASE_INT64, BASE_UINT64, BASE_INT32, BASE_UINT32, BASE_INT16,
	BASE_UINT16, BASE_INT8, BASE_UINT8, BASE_SIZE, BASE_PTRDIFF,
	BASE_UINTPTR,
	BASE_STRING, BASE_STACK, BASE_SYMADDR, BASE_USYMADDR, BASE_DYNAMIC,
	BASE_FUNCTION,		/* int (): every function pointer's target */
	BASE_COUNT
};
struct type *types_base(const struct types *types, enum base_type which);

/* -------------------------------------------------------------- look-up */

enum tag_kind { TAG_NONE, TAG_STRUCT, TAG_UNION, TAG_ENUM };

/*
 * Find a type by name.  `scope` is the part before a back-quote: NULL = search
 * D's definitions, then the kernel proper, then loaded modules; "" or "vmlinux"
 * or "genunix" = the kernel proper; "D" = D's definitions; otherwise a module's
 * name.  TAG_NONE looks up typedefs and base type names ("unsigned int" in any
 * legal spelling order, "int8_t", "string").  A D forward declaration does not
 * hide a kernel definition of that tag.  NULL if there is none.
 */
struct type *types_lookup(struct types *types, const char *scope,
			  enum tag_kind tag, struct str name);

/*
 * Parse a C type name such as "struct task_struct *", "const char *",
 * "unsigned long", "int [4]", "struct ext4`inode *", "void (*)()".
 */
struct type *types_parse(struct types *types, const char *text);

/* The type of kernel function `name` (TYPE_FUNCTION), or NULL. */
struct type *types_function(struct types *types, const char *module,
			    const char *name);
/*
 * BTF of a user program, taken over (from malloc()); NULL: it is damaged.  All
 * pointers in its types are to user memory.
 */
struct btf_file *types_add_user_btf(struct types *types, void *bytes,
				    size_t size);
/* A function of that file, by name, or NULL. */
struct type *types_user_function(struct types *types, struct btf_file *file,
				 const char *name);
/* The type of a kernel variable known to BTF (per-CPU ones), or NULL. */
struct type *types_variable(struct types *types, const char *module,
			    const char *name);
/* The id of that variable's record, and its file; 0 = none. */
uint32_t types_variable_id(struct types *types, const char *module,
			   const char *name, struct btf_file **file);
/* The module that a BTF file describes; "" for the kernel proper. */
const char *btf_module(const struct btf_file *file);
/* Parameters of a tracepoint (from btf_trace_NAME, leading void * dropped). */
struct type *types_tracepoint(struct types *types, const char *name);
/* Enumerator of any kernel enum by name: true and its value. */
bool types_enumerator(struct types *types, const char *name, int64_t *value);

/* Does the kernel's BTF open at all?  0 or a negative errno. */
int types_kernel_available(struct types *types);

/* Nearest known type name for "did you mean", or NULL.  D's own names only. */
const char *types_nearest(struct types *types, const char *name);

/* --------------------------------------------------------- construction */

struct type *type_pointer(struct types *types, struct type *target);
struct type *type_user_pointer(struct types *types, struct type *target);
/* A pointer as one that a program passed: its target is copied in. */
struct type *type_to_user(struct types *types, struct type *type);
struct type *type_array(struct types *types, struct type *element,
			uint64_t count);
struct type *type_qualified(struct types *types, enum type_kind qualifier,
			    struct type *target);
struct type *type_function(struct types *types, struct type *result,
			   struct type **params, const char **names,
			   uint32_t nparams, bool is_variadic);
/* An integer of `bits` bits as wide as `base` is stored: a bit-field's type. */
struct type *type_bitfield(struct types *types, struct type *base,
			   uint32_t bits);

/*
 * Tags and typedefs of D libraries and of the program are separate: from now on
 * those of the libraries (or of the program) are created and come first.
 */
void types_enter_library(struct types *types, bool in_library);

/*
 * D definitions.  struct/union/enum start as forward declarations and are
 * filled in place (so that pointers to them stay valid).  type_finish_sou
 * lays out members as the C compiler would, given their types and bit widths.
 * NULL/false: the name is taken by a complete type.
 */
struct type *types_declare_tag(struct types *types, enum tag_kind tag,
			       const char *name /* NULL: anonymous */);
bool type_add_member(struct types *types, struct type *sou, const char *name,
		     struct type *type, uint32_t bit_width);
void type_finish_sou(struct types *types, struct type *sou);
bool type_add_enumerator(struct types *types, struct type *type,
			 const char *name, int64_t value);
void type_finish_enum(struct types *types, struct type *type);
/* Redefining with the same type is fine; with another: false. */
bool types_define_typedef(struct types *types, const char *name,
			  struct type *target);

/* -------------------------------------------------------------- queries */

/*
 * Through typedefs and qualifiers to the type itself.  Resolves forwards too.
 */
struct type *type_strip(struct types *types, struct type *type);
/* Typedefs and qualifiers only: forwards stay what they are. */
struct type *type_skip(struct type *type);
/* Reads members, enumerators, params; false when there is no definition. */
bool type_complete(struct types *types, struct type *type);

/* Size in bytes; 0 = unknown (void, function, forward). */
uint64_t type_size(struct types *types, struct type *type);
uint64_t type_align(struct types *types, struct type *type);

/*
 * Member by name, descending into anonymous members; the bit offset is from
 * the start of `sou`.  False when there is none.
 */
bool type_member(struct types *types, struct type *sou, const char *name,
		 struct member *found);
/* The same for a structure of the kernel itself; `types` may be NULL. */
bool types_kernel_member(struct types *types, const char *tag, const char *name,
			 struct member *found);
const struct enumerator *type_enumerator(struct types *types, struct type *type,
					 const char *name);

/* All of these look through typedefs and qualifiers. */
bool type_is_integer(struct types *types, struct type *type); /* int, enum */
bool type_is_signed(struct types *types, struct type *type);
bool type_is_float(struct types *types, struct type *type);
bool type_is_pointer(struct types *types, struct type *type); /* or array */
bool type_is_scalar(struct types *types, struct type *type);  /* int, pointer */
bool type_is_string(struct types *types, struct type *type);  /* "string" */
/* string, char[], char *: can be used as a string. */
bool type_is_stringlike(struct types *types, struct type *type);
bool type_is_char_array(struct types *types, struct type *type);
bool type_is_sou(struct types *types, struct type *type);
bool type_is_void(struct types *types, struct type *type);
bool type_is_dynamic(struct types *types, struct type *type);

/* Same type after typedefs and qualifiers (structs: by tag and source). */
bool type_same(struct types *types, struct type *a, struct type *b);
/* Pointers: same target, or one is void *. */
bool type_pointers_compatible(struct types *types, struct type *a,
			      struct type *b);

/* "struct foo *", "const char *", "int [4]", "int (*)()" as in messages. */
void type_print(struct types *types, struct type *type, struct text *out);
/* A declaration: "char *name", "int name[4]".  For print() and -h. */
void type_print_declaration(struct types *types, struct type *type,
			    const char *name, struct text *out);
/* The same as an arena string. */
const char *type_name(struct types *types, struct type *type);
