/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * .gopclntab: what a Go program's runtime knows about its code, for stacks of
 * its own.  Stripped programs have it, too.
 *
 * The table starts with a head: a number that identifies its layout, two zero
 * bytes, the unit of code addresses, the size of a pointer, then words.  A list
 * of pairs says where each function starts and where its description is, in
 * order of addresses; one more address ends it.  A description starts with the
 * function's address again and the place of its name.
 *
 *   since  number     head (words)                   pairs    names from
 *   1.2    fffffffb   functions                      64 bits  the table
 *   1.16   fffffffa   functions, files, names,       64 bits  names
 *                     ..., ..., ..., pairs
 *   1.18   fffffff0   functions, files, text, names, 32 bits  names
 *                     units, file names, values,
 *                     pairs
 *   1.20   fffffff1   the same
 *
 * With 32 bits, addresses are relative to `text`; the linker may leave that 0
 * (position-independent programs) and put it into a relocation, as it does
 * with the 64-bit addresses of older tables.
 *
 * Since 1.18, what else a description has is read, too (go_table_function()):
 * programs of values that belong to places in the code (go_table_value()), such
 * as how far the stack pointer is from the caller's.
 *
 * The file is not trusted: every value is checked against the size of the
 * section before it is used.
 */

#include "proc/elf_file.h"

enum go_layout { GO_LAYOUT_2, GO_LAYOUT_16, GO_LAYOUT_18, GO_LAYOUTS };

struct go_table {
	const uint8_t *bytes; /* a NUL follows them */
	size_t size;
	enum go_layout layout;
	bool is_20; /* of GO_LAYOUT_18, the younger one */
	uint64_t text;
	size_t names, names_end; /* places in the table */
	size_t units, units_end, files, files_end, values, values_end;
	size_t pairs;
	size_t count;
};

/* Values that depend on the place in a function. */
enum go_value { GO_STACK, GO_FILE, GO_LINE, GO_INLINED, GO_VALUES };

enum go_flags {
	GO_FIRST = 1,	 /* nobody called it */
	GO_SWITCHES = 2, /* it changes the stack */
};

struct go_function {
	uint64_t start, end; /* as linked */
	const char *name;
	uint32_t values[GO_VALUES]; /* programs of values; 0: none */
	uint32_t unit;		    /* of its numbers of files */
	uint32_t inlined;	    /* tree of calls; UINT32_MAX: none */
	uint8_t flags;
};

/* The section that holds the table; NULL if it is not a Go program. */
const Elf64_Shdr *go_table_section(const struct elf_file *file);
/*
 * Reads a section's bytes as a table; false: it is none.  `text` is where code
 * starts if the table does not say.
 */
bool go_table_open(struct go_table *go, const uint8_t *bytes, size_t size,
		   uint64_t text);
/*
 * The file's table (free() go->bytes); false: it has none, or it is too large.
 */
bool go_table_read(struct go_table *go, struct elf_file *file);
/* Where the n-th function starts; n may be go->count: the end of the last. */
uint64_t go_table_start(const struct go_table *go, size_t n);
/* Where its name starts among the names; false: it does not say. */
bool go_table_name(const struct go_table *go, size_t n, uint32_t *name);
/* The function that has an address; false: none has. */
bool go_table_find(const struct go_table *go, uint64_t address, size_t *n);
/* Since 1.18. */
bool go_table_function(const struct go_table *go, size_t n,
		       struct go_function *function);

/* A program of values: the value holds from `start` to before `end`. */
struct go_values {
	const struct go_table *go;
	size_t at;
	uint64_t start, end;
	int32_t value;
	uint32_t count; /* so far */
};
void go_values_open(struct go_values *values, const struct go_table *go,
		    const struct go_function *function, enum go_value which);
bool go_values_next(struct go_values *values);
/* The value at an address of the function; false: it has none.  Adds to *work. */
bool go_table_value(const struct go_table *go,
		    const struct go_function *function, enum go_value which,
		    uint64_t address, int32_t *value, uint32_t *work);
/* "": it is not known. */
const char *go_table_file(const struct go_table *go,
			  const struct go_function *function, int32_t file);

/* Bytes of a section as the dynamic linker would have them (free() them). */
uint8_t *go_section_read(struct elf_file *file, const Elf64_Shdr *section);
