/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions in .gopclntab.
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
 *   1.18   fffffff0   functions, files, text,        32 bits  names
 *   1.20   fffffff1   names, ..., ..., ..., pairs
 *
 * With 32 bits, addresses are relative to `text`; the linker may leave that 0
 * (position-independent programs) and put it into a relocation, as it does
 * with the 64-bit addresses of older tables.
 *
 * The file is not trusted: every value is checked against the size of the
 * section before it is used.
 */
#include "proc/go_functions.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"

enum { HEAD = 8, POINTER = 8, SIZE_LIMIT = 128 << 20 };

enum layout { LAYOUT_2, LAYOUT_16, LAYOUT_18, LAYOUTS };

/* Words after the head; 0: there is no such word. */
static const struct {
	size_t words, text, names, names_end, pairs;
	size_t width; /* of a number in a pair */
} layouts[LAYOUTS] = {
	[LAYOUT_2] = { .words = 1, .width = 8 },
	[LAYOUT_16] = { .words = 7,
			.names = 2,
			.names_end = 3,
			.pairs = 6,
			.width = 8 },
	[LAYOUT_18] = { .words = 8,
			.text = 2,
			.names = 3,
			.names_end = 4,
			.pairs = 7,
			.width = 4 },
};

struct go_table {
	const uint8_t *bytes;
	size_t size;
	enum layout layout;
	uint64_t text;
	size_t names, names_end; /* places in the table */
	size_t pairs;
	size_t count;
};

static uint64_t number_at(const uint8_t *at, size_t width)
{
	uint64_t number = 0;

	memcpy(&number, at, width);
	return number;
}

static uint64_t head_word(const struct go_table *go, size_t n)
{
	return number_at(go->bytes + HEAD + n * POINTER, POINTER);
}

static bool find_layout(struct go_table *go)
{
	static const struct {
		uint32_t magic;
		enum layout layout;
	} magics[] = {
		{ 0xfffffffb, LAYOUT_2 },
		{ 0xfffffffa, LAYOUT_16 },
		{ 0xfffffff0, LAYOUT_18 },
		{ 0xfffffff1, LAYOUT_18 },
	};
	enum { ZEROS = 4, UNIT = 6, POINTER_SIZE = 7 };

	if (go->size < HEAD || go->bytes[ZEROS] || go->bytes[ZEROS + 1] ||
	    go->bytes[UNIT] != 1 || go->bytes[POINTER_SIZE] != POINTER)
		return false;
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (number_at(go->bytes, 4) != magics[i].magic)
			continue;
		go->layout = magics[i].layout;
		return true;
	}
	return false;
}

/* Places within the table, and as many pairs as there is room for. */
static bool read_head(struct go_table *go, uint64_t text)
{
	size_t words = layouts[go->layout].words;
	size_t head = HEAD + words * POINTER;
	size_t pair = 2 * layouts[go->layout].width;

	if (go->size < head)
		return false;
	uint64_t names = 0, names_end = go->size, pairs = head;
	uint64_t count = head_word(go, 0);

	if (layouts[go->layout].names) {
		names = head_word(go, layouts[go->layout].names);
		names_end = head_word(go, layouts[go->layout].names_end);
		pairs = head_word(go, layouts[go->layout].pairs);
	}
	if (layouts[go->layout].text)
		go->text = head_word(go, layouts[go->layout].text);
	if (!go->text)
		go->text = layouts[go->layout].text ? text : 0;
	if (names >= go->size || names_end <= names || names_end > go->size ||
	    pairs >= go->size)
		return false;
	/* after the last pair comes the address that ends its function */
	if (!count || count > (go->size - pairs) / pair ||
	    go->size - pairs - count * pair < layouts[go->layout].width)
		return false;
	go->names = names;
	go->names_end = names_end;
	go->pairs = pairs;
	go->count = count;
	return true;
}

static uint64_t start_of(const struct go_table *go, size_t n)
{
	size_t width = layouts[go->layout].width;
	uint64_t start = number_at(go->bytes + go->pairs + n * 2 * width,
				   width);

	return layouts[go->layout].text ? go->text + start : start;
}

/* Where its name starts among the names; false: it does not say. */
static bool find_name(const struct go_table *go, size_t n, uint32_t *name)
{
	size_t width = layouts[go->layout].width;
	uint64_t place = number_at(go->bytes + go->pairs + (2 * n + 1) * width,
				   width);
	size_t base = layouts[go->layout].pairs ? go->pairs : 0;
	size_t room = go->size - base;

	/* the function's address, then 32 bits */
	if (room < width + 4 || place > room - width - 4)
		return false;
	*name = (uint32_t)number_at(go->bytes + base + place + width, 4);
	return *name < go->names_end - go->names &&
	       go->bytes[go->names + *name];
}

static void add_functions(const struct go_table *go, uint16_t section,
			  struct elf_table *table)
{
	table->symbols = must_alloc(checked_mul(go->count,
						sizeof(*table->symbols)));
	table->count = 0;
	for (size_t n = 0; n < go->count; n++) {
		uint64_t start = start_of(go, n), end = start_of(go, n + 1);
		uint32_t name;

		if (end <= start || !find_name(go, n, &name))
			continue;
		table->symbols[table->count++] = (Elf64_Sym){
			.st_name = name,
			.st_value = start,
			.st_size = end - start,
			.st_shndx = section,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		};
	}
}

/* The names alone stay. */
static void keep_names(const struct go_table *go, uint8_t *bytes,
		       struct elf_table *table)
{
	size_t size = go->names_end - go->names;

	memmove(bytes, bytes + go->names, size);
	table->names = must_realloc(bytes, size + 1);
	table->names[size] = '\0';
	table->names_size = size;
}

bool go_functions_parse(uint8_t *bytes, size_t size, uint64_t text,
			uint16_t section, struct elf_table *table)
{
	struct go_table go = { .bytes = bytes, .size = size };

	*table = (struct elf_table){ 0 };
	if (!find_layout(&go) || !read_head(&go, text))
		return false;
	add_functions(&go, section, table);
	if (!table->count) {
		free(table->symbols);
		return false;
	}
	keep_names(&go, bytes, table);
	return true;
}

/* --------------------------------------------------------------- the file */

const Elf64_Shdr *go_functions_section(const struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file_section(file, ".gopclntab");

	return section ? section
		       : elf_file_section(file, ".data.rel.ro.gopclntab");
}

/* What the dynamic linker would write into the section. */
static void relocate(struct elf_file *file, const Elf64_Shdr *section,
		     uint8_t *bytes)
{
	const Elf64_Shdr *place = elf_file_section(file, ".rela.dyn");
	Elf64_Rela *relocations;

	if (!place)
		place = elf_file_section(file, ".rela");
	relocations = elf_file_read_section(file, place);
	for (size_t i = 0;
	     relocations && i < place->sh_size / sizeof(*relocations); i++) {
		uint64_t at = relocations[i].r_offset - section->sh_addr;

		if (ELF64_R_TYPE(relocations[i].r_info) != ARCH_ELF_RELATIVE ||
		    section->sh_size < POINTER ||
		    at > section->sh_size - POINTER)
			continue;
		memcpy(bytes + at, &relocations[i].r_addend, POINTER);
	}
	free(relocations);
}

bool go_functions_read(struct elf_file *file, struct elf_table *table)
{
	const Elf64_Shdr *section = go_functions_section(file);
	const Elf64_Shdr *text = elf_file_section(file, ".text");

	if (!section || !text || section->sh_size > SIZE_LIMIT)
		return false;
	uint8_t *bytes = elf_file_read_section(file, section);

	if (!bytes)
		return false;
	relocate(file, section, bytes);
	if (go_functions_parse(bytes, section->sh_size, text->sh_addr,
			       (uint16_t)(text - file->sections), table)) {
		table->file = file;
		return true;
	}
	free(bytes);
	return false;
}
